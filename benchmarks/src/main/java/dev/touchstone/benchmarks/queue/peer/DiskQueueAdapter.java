package dev.touchstone.benchmarks.queue.peer;

import dev.touchstone.queue.DiskQueue;
import dev.touchstone.queue.DiskQueueBuilder;
import dev.touchstone.queue.Lease;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Our {@link DiskQueue} with its builder's defaults. Clearing keeps up to two consumed segments as spares and deletes the others. As a
 * table of jobs, a synced append brings the acknowledgements before it to the device, so they cost no force of their own.
 */
public final class DiskQueueAdapter implements AsyncWrites, BulkWrites, JobTable, RollingFiles {

    private final DiskQueue<byte[]> queue;

    private DiskQueueAdapter(DiskQueue<byte[]> queue) {
        this.queue = queue;
    }

    /** Opens a queue that hands each record to the page cache. */
    public static DiskQueueAdapter written(Path folder) {
        return open(DiskQueue.written(), folder);
    }

    /** Opens a queue that batches in memory. */
    public static DiskQueueAdapter batched(Path folder) {
        return open(DiskQueue.batched(), folder);
    }

    /** Opens a durable queue. */
    public static DiskQueueAdapter synced(Path folder) {
        return open(DiskQueue.synced(), folder);
    }

    /** Opens a durable queue with files of another size. */
    public static DiskQueueAdapter synced(Path folder, int fileBytes) {
        return open(DiskQueue.synced().segmentBytes(fileBytes), folder);
    }

    private static DiskQueueAdapter open(DiskQueueBuilder<byte[]> builder, Path folder) {
        return new DiskQueueAdapter(builder.folder(folder).open());
    }

    @Override
    public void write(byte[] record) {
        demand(queue.offer(record));
    }

    @Override
    public void writeAsync(byte[] record, End end) {
        queue.offerAsync(record).whenComplete((stored, failure) -> {
            if (failure != null) {
                end.end(failure);
            } else {
                end.end(Boolean.TRUE.equals(stored) ? null : new IllegalStateException("offer refused"));
            }
        });
    }

    @Override
    public void writeAll(List<byte[]> records) {
        demand(queue.offerAll(records));
    }

    @Override
    public byte @Nullable [] read() {
        return queue.poll();
    }

    @Override
    public @Nullable Job lease() {
        Lease<byte[]> lease = queue.lease();
        return lease == null ? null : new LeasedJob(lease);
    }

    @Override
    public void finish(Job done) {
        if (!((LeasedJob) done).lease.ack()) {
            throw new IllegalStateException("the lease of the job has ended, stats=" + queue.stats());
        }
    }

    @Override
    public @Nullable Job exchange(Job done, byte[] added) {
        finish(done);
        write(added);
        return lease();
    }

    @Override
    public void scan(Consumer<byte[]> sink) {
        for (byte[] record : queue) {
            sink.accept(record);
        }
    }

    @Override
    public void clear() {
        queue.clear();
    }

    @Override
    public long forces() {
        return queue.stats().forces();
    }

    @Override
    public long currentFile() {
        return queue.stats().segments();
    }

    @Override
    public void close() {
        queue.close();
    }

    private record LeasedJob(Lease<byte[]> lease) implements Job {
        @Override
        public byte[] payload() {
            return lease.element();
        }
    }

    private void demand(boolean stored) {
        if (!stored) {
            throw new IllegalStateException("offer refused, stats=" + queue.stats());
        }
    }
}
