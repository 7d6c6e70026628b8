package dev.touchstone.index.hazelcast;

import com.hazelcast.cluster.Member;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.map.IMap;
import com.hazelcast.ringbuffer.OverflowPolicy;
import com.hazelcast.ringbuffer.ReadResultSet;
import com.hazelcast.ringbuffer.Ringbuffer;
import dev.touchstone.index.CorruptEncodingException;
import dev.touchstone.index.CorruptIndexException;
import dev.touchstone.index.hazelcast.ReplicaStatus.State;
import dev.touchstone.index.price.BatchFormat;
import dev.touchstone.index.price.PriceBatch;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.price.SnapshotFormat;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/**
 * The thread of a replica: joins the other replicas, and then applies the entries of the log in their order.
 *
 * <p><b>Who calls.</b> {@link #run} by one thread. It ends once the progress is closed or failed.
 *
 * <p><b>Invariants.</b> All live replicas of an epoch have the same prices at the same sequence. Each read begins with the entry that was applied last,
 * by its id: where another entry has its place, members have read one that was lost with the member that held it, and the replica joins anew.
 * A replica leads an epoch only while no replica is live, so that no update that was acknowledged comes behind the prices of the leader.
 *
 * <p><b>Ordering.</b> Entries are applied and the progress is advanced under {@code applying}; a snapshot is loaded under it, too. Other threads end the live state under
 * it, so that nothing is applied that is not counted.
 *
 * <p><b>Failure.</b> What the cluster throws is tried again after a pause. What the replica throws ends this thread, and the replica is failed.
 */
final class LogFollower implements Runnable {
    private static final Logger LOG = System.getLogger(LogFollower.class.getName());
    private static final long POLL_MILLIS = 200;
    private static final int MAX_READ = 64; // entries

    private final HazelcastInstance here;
    private final ReplicaOptions options;
    private final Replica replica;
    private final ReplicaProgress progress;
    private final PendingUpdates pending;
    private final Lock applying;
    private final Ringbuffer<byte[]> log;
    private final LogContents contents;
    private final ReplicaPeers peers;
    private final BatchFormat batches;
    private final SnapshotFormat snapshots;
    private @Nullable UUID settled; // epoch for which the updates of others have ended

    LogFollower(
            HazelcastInstance here,
            ReplicaOptions options,
            Replica replica,
            ReplicaProgress progress,
            PendingUpdates pending,
            LogContents contents,
            Lock applying,
            ReplicaRequests requests) {
        this.here = here;
        this.options = options;
        this.replica = replica;
        this.progress = progress;
        this.pending = pending;
        this.contents = contents;
        this.applying = applying;
        log = here.getRingbuffer(ReplicatedPriceIndex.log(options));
        peers = new ReplicaPeers(here, options, requests);
        batches = new BatchFormat(replica.index());
        snapshots = new SnapshotFormat(replica.index());
    }

    @Override
    public void run() {
        try {
            while (progress.state() == State.LIVE || progress.state() == State.JOINING) {
                if (!step()) {
                    progress.pause(POLL_MILLIS);
                }
            }
        } catch (ReplicaFailure e) {
            fail(e.getCause());
        } catch (InterruptedException | RuntimeException | Error e) { // a defect must not end the thread in silence
            fail(e);
        }
        pending.failAll("replica has ended: name=" + options.name() + " state=" + progress.state());
    }

    private void fail(Throwable reason) {
        progress.fail(reason.toString());
        LOG.log(Logger.Level.ERROR, "replica has failed, and applies no more changes: name=" + options.name(), reason);
    }

    /** A failure of the replica itself. */
    private static final class ReplicaFailure extends Exception {
        private static final long serialVersionUID = 1;

        ReplicaFailure(Exception cause) {
            super(cause);
        }

        @Override
        public synchronized Throwable getCause() {
            Throwable cause = super.getCause();
            return cause == null ? this : cause;
        }
    }

    /** Joins, or applies some entries. Returns false if there is nothing to do now. */
    private boolean step() throws ReplicaFailure, InterruptedException {
        try {
            LogPosition position = progress.livePosition();
            return position == null ? join() : follow(position);
        } catch (HazelcastInstanceNotActiveException e) { // also for a moment after the sides of a cluster have merged
            progress.lose("member is not running");
            return false;
        } catch (HazelcastException | IOException | RejectedExecutionException | CancellationException e) {
            progress.waitsFor(String.valueOf(e.getMessage()));
            LOG.log(Logger.Level.DEBUG, "tries again: name=" + options.name(), e);
            return false;
        }
    }

    /** Returns why a replica is not live while there are so few members. */
    static String tooFew(int members, ReplicaOptions options) {
        return "too few members: members=" + members + " expected=" + options.minMembers();
    }

