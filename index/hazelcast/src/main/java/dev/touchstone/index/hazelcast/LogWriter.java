package dev.touchstone.index.hazelcast;

import com.hazelcast.cluster.Cluster;
import com.hazelcast.ringbuffer.OverflowPolicy;
import com.hazelcast.ringbuffer.Ringbuffer;
import com.hazelcast.splitbrainprotection.SplitBrainProtectionException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The thread that writes one member's entries to the log of the cluster.
 *
 * <p><b>Who calls.</b> Any thread adds entries; {@link #run} by one thread, until the progress has ended.
 *
 * <p><b>Ordering.</b> One request is on its way at a time, with all entries that have come meanwhile: Hazelcast may carry out two in another order than
 * they were made in. So entries are written in the order in which they were added.
 *
 * <p><b>Failure.</b> A request whose outcome is unknown is made again, as long as the oldest of its updates has time: replicas pass over an entry that is
 * there twice.
 */
final class LogWriter implements Runnable {
    /** Time after which a request counts as lost with the member that should answer it, and is made again. */
    static final long TRY_MILLIS = 2000;

    private static final int MAX_GROUP = 64;
    private static final long MAX_GROUP_BYTES = 4 << 20;
    private static final long POLL_MILLIS = 100;

    private final Ringbuffer<byte[]> log;
    private final LogContents contents;
    private final Cluster cluster;
    private final ReplicaOptions options;
    private final ReplicaProgress progress;
    private final PendingUpdates pending;
    private final BlockingQueue<Waiting> queue = new LinkedBlockingQueue<>();

    /** An entry, its bytes in the log, and the time at which its update ends. */
    private record Waiting(LogEntry entry, ByteBuffer bytes, long deadlineNanos) {
        boolean isLarge() {
            return entry.content().remaining() > LogContents.MAX_INLINE_BYTES;
        }
    }

    LogWriter(
            Ringbuffer<byte[]> log,
            LogContents contents,
            Cluster cluster,
            ReplicaOptions options,
            ReplicaProgress progress,
            PendingUpdates pending) {
        this.log = log;
        this.contents = contents;
        this.cluster = cluster;
        this.options = options;
        this.progress = progress;
        this.pending = pending;
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
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // nobody else has this thread
        }
    }

    private List<Waiting> group(Waiting first) {
        List<Waiting> group = new ArrayList<>(List.of(first));
        long bytes = first.bytes().capacity();
        int max = Math.min(MAX_GROUP, options.logEntries());
        while (group.size() < max && bytes < MAX_GROUP_BYTES) {
            Waiting next = queue.poll();
            if (next == null) {
                break;
            }
            group.add(next);
            bytes += next.bytes().capacity();
        }
        return group;
    }

    private void write(List<Waiting> group) throws InterruptedException {
        List<byte[]> bytes = group.stream().map(each -> each.bytes().array()).toList();
        while (!progress.isEnded() && group.get(0).deadlineNanos() - System.nanoTime() > 0) {
            try {
                for (Waiting each : group) {
                    if (each.isLarge()) {
                        await(contents.put(each.entry().id(), each.entry().content()));
                    }
                }
                await(log.addAllAsync(bytes, OverflowPolicy.FAIL).toCompletableFuture());
                if (cluster.getMembers().size() >= options.minMembers()) {
                    group.forEach(each -> pending.written(each.entry().id()));
                    return;
                }
                again(group); // members were lost, and the backup with them before the log was protected
            } catch (ExecutionException e) {
                if (e.getCause() instanceof SplitBrainProtectionException) {
                    refuse(group, e.getCause());
                    return;
                }
                again(group);
            } catch (TimeoutException
                    | RuntimeException e) { // the second is thrown by a member that is not running, say
                again(group);
            }
        }
    }

    private static void await(Future<?> request) throws ExecutionException, TimeoutException, InterruptedException {
        Object unused = request.get(TRY_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void again(List<Waiting> group) throws InterruptedException {
        group.forEach(each -> pending.unsure(each.entry().id()));
        progress.pause(POLL_MILLIS);
    }

    private void refuse(List<Waiting> group, Throwable reason) {
        group.forEach(each -> pending.refused(
                each.entry().id(), "too few members to write: expected=" + options.minMembers(), reason));
    }
}
