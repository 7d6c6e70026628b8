package dev.touchstone.queue.samples;

import dev.touchstone.queue.DiskQueue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** One thread, many records under way: each answer comes when its record is on the device, and many share one force. */
final class AsyncIngest {
    private AsyncIngest() {}

    /** Returns how many records one force took, on average. */
    static double run(Path folder) {
        try (DiskQueue<byte[]> queue = DiskQueue.synced().folder(folder).open()) {
            List<CompletableFuture<Boolean>> answers = new ArrayList<>();
            for (int i = 0; i < 10_000; i++) {
                answers.add(queue.offerAsync(new byte[100]).toCompletableFuture());
            }
            CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)).join();
            return (double) queue.stats().appended() / queue.stats().forces();
        }
    }
}