    private boolean follow(LogPosition from) throws ReplicaFailure, IOException, InterruptedException {
        int members = here.getCluster().getMembers().size();
        if (members < options.minMembers()) { // the others may have gone on without this one
            progress.lose(tooFew(members, options));
            return false;
        }
        if (!from.epoch().equals(settled)) { // this replica leads the epoch
            settle(from.epoch());
        }
        ReadResultSet<byte[]> entries = read(from);
        if (entries == null) {
            return true;
        }
        if (entries.size() == 0 || entries.getSequence(0) != from.sequence()) {
            progress.lose("log has gone on without this replica: sequence=" + from.sequence());
            return true;
        }
        if (!isThere(from, entries)) {
            progress.lose("an entry was lost with the member that held it: sequence=" + from.sequence());
            return true;
        }
        Group group = new Group(from);
        String end = null;
        for (int i = 1; i < entries.size() && end == null; i++) {
            LogEntry entry = decode(entries.get(i));
            if (entry.kind() == LogEntry.Kind.TERM && !group.changes.isEmpty()) {
                break; // the version before it is not known yet
            }
            end = group.add(entries.getSequence(i), entry);
        }
        if (apply(from, group) && end != null) {
            progress.lose(end);
        }
        return true;
    }

    /** Entries that are applied together. */
    private final class Group {
        private final List<UUID> ids = new ArrayList<>(); // of those that count
        private final List<PriceBatch> changes = new ArrayList<>();
        private LogPosition at;
        private long term = -1; // the last one that begins

        Group(LogPosition from) {
            at = from;
        }

        /** Adds an entry, or passes over it. Returns the reason why the replica cannot go on here, or null if it can. */
        @Nullable
        String add(long sequence, LogEntry entry) throws ReplicaFailure, IOException, InterruptedException {
            if (entry.kind() == LogEntry.Kind.EPOCH) {
                return "another epoch has begun";
            }
            if (entry.epoch().equals(at.epoch()) && entry.kind() == LogEntry.Kind.TERM) {
                try {
                    if (replica.index().version() < entry.versionBefore()) {
                        return "entries before a term were lost: sequence=" + sequence;
                    }
                    term = Math.max(term, entry.term());
                } catch (CorruptEncodingException e) {
                    throw new ReplicaFailure(e);
                }
            } else if (!entry.epoch().equals(at.epoch())) {
                pending.refused(entry.id(), "another epoch has begun: epoch=" + at.epoch(), null);
            } else if (!progress.isRecent(entry.id()) && !ids.contains(entry.id())) {
                ByteBuffer content = entry.kind() == LogEntry.Kind.LARGE_BATCH
                        ? awaited(contents.get(entry.id())).orElse(null)
                        : entry.content();
                if (content == null) {
                    return "content of an entry is gone: sequence=" + sequence;
                }
                ids.add(entry.id());
                changes.add(batch(content));
            }
            at = new LogPosition(at.epoch(), sequence, entry.id());
            return null;
        }
    }

    /** Ends the updates whose outcome the prices of this replica tell. */
    private void settle(UUID epoch) {
        settled = epoch;
        RecentEntries recent = progress.recent();
        pending.live(epoch, recent, !recent.isFull());
    }

    private static LogEntry decode(byte[] bytes) throws ReplicaFailure {
        try {
            return LogEntry.decode(bytes);
        } catch (CorruptEncodingException e) {
            throw new ReplicaFailure(e);
        }
    }

