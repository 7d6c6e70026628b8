package dev.touchstone.queue.samples;

import dev.touchstone.queue.DiskQueue;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;

/** Elements that were consumed stay readable for a while, without a copy of their bytes. */
final class Replay {
    private Replay() {}

    /** Returns the sum of all numbers that were ever appended, though all of them are consumed. */
    static long run(Path folder) {
        try (DiskQueue<byte[]> queue = DiskQueue.written()
                .folder(folder)
                .segmentBytes(64 << 10)
                .retain(1 << 30, Duration.ofDays(7))
                .open()) {
            for (int i = 1; i <= 10_000; i++) {
                queue.add(ByteBuffer.allocate(Integer.BYTES).putInt(0, i).array());
                queue.poll();
            }
            long[] sum = new long[1];
            queue.visit(1, (sequence, payload) -> {
                sum[0] += payload.getInt(payload.position());
                return true;
            });
            return sum[0];
        }
    }
}
