package dev.touchstone.index.hazelcast;

import com.hazelcast.cluster.Cluster;
import com.hazelcast.cluster.Member;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.IExecutorService;
import com.hazelcast.core.MemberLeftException;
import com.hazelcast.spi.exception.TargetNotMemberException;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The replicas of all members, as one member asks them, and its own at once by the caller. Used by one thread at a time.
 *
 * <p><b>Invariants.</b> A member that hangs, as its disk does, has few questions of each kind to answer: it would collect all, and answer thousands at once when it goes on.
 */
final class ReplicaPeers {
    private static final long STATUS_MILLIS = 2000;
    private static final int MAX_UNANSWERED = 4;

    private final HazelcastInstance here;
    private final String name;
    private final long timeoutMillis;
    private final int maxRecent;
    private final int minMembers;
    private final IExecutorService executor;
    private final ReplicaRequests own;
    private final Map<Question, List<Future<?>>> unanswered = new HashMap<>();

    private record Question(UUID member, ReplicaRequests.Kind kind) {}

    /**
     * A snapshot that was loaded.
     *
     * @param position place in the log to which it belongs
     * @param lineage cluster and term of the prices
     * @param recent last entries that counted
     */
    record Loaded(LogPosition position, Replica.Lineage lineage, RecentEntries recent) {}

    /**
     * Creates the peers of a member.
     *
     * @param own requests to its own replica
     */
    ReplicaPeers(HazelcastInstance here, ReplicaOptions options, ReplicaRequests own) {
        this.here = here;
        this.own = own;
        name = options.name();
        timeoutMillis = options.timeout().toMillis();
        maxRecent = options.recentEntries();
        minMembers = options.minMembers();
        executor = here.getExecutorService(name + ".replicas");
    }

    /**
     * The answers of all members.
     *
     * @param byMember status of the replica of each member that has one, the oldest member first
     * @param silence failure of a member that did not answer, though it is one; null if all have answered
     */
    record Statuses(
            Map<Member, ReplicaRequests.Status> byMember,
            @Nullable IOException silence) {
        /** Throws the failure of a member that did not answer. */
        void requireAll() throws IOException {
            if (silence != null) {
                throw silence;
            }
        }
    }

    /** Asks all members for the status of their replicas. */
    Statuses statuses() throws IOException, InterruptedException {
        Map<Member, @Nullable Future<byte @Nullable []>> asked = new LinkedHashMap<>();
        for (Member member : here.getCluster().getMembers()) {
            asked.put(
                    member,
                    member.localMember() ? null : submitIfAnswering(member, ReplicaRequests.Kind.STATUS, new byte[0]));
        }
        Map<Member, ReplicaRequests.Status> statuses = new LinkedHashMap<>();
        IOException silence = null;
        for (Map.Entry<Member, @Nullable Future<byte @Nullable []>> each : asked.entrySet()) {
            if (each.getKey().localMember()) {
                statuses.put(each.getKey(), own.status());
                continue;
            }
            try {
                byte[] answer = answer(each.getKey(), each.getValue(), Math.min(timeoutMillis, STATUS_MILLIS));
                if (answer != null) {
                    statuses.put(each.getKey(), ReplicaRequests.Status.read(input(answer)));
                }
            } catch (IOException e) {
                silence = e;
            }
        }
        return new Statuses(statuses, silence);
    }

    /** Returns the lowest sequence that a live replica has applied, of those that answer; -1 if there is none. */
    long applied() throws InterruptedException {
        try {
            return statuses().byMember().values().stream()
                    .filter(status -> status.state() == ReplicaStatus.State.LIVE)
                    .mapToLong(ReplicaRequests.Status::sequence)
                    .min()
                    .orElse(-1);
        } catch (IOException e) {
            return -1;
        }
    }

    /** Returns the ids of the members of a cluster. */
    static Set<UUID> ids(Cluster cluster) {
        return cluster.getMembers().stream().map(Member::getUuid).collect(Collectors.toSet());
    }

    /**
     * Has as many replicas as a cluster needs promise a term, whose number is higher than all that they have.
     *
     * @param cluster id of the cluster
     * @param epoch epoch in whose log the term begins; null if an epoch begins with it
     * @param before status of the replica with whose prices it begins
     * @param statuses statuses of all replicas
     * @param members ids of the members that this one sees, as all that promise must
     * @return number of the term; -1 if too few have promised it
     */
    long promise(
            UUID cluster,
            @Nullable UUID epoch,
            ReplicaRequests.Status before,
            Collection<ReplicaRequests.Status> statuses,
            Set<UUID> members)
            throws IOException, InterruptedException {
        long last = statuses.stream()
                .mapToLong(each -> Math.max(each.term(), each.promised()))
                .max()
                .orElse(0);
        if (minMembers == 1) {
            return last + 1;
        }
        // no two members that ask at the same time want the same number, so that one of them gets its term
        long rank = here.getCluster().getMembers().stream()
                .takeWhile(each -> !each.localMember())
                .count();
        ReplicaRequests.Term term = new ReplicaRequests.Term(
                new Replica.Lineage(cluster, last + 1 + rank),
                epoch,
                before.term(),
                before.version(),
                members.hashCode());
        return haveAnsweredYes(ReplicaRequests.Kind.PROMISE, term::write)
                ? term.lineage().term()
                : -1;
    }

    /** Returns whether as many replicas as a cluster needs have applied an entry. */
    boolean confirm(ReplicaRequests.Applied entry) throws IOException, InterruptedException {
        return haveAnsweredYes(ReplicaRequests.Kind.CONFIRM, entry::write);
    }