    /**
     * Reads the entry at a position and those behind it. Returns null if the replica is not live any more. The result is empty or begins elsewhere if the log has no
     * such place.
     */
    private @Nullable ReadResultSet<byte[]> read(LogPosition from)
            throws ReplicaFailure, IOException, InterruptedException {
        Future<ReadResultSet<byte[]>> reading = read(from, 2);
        while (progress.livePosition() != null) {
            try {
                return reading.get(POLL_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                // nothing is there yet; or the log, or the request, was lost with the member that held it
                ReadResultSet<byte[]> now = awaited(read(from, 0));
                if (now.size() != 1 || now.getSequence(0) != from.sequence() || !isThere(from, now)) {
                    return now;
                }
            } catch (ExecutionException e) {
                throw failure(e);
            }
        }
        return null;
    }

    /** Returns whether the first of some entries is the one that was applied last, and not one that was written after it was lost. */
    private static boolean isThere(LogPosition from, ReadResultSet<byte[]> entries) throws ReplicaFailure {
        return decode(entries.get(0)).id().equals(from.entry());
    }

    /** Begins to read a number of entries or more, without waiting if the number is 0. */
    private Future<ReadResultSet<byte[]>> read(LogPosition from, int min) {
        return log.readManyAsync(from.sequence(), min, Math.min(MAX_READ, options.logEntries()), null)
                .toCompletableFuture();
    }

    /** Waits for an answer of the cluster, which may be lost with the member that should give it. */
    private static <T> T awaited(Future<T> answer) throws IOException, InterruptedException {
        try {
            return answer.get(LogWriter.TRY_MILLIS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw failure(e);
        } catch (TimeoutException e) {
            throw new IOException("cluster does not answer: millis=" + LogWriter.TRY_MILLIS, e);
        }
    }

    private static IOException failure(ExecutionException e) {
        if (e.getCause() instanceof HazelcastInstanceNotActiveException inactive) {
            throw inactive;
        }
        return new IOException(String.valueOf(e.getCause()), e);
    }

    /** Applies the entries that count, and moves on behind all of them. Does nothing, and returns false, if the replica is not at their place any more. */
    private boolean apply(LogPosition from, Group group) throws ReplicaFailure {
        List<Replica.Outcome> outcomes;
        applying.lock();
        try {
            if (!from.equals(progress.livePosition())) { // not any more, since they were read
                return false;
            }
            outcomes = group.changes.isEmpty() ? List.of() : replica.apply(group.changes);
            Replica.Lineage lineage = replica.lineage();
            if (lineage != null && lineage.term() < group.term) {
                replica.belongTo(new Replica.Lineage(lineage.cluster(), group.term));
            }
            progress.advance(group.at, group.ids, outcomes);
        } catch (IOException | RuntimeException e) {
            throw new ReplicaFailure(e);
        } finally {
            applying.unlock();
        }
        for (int i = 0; i < outcomes.size(); i++) {
            pending.applied(group.ids.get(i), outcomes.get(i));
        }
        return true;
    }

    private PriceBatch batch(ByteBuffer content) throws ReplicaFailure {
        try {
            return batches.decode(content);
        } catch (CorruptEncodingException e) {
            throw new ReplicaFailure(e);
        }
    }

    /** Loads the prices of a live replica; where there is none, sees to it that one leads a new epoch. Returns false if neither can be done now. */
    private boolean join() throws ReplicaFailure, IOException, InterruptedException {
        ReplicaPeers.Statuses answers = peers.statuses();
        Map<Member, ReplicaRequests.Status> statuses = answers.byMember();
        Member live = newest(statuses, State.LIVE, true);
        if (live != null) {
            ReplicaRequests.Status own = statuses.get(here.getCluster().getLocalMember());
            ReplicaRequests.Status other = statuses.get(live);
            if (own == null || other == null) {
                return false; // without this check it would load prices that may be older than its own
            }
            UUID cluster = own.cluster();
            UUID expected = other.cluster();
            if (options.minMembers() > 1 && cluster != null && expected != null) {
                if (!cluster.equals(expected)) {
                    throw new ReplicaFailure(new IOException("prices are of another cluster: name=" + options.name()
                            + " cluster=" + cluster + " expected=" + expected
                            + "; start this member without them, to load those of the cluster"));
                }
                if (other.isBefore(own.term(), own.version())) {
                    overtake(own, statuses);
                    return false;
                }
            }
            load(live);
            return true;
        }
        answers.requireAll();
        statuses.values().removeIf(each -> each.state() != State.JOINING); // such as those that have failed
        if (statuses.size() < options.minMembers()) {
            progress.waitsFor(tooFew(statuses.size(), options));
            return false;
        }
        Member oldest = statuses.keySet().iterator().next();
        return oldest.localMember() && beginEpoch();
    }

    /**
     * Has live replicas end that have less than this one: a member that was cut off while the others went on may be joined by one of these after a restart.
     * The replica with the highest term and version leads the next epoch.
     */
    private void overtake(ReplicaRequests.Status own, Map<Member, ReplicaRequests.Status> statuses)
            throws IOException, InterruptedException {
        LOG.log(
                Logger.Level.WARNING,
                "live replicas have older prices than this one, and begin anew: name=" + options.name() + " status="
                        + own + " statuses=" + statuses);
        for (Map.Entry<Member, ReplicaRequests.Status> each : statuses.entrySet()) {
            if (each.getValue().state() == State.LIVE) {
                peers.overtake(each.getKey(), own.term(), own.version());
            }
        }
    }

    /** Returns the oldest of the members whose replicas have a state, the highest term, and the highest version of that. */
    private static @Nullable Member newest(Map<Member, ReplicaRequests.Status> statuses, State state, boolean isAny) {
        Member best = null;
        long term = -1;
        long version = -1;
        for (Map.Entry<Member, ReplicaRequests.Status> each : statuses.entrySet()) {
            ReplicaRequests.Status status = each.getValue();
            if (status.state() == state && (isAny || status.hasHistory()) && !status.isBefore(term, version + 1)) {
                best = each.getKey();
                term = status.term();
                version = status.version();
            }
        }
        return best;
    }

    private void load(Member source) throws ReplicaFailure, IOException, InterruptedException {
        LOG.log(
                Logger.Level.INFO,
                () -> "loads all prices: name=" + options.name() + " from=" + source.getAddress() + ": "
                        + progress.status(0).failure());
        Path folder = Files.createTempDirectory("price-replica");
        Path file = folder.resolve("snapshot");
        try {
            ReplicaPeers.Loaded loaded;
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
                loaded = peers.load(source, out);
            }
            PriceIndex next = opened(file);
            applying.lock();
            try {
                if (progress.state() != State.JOINING) { // another member has had it lead meanwhile
                    return;
                }
                replica.replace(next);
                replica.belongTo(loaded.lineage());
                progress.loaded(loaded.position(), loaded.recent());
            } catch (IOException | RuntimeException e) {
                throw new ReplicaFailure(e);
            } finally {
                applying.unlock();
            }
            settle(loaded.position().epoch());
        } finally {
            Files.deleteIfExists(file);
            Files.deleteIfExists(folder);
        }
    }

    private PriceIndex opened(Path file) throws ReplicaFailure, IOException {
        try {
            return snapshots.open(file);
        } catch (CorruptIndexException e) { // such as one with other fields, which would be loaded again and again
            throw new ReplicaFailure(e);
        }
    }

    /** Lets the replica with the highest version lead an epoch. Returns whether one does. */
    private boolean beginEpoch() throws IOException, InterruptedException {
        IMap<String, Boolean> locks = here.getMap(options.name() + ".locks");
        if (!locks.tryLock("epoch")) {
            return false;
        }
        try {
            ReplicaPeers.Statuses answers = peers.statuses(); // nobody else can begin an epoch now
            answers.requireAll();
            Map<Member, ReplicaRequests.Status> statuses = answers.byMember();
            if (newest(statuses, State.LIVE, true) != null) {
                return false;
            }
            statuses.values().removeIf(each -> each.state() != State.JOINING);
            if (statuses.values().stream()
                            .mapToInt(ReplicaRequests.Status::fields)
                            .distinct()
                            .count()
                    > 1) {
                progress.waitsFor("members have indexes of other fields: statuses=" + statuses);
                return false;
            }
            boolean isNew = awaited(log.readManyAsync(0, 0, 1, null).toCompletableFuture())
                            .size()
                    == 0;
            Set<UUID> clusters = clusters(statuses.values());
            if (clusters.size() > 1 && options.minMembers() > 1) {
                progress.waitsFor("members have prices of several clusters: statuses=" + statuses);
                return false;
            }
            statuses.values().removeIf(each -> !clusters.isEmpty() && !clusters.contains(each.cluster()));
            Member source = newest(statuses, State.JOINING, isNew);
            if (source == null) {
                progress.waitsFor("no member has the prices to which the log belongs; start one that had them");
                return false;
            }
            UUID cluster = clusters.size() == 1 ? clusters.iterator().next() : UUID.randomUUID();
            ReplicaRequests.Status before = Objects.requireNonNull(statuses.get(source));
            long term = peers.promise(cluster, null, before, statuses.values(), ReplicaPeers.ids(here.getCluster()));
            if (term < 0) {
                progress.waitsFor("too few members have promised the next term: statuses=" + statuses);
                return false;
            }
            LogEntry begin = LogEntry.ofEpoch();
            long sequence =
                    awaited(log.addAsync(begin.encode(), OverflowPolicy.FAIL).toCompletableFuture());
            Replica.Lineage lineage = new Replica.Lineage(cluster, term);
            peers.lead(source, new LogPosition(begin.epoch(), sequence, begin.id()), lineage);
            LOG.log(
                    Logger.Level.INFO,
                    () -> "an epoch begins: name=" + options.name() + " prices of=" + source.getAddress() + " status="
                            + statuses.get(source));
            return true;
        } finally {
            unlock(locks);
        }
    }

    /** Returns the clusters of joining replicas; those of as many members as make an epoch alone, if there is one. */
    private Set<UUID> clusters(Collection<ReplicaRequests.Status> statuses) {
        Map<UUID, Integer> members = new HashMap<>();
        for (ReplicaRequests.Status each : statuses) {
            UUID cluster = each.cluster();
            if (each.state() == State.JOINING && cluster != null) {
                members.merge(cluster, 1, Integer::sum);
            }
        }
        if (members.values().stream().anyMatch(count -> count >= options.minMembers())) {
            members.values().removeIf(count -> count < options.minMembers());
        }
        return members.keySet();
    }

    private static void unlock(IMap<String, Boolean> locks) {
        try {
            locks.unlock("epoch");
        } catch (IllegalMonitorStateException e) {
            // the lock was lost with the members that held it; of two epochs that begin, the replicas follow the later
            // one
        }
    }
}
