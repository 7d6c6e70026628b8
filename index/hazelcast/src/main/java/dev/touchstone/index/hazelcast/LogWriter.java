package dev.touchstone.index.hazelcast;

import com.hazelcast.cluster.Cluster;
import com.hazelcast.cluster.Member;
import com.hazelcast.ringbuffer.OverflowPolicy;
import com.hazelcast.ringbuffer.Ringbuffer;
import com.hazelcast.splitbrainprotection.SplitBrainProtectionException;
import java.io.IOException;
import java.lang.System.Logger;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The thread that writes one member's entries to the log of the cluster.
 *
 * <p><b>Who calls.</b> Any thread adds entries; {@link #run} by one thread, until the progress has ended.
 *
 * <p><b>Ordering.</b> One request is on its way at a time, with all entries that have come meanwhile: Hazelcast may carry out two in another order than
 * they were made in. So entries are written in the order in which they were added.
 *
 * <p><b>Failure.</b> A request whose outcome is unknown is made again, as long as the oldest of its updates has time: replicas pass over an entry that is
 * there twice. With {@link ReplicaOptions#minMembers} of several, an update is acknowledged only once so many replicas have applied it in the same term.
 * If members have left, a new term begins in the log before anything is written, which so many replicas have promised: what a member that was cut off has made of
 * its own entries meanwhile is of an earlier term, whatever its version.
 */
final class LogWriter implements Runnable {
    private static final Logger LOG = System.getLogger(LogWriter.class.getName());

    /** Time after which a request counts as lost with the member that should answer it, and is made again. */
    static final long TRY_MILLIS = 2000;

    private static final long TRY_NANOS = TimeUnit.MILLISECONDS.toNanos(TRY_MILLIS) / 2;
    private static final int MAX_GROUP = 64;
    private static final long MAX_GROUP_BYTES = 4 << 20;
    private static final long POLL_MILLIS = 100;
    private static final long RETRY_MILLIS = 20; // after an answer of replicas that are not there yet
    private static final long MAX_KEPT_BYTES =
            Runtime.getRuntime().maxMemory() / 20; // each member has backups of others', too

    private final Ringbuffer<byte[]> log;
    private final LogContents contents;
    private final Cluster cluster;
    private final ReplicaOptions options;
    private final ReplicaProgress progress;
    private final PendingUpdates pending;
    private final ReplicaPeers peers;
    private final Replica replica;
    private final BlockingQueue<Waiting> queue = new LinkedBlockingQueue<>();
    private final Deque<Kept> kept = new ArrayDeque<>(); // contents in the cluster, the oldest first
    private long keptBytes;
    private Set<UUID> members = Set.of(); // of the cluster, as this thread saw them last in a term
    private @Nullable Term term; // that has been promised, and is not known to have begun
    private long termNanos; // time at which its entry was written last
    private long promise = -1; // of this replica to any member, as this thread saw it last
    private long promiseNanos; // time at which that was seen first
    private long applied = -1; // sequence that all live replicas were seen to have passed

    /** An entry, its bytes in the log, and the time at which its update ends. */
    private record Waiting(LogEntry entry, ByteBuffer bytes, long deadlineNanos) {
        boolean isLarge() {
            return entry.content().remaining() > LogContents.MAX_INLINE_BYTES;
        }

        long contentBytes() {
            return isLarge() ? entry.content().remaining() : 0;
        }
    }

    /** A content that stands beside the log, for the entry with a sequence. */
    private record Kept(LogEntry entry, long sequence) {}

    /** A term that enough replicas have promised: its entry, and the members that there were. */
    private record Term(LogEntry entry, long number, Set<UUID> members) {}

    LogWriter(
            Ringbuffer<byte[]> log,
            LogContents contents,
            Cluster cluster,
            ReplicaOptions options,
            ReplicaProgress progress,
            PendingUpdates pending,
            ReplicaPeers peers,
            Replica replica) {
        this.log = log;
        this.contents = contents;
        this.cluster = cluster;
        this.options = options;
        this.progress = progress;
        this.pending = pending;
        this.peers = peers;
        this.replica = replica;
    }

    /** Writes a batch behind those that were added before. */
    void add(LogEntry batch) {
        boolean isLarge = batch.content().remaining() > LogContents.MAX_INLINE_BYTES;
        LogEntry written = isLarge
                ? new LogEntry(LogEntry.Kind.LARGE_BATCH, batch.epoch(), batch.id(), ByteBuffer.allocate(0))
                : batch;
        boolean unused = queue.add(new Waiting(
                batch,
                ByteBuffer.wrap(written.encode()),
                System.nanoTime() + options.timeout().toNanos()));
    }

    @Override
    public void run() {
        try {
            while (!progress.isEnded()) {
                Waiting first = queue.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
                if (first != null) {
                    write(group(first));
                } else {
                    boolean unused = isTermBegun(); // tried again at the next poll
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // nobody else has this thread
        } catch (RuntimeException | Error e) { // a defect, or no memory, must not end the thread in silence
            progress.fail(e.toString());
            throw e;
        }
    }

    /** Begins a term if one is due. Returns whether this replica is live and none is due any more: a term has begun when this replica has applied its entry. */
    private boolean isTermBegun() throws InterruptedException {
        LogPosition here = progress.livePosition();
        Replica.Lineage lineage = replica.lineage();
        if (here == null || lineage == null || options.minMembers() == 1) {
            return options.minMembers() == 1;
        }
        Set<UUID> now = ReplicaPeers.ids(cluster);
        if (term != null && lineage.term() >= term.number()) {
            members = term.members();
            term = null;
        }
        boolean areAllThere = now.containsAll(members);
        if (areAllThere && replica.promised() <= lineage.term()) {
            members = now;
            term = null;
            return true;
        }
        try {
            if (term == null
                    || term.number() < replica.promised()
                    || !term.entry().epoch().equals(here.epoch())) {
                term = areAllThere && !isPromiseStale() ? null : promised(here, lineage, now);
                termNanos = System.nanoTime() - TRY_NANOS;
            }
            if (term != null && System.nanoTime() - termNanos >= TRY_NANOS) { // not written, or not seen for long
                long unused = await(
                        log.addAsync(term.entry().encode(), OverflowPolicy.FAIL).toCompletableFuture());
                termNanos = System.nanoTime();
            }
        } catch (ExecutionException | TimeoutException | IOException | RuntimeException e) {
            LOG.log(Logger.Level.DEBUG, "begins a term later: name=" + options.name(), e);
        }
        return false;
    }

    /** Returns the next term if enough replicas promise it, else null. */
    private @Nullable Term promised(LogPosition here, Replica.Lineage lineage, Set<UUID> now)
            throws IOException, InterruptedException {
        Map<Member, ReplicaRequests.Status> statuses = peers.statuses().byMember();
        ReplicaRequests.Status own = statuses.get(cluster.getLocalMember());
        long number = own == null ? -1 : peers.promise(lineage.cluster(), here.epoch(), own, statuses.values(), now);
        return own == null || number < 0
                ? null
                : new Term(LogEntry.ofTerm(here.epoch(), number, own.version()), number, now);
    }

    /** Returns whether this replica has promised a term that does not begin, such as one of a member that was lost. It confirms nothing meanwhile. */
    private boolean isPromiseStale() {
        if (replica.promised() != promise) {
            promise = replica.promised();
            promiseNanos = System.nanoTime();
        }
        return System.nanoTime() - promiseNanos > TRY_NANOS;
    }

    private List<Waiting> group(Waiting first) {
        List<Waiting> group = new ArrayList<>(List.of(first));
        long bytes = first.bytes().capacity() + first.contentBytes();
        int max = Math.min(MAX_GROUP, options.logEntries());
        while (group.size() < max && bytes < MAX_GROUP_BYTES) {
            Waiting next = queue.peek();
            if (next == null || !next.entry().epoch().equals(first.entry().epoch())) {
                break;
            }
            group.add(queue.remove());
            bytes += next.bytes().capacity() + next.contentBytes();
        }
        return group;
    }

    private void write(List<Waiting> group) throws InterruptedException {
        while (!progress.isEnded() && group.get(0).deadlineNanos() - System.nanoTime() > 0) {
            LogPosition here = progress.livePosition();
            boolean isOver =
                    here != null && !here.epoch().equals(group.get(0).entry().epoch());
            if (!isOver && !isTermBegun()) {
                if (cluster.getMembers().size() < options.minMembers()) {
                    refuse(group, LogFollower.tooFew(cluster.getMembers().size(), options), null);
                    return;
                }
                progress.pause(RETRY_MILLIS);
                continue;
            }
            try {
                if (!hasRoom(group)) {
                    if (group.get(0).deadlineNanos() - System.nanoTime()
                            < options.timeout().toNanos() / 2) {
                        refuse(group, "no room for large batches: a live replica has not applied those before", null);
                        return;
                    }
                    progress.pause(POLL_MILLIS);
                    continue;
                }
                LogEntry last = group.get(group.size() - 1).entry();
                if (!progress.isRecent(last.id())) { // else it is in the log, as its own replica has applied it
                    append(group);
                }
                if (isOver) {
                    return; // the replica passes over the entries, and ends their updates
                }
                if (isConfirmed(last)) {
                    group.forEach(each -> pending.written(each.entry().id()));
                    return;
                }
                again(group, RETRY_MILLIS);
            } catch (ExecutionException e) {
                if (e.getCause() instanceof SplitBrainProtectionException) {
                    refuse(group, "too few members to write: expected=" + options.minMembers(), e.getCause());
                    return;
                }
                again(group, POLL_MILLIS);
            } catch (IOException
                    | TimeoutException
                    | RuntimeException e) { // the last is thrown by a member that is not running, say
                again(group, POLL_MILLIS);
            }
        }
    }

    private void append(List<Waiting> group) throws ExecutionException, TimeoutException, InterruptedException {
        for (Waiting each : group) {
            if (each.isLarge()) {
                Object unused =
                        await(contents.put(each.entry().id(), each.entry().content()));
            }
        }
        List<byte[]> bytes = group.stream().map(each -> each.bytes().array()).toList();
        keep(group, await(log.addAllAsync(bytes, OverflowPolicy.FAIL).toCompletableFuture()));
    }

    /** Returns whether enough replicas have applied an entry, and all before it, in the term of this one. */
    private boolean isConfirmed(LogEntry last) throws IOException, InterruptedException {
        Replica.Lineage lineage = replica.lineage();
        return options.minMembers() == 1
                || (lineage != null
                        && peers.confirm(
                                new ReplicaRequests.Applied(lineage, last.epoch(), last.id(), members.hashCode())));
    }

    private static <T> T await(Future<T> request) throws ExecutionException, TimeoutException, InterruptedException {
        return request.get(TRY_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Removes contents that all live replicas have applied, until those of a group fit; a group whose contents are alone fits always. */
    private boolean hasRoom(List<Waiting> group) throws InterruptedException {
        long bytes = group.stream().mapToLong(Waiting::contentBytes).sum();
        LogPosition here = progress.livePosition();
        while (bytes > 0 && !kept.isEmpty() && keptBytes + bytes > MAX_KEPT_BYTES) {
            Kept first = kept.getFirst();
            boolean isOver = here == null || !here.epoch().equals(first.entry().epoch());
            if (!isOver && first.sequence() > applied) {
                long seen = peers.applied();
                if (seen < first.sequence()) {
                    return false;
                }
                applied = seen;
            }
            contents.remove(first.entry().id());
            kept.removeFirst();
            keptBytes -= first.entry().content().remaining();
        }
        return true;
    }

    private void keep(List<Waiting> group, long last) {
        for (int i = 0; i < group.size(); i++) {
            Waiting each = group.get(i);
            if (each.isLarge()) {
                kept.addLast(new Kept(each.entry(), last - (group.size() - 1 - i)));
                keptBytes += each.contentBytes();
            }
        }
    }

    private void again(List<Waiting> group, long millis) throws InterruptedException {
        group.forEach(each -> pending.unsure(each.entry().id()));
        progress.pause(millis);
    }

    private void refuse(List<Waiting> group, String reason, @Nullable Throwable cause) {
        group.forEach(each -> pending.refused(each.entry().id(), reason, cause));
    }
}
