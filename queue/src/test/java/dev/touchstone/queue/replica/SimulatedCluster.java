package dev.touchstone.queue.replica;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.queue.log.DiskFileIo;
import dev.touchstone.queue.replication.GroupOptions;
import dev.touchstone.queue.replication.NotProposedException;
import dev.touchstone.queue.replication.ReplicatedMachine;
import dev.touchstone.queue.replication.ReplicationGroup;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The log that members of one process have in common. The first that is there leads, until another is told to. */
final class SimulatedCluster {
    private static final int SNAPSHOT_EVERY = 97;

    @GuardedBy("this")
    private final TreeMap<Long, byte[]> entries = new TreeMap<>();

    @GuardedBy("this")
    private final Map<String, Member> members = new TreeMap<>();

    @GuardedBy("this")
    private final SplittableRandom random = new SplittableRandom(Long.getLong("seed", System.nanoTime()));

    @GuardedBy("this")
    private long last;

    @GuardedBy("this")
    private @Nullable Path snapshot;

    @GuardedBy("this")
    private long snapshotIndex;

    @GuardedBy("this")
    private @Nullable Member leader;

    @GuardedBy("this")
    private long term;

    @GuardedBy("this")
    private boolean quorum = true;

    @GuardedBy("this")
    private boolean silent;

    @GuardedBy("this")
    private int unanswered;

    /** Begins a member, which is given the last snapshot and the entries behind it. */
    synchronized ReplicationGroup join(GroupOptions options, ReplicatedMachine machine) throws IOException {
        Member member = new Member(options, machine);
        if (snapshot != null) {
            machine.load(snapshot);
            member.applied = snapshotIndex;
        }
        while (member.applied < last) {
            machine.apply(++member.applied, ByteBuffer.wrap(entries.get(member.applied)));
        }
        members.put(options.member(), member);
        if (leader == null) {
            lead(member);
        }
        return member;
    }

    @GuardedBy("this")
    private void lead(Member member) {
        if (leader != null) {
            leader.machine.follows();
        }
        leader = member;
        term++;
        member.machine.leads(term);
    }

    /** Takes the majority away, or gives it back. */
    synchronized void quorum(boolean newQuorum) {
        quorum = newQuorum;
    }

    /** Lets the leader take proposals and never answer, until another leads. */
    synchronized void silence() {
        silent = true;
    }

    synchronized int unanswered() {
        return unanswered;
    }

    /** Hands the leadership to another member. */
    synchronized void lead(String member) {
        silent = false;
        lead(Objects.requireNonNull(members.get(member)));
    }

    /** Has a member load the last snapshot in the place of its state, as one does that was away for long; false if there is none. */
    boolean reload(String name) throws Exception {
        Member member;
        synchronized (this) {
            member = Objects.requireNonNull(members.get(name));
        }
        return member.thread
                .submit(() -> {
                    Path from;
                    long index;
                    synchronized (this) {
                        from = snapshot;
                        index = snapshotIndex;
                    }
                    if (from == null) {
                        return false;
                    }
                    member.machine.load(from);
                    member.applied = index;
                    member.applyAll();
                    return true;
                })
                .get();
    }

    private final class Member implements ReplicationGroup {
        private final GroupOptions options;
        private final ReplicatedMachine machine;
        private final ExecutorService thread = Executors.newSingleThreadExecutor();
        private long applied; // by the thread, once it has begun
        private long nextSnapshot = SNAPSHOT_EVERY;

        Member(GroupOptions options, ReplicatedMachine machine) {
            this.options = options;
            this.machine = machine;
        }

        @Override
        public void propose(byte[] entry, Consumer<@Nullable Throwable> done) {
            synchronized (SimulatedCluster.this) {
                int fate = random.nextInt(60);
                Member to = leader;
                if (silent) {
                    unanswered++;
                    return;
                }
                if (!quorum || to == null || fate == 0) {
                    answer(done, new NotProposedException("no leader"));
                } else if (fate == 1) {
                    answer(done, new IOException("the entry was lost, or the answer"));
                } else {
                    byte[] copy = entry.clone();
                    if (!to.machine.stamp(copy)) {
                        answer(done, new NotProposedException("no entry"));
                        return;
                    }
                    entries.put(++last, copy);
                    members.values().forEach(member -> member.thread.execute(member::applyAll));
                    answer(done, fate == 2 ? new IOException("the answer was lost") : null);
                }
            }
        }

        private void answer(Consumer<@Nullable Throwable> done, @Nullable Throwable failure) {
            thread.execute(() -> done.accept(failure));
        }

        private void applyAll() {
            try {
                for (; ; ) {
                    byte[] next;
                    synchronized (SimulatedCluster.this) {
                        next = entries.get(applied + 1);
                    }
                    if (next == null) {
                        return;
                    }
                    machine.apply(++applied, ByteBuffer.wrap(next));
                    if (applied >= nextSnapshot) {
                        nextSnapshot = applied + Math.max(SNAPSHOT_EVERY, applied / 3);
                        save();
                    }
                }
            } catch (Throwable e) {
                machine.ended(e);
            }
        }

        private void save() throws IOException {
            ReplicatedMachine.Snapshot saved = machine.save();
            Path folder = options.folder().resolve("snapshot-" + applied);
            new DiskFileIo().createFolder(folder);
            saved.write(folder);
            synchronized (SimulatedCluster.this) {
                if (applied > snapshotIndex) {
                    snapshot = folder;
                    snapshotIndex = applied;
                    entries.headMap(snapshotIndex / 4).clear();
                }
            }
        }

        @Override
        public void barrier(Consumer<@Nullable Throwable> done) {
            synchronized (SimulatedCluster.this) {
                Throwable failure = quorum && leader != null ? null : new IOException("no leader");
                thread.execute(() -> {
                    applyAll();
                    done.accept(failure);
                });
            }
        }

        @Override
        public void snapshot() {
            // taken after every so many entries
        }

        @Override
        public boolean leads() {
            synchronized (SimulatedCluster.this) {
                return leader == this;
            }
        }

        @Override
        public @Nullable String leader() {
            synchronized (SimulatedCluster.this) {
                return leader == null ? null : leader.options.member();
            }
        }

        @Override
        public long term() {
            synchronized (SimulatedCluster.this) {
                return term;
            }
        }

        @Override
        public String hindrance() {
            return "leader=" + leader();
        }

        @Override
        public List<String> members() {
            synchronized (SimulatedCluster.this) {
                return List.copyOf(members.keySet());
            }
        }

        @Override
        public void transfer(@Nullable String member, Duration timeout) {
            synchronized (SimulatedCluster.this) {
                lead(member == null ? members.keySet().iterator().next() : member);
            }
        }

        @Override
        public void add(String member) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void remove(String member) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {
            synchronized (SimulatedCluster.this) {
                members.remove(options.member());
                if (leader == this) {
                    leader = null;
                    List<Member> others = new ArrayList<>(members.values());
                    if (!others.isEmpty()) {
                        lead(others.get(random.nextInt(others.size())));
                    }
                }
            }
            thread.shutdown();
            try {
                if (!thread.awaitTermination(1, TimeUnit.MINUTES)) {
                    throw new IllegalStateException("an entry is still applied");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            machine.ended(null);
        }
    }
}