    /** Asks all members, this one last, whose answer takes the time that it takes. Returns whether as many as a cluster needs have answered with yes in time, as soon as that is known. */
    private boolean haveAnsweredYes(ReplicaRequests.Kind request, ReplicaRequests.Part arguments)
            throws IOException, InterruptedException {
        byte[] bytes = ReplicaRequests.bytes(arguments);
        BlockingQueue<Boolean> answers = new LinkedBlockingQueue<>();
        int asked = 1;
        for (Member member : here.getCluster().getMembers()) {
            Future<?> answer = member.localMember() ? null : submitIfAnswering(member, request, bytes);
            if (answer != null) {
                Object unused = ((CompletionStage<?>) answer)
                        .whenCompleteAsync(
                                (value, failure) -> answers.add(failure == null && ReplicaRequests.isYes(value)),
                                Runnable::run);
                asked++;
            }
        }
        answers.add(ReplicaRequests.isYes(own.answer(request, bytes)));
        long begin = System.nanoTime();
        int missing = minMembers;
        while (missing > 0 && asked >= missing) {
            long left = LogWriter.TRY_MILLIS - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
            Boolean isYes = answers.poll(left, TimeUnit.MILLISECONDS);
            if (isYes == null) {
                return false;
            }
            asked--;
            missing -= isYes ? 1 : 0;
        }
        return missing == 0;
    }

    /** Has the replica of a member end to be live if its prices are earlier ones than those of a term and version. */
    void overtake(Member member, long term, long version) throws IOException, InterruptedException {
        byte[] unused = ask(member, ReplicaRequests.Kind.OVERTAKE, out -> {
            out.writeLong(term);
            out.writeLong(version);
        });
    }

    /** Has the replica of a member lead an epoch. */
    void lead(Member member, LogPosition begin, Replica.Lineage lineage) throws IOException, InterruptedException {
        byte[] unused = ask(member, ReplicaRequests.Kind.LEAD, out -> {
            ReplicaRequests.writePosition(begin, out);
            ReplicaRequests.writeLineage(lineage, out);
        });
    }

    /** Loads the snapshot of the replica of a member, whose bytes are written to a stream. */
    Loaded load(Member member, OutputStream target) throws IOException, InterruptedException {
        UUID self = here.getCluster().getLocalMember().getUuid();
        try {
            DataInputStream opened =
                    input(ask(member, ReplicaRequests.Kind.OPEN, out -> ReplicaRequests.writeUuid(self, out)));
            long length = opened.readLong();
            LogPosition position = ReplicaRequests.readPosition(opened);
            Replica.Lineage lineage = ReplicaRequests.readLineage(opened);
            RecentEntries recent = RecentEntries.read(opened, maxRecent);
            long at = 0;
            while (at < length) {
                long offset = at;
                byte[] part = ask(member, ReplicaRequests.Kind.READ, out -> {
                    ReplicaRequests.writeUuid(self, out);
                    out.writeLong(offset);
                });
                if (part.length == 0) {
                    throw new IOException("snapshot became shorter: member=" + member + " offset=" + offset);
                }
                target.write(part);
                at += part.length;
            }
            return new Loaded(position, lineage, recent);
        } finally {
            close(member, self);
        }
    }

    private void close(Member member, UUID self) throws InterruptedException {
        try {
            byte[] unused = ask(member, ReplicaRequests.Kind.CLOSE, out -> ReplicaRequests.writeUuid(self, out));
        } catch (IOException e) {
            // the member closes it when this one leaves or asks anew
        }
    }

    private byte[] ask(Member member, ReplicaRequests.Kind request, ReplicaRequests.Part arguments)
            throws IOException, InterruptedException {
        byte[] answer = answer(member, submit(member, request, ReplicaRequests.bytes(arguments)), timeoutMillis);
        if (answer == null) {
            throw new IOException("member has left, or has no replica: member=" + member);
        }
        return answer;
    }

    /** Asks a member; returns null if it has not answered the questions before. */
    private @Nullable Future<byte @Nullable []> submitIfAnswering(
            Member member, ReplicaRequests.Kind request, byte[] arguments) {
        unanswered.values().removeIf(questions -> questions.removeIf(Future::isDone) && questions.isEmpty());
        List<Future<?>> questions =
                unanswered.computeIfAbsent(new Question(member.getUuid(), request), question -> new ArrayList<>());
        if (questions.size() == MAX_UNANSWERED) {
            return null;
        }
        Future<byte @Nullable []> asked = submit(member, request, arguments);
        questions.add(asked);
        return asked;
    }

    @SuppressWarnings("NullAway") // a task answers with null where there is no replica
    private Future<byte @Nullable []> submit(Member member, ReplicaRequests.Kind request, byte[] arguments) {
        return executor.submitToMember(new ReplicaTask(name, request, arguments), member);
    }

    /** Returns an answer; null if the member has left, or has no replica. */
    private static byte @Nullable [] answer(Member member, @Nullable Future<byte @Nullable []> future, long millis)
            throws IOException, InterruptedException {
        if (future == null) {
            throw new IOException("member does not answer: member=" + member + " unanswered=" + MAX_UNANSWERED);
        }
        try {
            return future.get(millis, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof MemberLeftException || e.getCause() instanceof TargetNotMemberException) {
                return null;
            }
            throw new IOException("member cannot answer: member=" + member + ": " + e.getCause(), e);
        } catch (TimeoutException e) {
            throw new IOException("member does not answer: member=" + member + " millis=" + millis, e);
        }
    }

    private static DataInputStream input(byte[] answer) {
        return new DataInputStream(new ByteArrayInputStream(answer));
    }
}
