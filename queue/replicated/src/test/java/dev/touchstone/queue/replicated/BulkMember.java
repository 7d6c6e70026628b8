package dev.touchstone.queue.replicated;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.touchstone.queue.DiskQueue;
import dev.touchstone.queue.OutcomeUnknownException;
import dev.touchstone.queue.QueueException;
import dev.touchstone.queue.QueueRefusedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * A process that is a member and offers elements of some sizes by several threads, until it is killed. Each second it says in a line how many were accepted,
 * refused and of unknown outcome by now, the longest offer of this second and the 99th percentile of all offers of small elements, in milliseconds, and the
 * last failure.
 */
final class BulkMember {
    private static final int SMALL_BYTES = 64 << 10;

    private final DiskQueue<byte[]> queue;
    private final LongAdder accepted = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder unknown = new LongAdder();
    private final AtomicLong longestMillis = new AtomicLong();
    private final AtomicLongArray smallMillis = new AtomicLongArray(60_000); // offers of small elements, by their time
    private volatile String failure = "none";

    private BulkMember(DiskQueue<byte[]> queue) {
        this.queue = queue;
    }

    /** Arguments: folder, number of this member, addresses of all; then pairs of a number of threads and the bytes of their elements. */
    public static void main(String[] args) throws IOException, InterruptedException {
        String[] members = args[2].split(",", -1);
        int number = Integer.parseInt(args[1]);
        try (DiskQueue<byte[]> queue = DiskQueue.replicated()
                .member(members[number])
                .members(members)
                .folder(Path.of(args[0]).resolve("member-" + number))
                .open()) {
            BulkMember member = new BulkMember(queue);
            say("running");
            for (int i = 3; i < args.length; i += 2) {
                byte[] element = new byte[Integer.parseInt(args[i + 1])];
                for (int thread = Integer.parseInt(args[i]); thread > 0; thread--) {
                    Thread offering = new Thread(() -> member.offer(element));
                    offering.setDaemon(true);
                    offering.start();
                }
            }
            while (true) {
                TimeUnit.SECONDS.sleep(1); // the period of the lines
                say(member.line());
            }
        }
    }

    private static void say(String line) throws IOException {
        System.out.write((line + "\n").getBytes(UTF_8));
        System.out.flush();
    }

    private String line() {
        return "accepted=" + accepted.sum() + " refused=" + refused.sum() + " unknown=" + unknown.sum() + " longest="
                + longestMillis.getAndSet(0) + " p99=" + p99() + " last failure: " + failure;
    }

    private int p99() {
        long all = 0;
        for (int i = 0; i < smallMillis.length(); i++) {
            all += smallMillis.get(i);
        }
        long rest = all / 100;
        int millis = smallMillis.length() - 1;
        for (; millis > 0 && rest >= smallMillis.get(millis); millis--) {
            rest -= smallMillis.get(millis);
        }
        return millis;
    }

    private void offer(byte[] element) {
        while (true) {
            long start = System.nanoTime();
            try {
                queue.add(element);
                accepted.increment();
            } catch (QueueRefusedException e) {
                refused.increment();
                failure = e.toString();
            } catch (OutcomeUnknownException e) {
                unknown.increment();
                failure = e.toString();
            } catch (QueueException e) {
                e.printStackTrace();
                Runtime.getRuntime().halt(7);
            }
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
            longestMillis.accumulateAndGet(millis, Math::max);
            if (element.length <= SMALL_BYTES) {
                smallMillis.incrementAndGet((int) Math.min(millis, smallMillis.length() - 1));
            }
        }
    }
}
