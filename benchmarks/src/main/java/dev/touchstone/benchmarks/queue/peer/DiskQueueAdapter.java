package dev.touchstone.benchmarks.queue.peer;

import dev.touchstone.queue.DiskQueue;
import dev.touchstone.queue.DiskQueueBuilder;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Our {@link DiskQueue} with its builder's defaults. Clearing keeps up to two consumed segments as spares and deletes the others. */
public final class DiskQueueAdapter implements QueueUnderTest {

    private final DiskQueue<byte[]> queue;

    private DiskQueueAdapter(DiskQueue<byte[]> queue) {
        this.queue = queue;
    }

    /** Opens the queue of {@code builder}'s durability in {@code folder}. */
    public static QueueUnderTest open(DiskQueueBuilder<byte[]> builder, Path folder) {
        return new DiskQueueAdapter(builder.folder(folder).open());
    }

    @Override
    public void write(byte[] record) {
        if (!queue.offer(record)) {
            throw new IllegalStateException("offer refused, stats=" + queue.stats());
        }
    }

    @Override
    public byte @Nullable [] read() {
        return queue.poll();
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
    public void close() {
        queue.close();
    }
}
