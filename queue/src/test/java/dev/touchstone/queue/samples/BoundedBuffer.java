package dev.touchstone.queue.samples;

import dev.touchstone.queue.Codec;
import dev.touchstone.queue.DiskQueue;
import dev.touchstone.queue.WhenFull;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;

/** A producer that waits for its consumer, through the JDK's own interface. */
final class BoundedBuffer {
    private BoundedBuffer() {}

    /** Returns the sum of the numbers that came through a buffer of ten. */
    static int run(Path folder) throws InterruptedException {
        try (DiskQueue<String> queue = DiskQueue.batched()
                .folder(folder)
                .codec(Codec.utf8())
                .maxElements(10)
                .whenFull(WhenFull.BLOCK)
                .open()) {
            BlockingQueue<String> buffer = queue.blocking();
            CompletableFuture<Void> producer = CompletableFuture.runAsync(() -> {
                for (int i = 1; i <= 100; i++) {
                    queue.add(Integer.toString(i));
                }
            });
            int sum = 0;
            for (int i = 1; i <= 100; i++) {
                sum += Integer.parseInt(buffer.take());
            }
            producer.join();
            return sum;
        }
    }
}
