package dev.touchstone.benchmarks.queue.peer;

import com.bluejeans.bigqueue.BigQueue;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * bigqueue with the smallest pages: records in mapped files of 32 MiB, an index of 32 B a record beside them. Nothing of it is forced.
 *
 * <p>{@code gc} deletes pages that were read, but {@code applyForEach} finds nothing behind it, so files go when the queue is cleared,
 * by {@code removeAll}. From JDK 9 on it cannot unmap what it deletes (it looks for {@code sun.misc.Cleaner}): the collector must, or
 * the disk fills with deleted files. A collection therefore runs behind each clearing, on another thread.
 */
public final class BigQueueAdapter implements QueueUnderTest {

    private static final int PAGE_BYTES = 32 << 20;

    private final BigQueue queue;
    private CompletableFuture<Void> unmapping = CompletableFuture.completedFuture(null);

    private BigQueueAdapter(BigQueue queue) {
        this.queue = queue;
    }

    /** Opens the queue in {@code folder}. */
    public static QueueUnderTest open(Path folder) {
        return new BigQueueAdapter(new BigQueue(folder.toString(), "queue", PAGE_BYTES));
    }

    /** Opens the queue in {@code folder}, with its default pages of 128 MiB. */
    public static QueueUnderTest openDefaultPages(Path folder) {
        return new BigQueueAdapter(new BigQueue(folder.toString(), "queue"));
    }

    @Override
    public void write(byte[] record) {
        queue.enqueue(record);
    }

    @Override
    public byte @Nullable [] read() {
        return queue.dequeue();
    }

    @Override
    public void scan(Consumer<byte[]> sink) {
        queue.applyForEach(sink::accept);
    }

    @Override
    public void clear() {
        unmapping.join();
        queue.removeAll();
        unmapping = CompletableFuture.runAsync(System::gc);
    }

    @Override
    public long forces() {
        return 0;
    }

    /** Closes the queue and waits for its pages to be unmapped: their blocks are not the next iteration's to pay for. */
    @Override
    public void close() throws IOException {
        unmapping.join();
        queue.close();
        System.gc();
    }
}
