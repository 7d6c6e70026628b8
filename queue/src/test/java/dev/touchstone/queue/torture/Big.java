package dev.touchstone.queue.torture;

import dev.touchstone.queue.DiskQueue;
import dev.touchstone.queue.Durability;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A queue that is much larger than the heap, with everything as it is unless told otherwise.
 *
 * <p>Arguments: folder, seed, and what to do. {@code write <mib>} offers so much and halts without closing; {@code open} times the
 * opening, then closes; {@code drain <elements>} times opening, iterates over everything, polls everything. Exit codes: 0 fine, 1 a
 * promise was broken.
 */
final class Big {
    private static final int MIN_BYTES = 1024;
    private static final int MAX_BYTES = 8192;

    private final long seed;
    private final PrintStream out = System.out;

    private Big(long seed) {
        this.seed = seed;
    }

    public static void main(String[] args) {
        Big big = new Big(Long.parseLong(args[1]));
        long start = System.nanoTime();
        DiskQueue<byte[]> queue =
                Settings.plain(Durability.BATCHED, Path.of(args[0])).open();
        long openNanos = System.nanoTime() - start;
        switch (args[2]) {
            case "write" -> big.write(queue, Long.parseLong(args[3]) << 20);
            case "open" -> {
                big.out.println("opened openMicros=" + openNanos / 1000 + " size=" + queue.longSize() + " heapMax="
                        + Runtime.getRuntime().maxMemory());
                queue.close();
            }
            default -> big.drain(queue, Long.parseLong(args[3]), openNanos);
        }
    }

    private void write(DiskQueue<byte[]> queue, long bytes) {
        long start = System.nanoTime();
        long count = 0;
        for (long sum = 0; sum < bytes; count++) {
            byte[] payload = element(count);
            queue.offer(payload);
            sum += payload.length;
        }
        queue.flush();
        out.printf(Locale.ROOT, "wrote elements=%d seconds=%.1f%n", count, (System.nanoTime() - start) / 1e9);
        out.flush();
        Runtime.getRuntime().halt(0); // as if killed
    }

    private void drain(DiskQueue<byte[]> queue, long elements, long openNanos) {
        out.println("opened openMicros=" + openNanos / 1000 + " size=" + queue.longSize() + " segments="
                + queue.stats().segments());
        boolean ok = queue.longSize() == elements;
        Iterator<byte[]> iterator = queue.iterator();
        ok &= readAll("iterated", elements, () -> iterator.hasNext() ? iterator.next() : null);
        ok &= queue.longSize() == elements;
        ok &= readAll("polled", elements, queue::poll);
        ok &= queue.isEmpty();
        queue.close();
        if (!ok) {
            out.println("VIOLATION expected=" + elements + " left=" + queue.longSize());
        }
        System.exit(ok ? 0 : 1);
    }

    private boolean readAll(String what, long elements, Supplier<byte @Nullable []> next) {
        long start = System.nanoTime();
        long count = 0;
        long bytes = 0;
        long wrong = 0;
        for (byte[] payload = next.get(); payload != null; payload = next.get()) {
            wrong += isElement(payload, count) ? 0 : 1;
            bytes += payload.length;
            count++;
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        out.printf(
                Locale.ROOT,
                "%s elements=%d wrong=%d seconds=%.1f mibPerSecond=%.0f%n",
                what,
                count,
                wrong,
                seconds,
                bytes / seconds / (1 << 20));
        return count == elements && wrong == 0;
    }

    private byte[] element(long index) {
        long random = Element.mix(seed, 0, 0, index);
        byte[] payload = new byte[MIN_BYTES + (int) Math.floorMod(random, (long) MAX_BYTES - MIN_BYTES)];
        ByteBuffer fields = ByteBuffer.wrap(payload).order(ByteOrder.LITTLE_ENDIAN);
        Element.fill(fields.putLong(index), random);
        return payload;
    }

    private boolean isElement(byte[] payload, long index) {
        return Arrays.equals(payload, element(index));
    }
}
