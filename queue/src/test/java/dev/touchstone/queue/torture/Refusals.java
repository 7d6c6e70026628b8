package dev.touchstone.queue.torture;

import dev.touchstone.queue.DiskQueue;
import dev.touchstone.queue.DiskQueueBuilder;
import dev.touchstone.queue.QueueException;
import dev.touchstone.queue.QueueLockedException;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What the system refuses beside space.
 *
 * <p>Arguments: durability, folder, and {@code hold} (opens the queue and keeps it until killed, at most a minute), {@code locked <pid>}
 * (the queue is another process's), {@code open} (nothing is in the way), {@code read-only} (the folder cannot be written to) or
 * {@code descriptors} (none is left, then there are some again). Exit codes: 0 as promised, 1 not.
 */
final class Refusals {
    private static final Duration LOCK_TIMEOUT = Duration.ofMillis(300);
    private static final long SLACK_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final int ELEMENT_BYTES = 1000;

    private final String what;
    private final Path folder;
    private final DiskQueueBuilder<byte[]> builder;
    private final PrintStream out = System.out;

    private Refusals(String[] args) {
        this.folder = Path.of(args[1]);
        this.what = args[0] + " " + args[2];
        this.builder = Settings.small(Settings.durability(args[0]), folder)
                .segmentBytes(64 << 10)
                .lockTimeout(LOCK_TIMEOUT);
    }

    public static void main(String[] args) throws IOException {
        Refusals refusals = new Refusals(args);
        boolean ok = switch (args[2]) {
            case "hold" -> refusals.hold();
            case "locked" -> refusals.locked("pid=" + args[3]);
            case "read-only" -> refusals.readOnly();
            case "descriptors" -> refusals.descriptors();
            default -> refusals.open();
        };
        System.exit(ok ? 0 : 1);
    }

    private boolean hold() {
        DiskQueue<byte[]> queue = builder.open();
        queue.offer(new byte[ELEMENT_BYTES]);
        out.println("ready pid=" + ProcessHandle.current().pid());
        out.flush();
        LockSupport.parkNanos(TimeUnit.MINUTES.toNanos(1));
        queue.close();
        return true;
    }

    private boolean locked(String owner) {
        long start = System.nanoTime();
        try (DiskQueue<byte[]> unexpected = builder.open()) {
            return say(false, "opened " + unexpected);
        } catch (QueueLockedException refused) {
            long nanos = System.nanoTime() - start;
            boolean inTime = nanos >= LOCK_TIMEOUT.toNanos() && nanos < LOCK_TIMEOUT.toNanos() + SLACK_NANOS;
            return say(
                    inTime
                            && refused.getMessage() != null
                            && refused.getMessage().endsWith(owner),
                    "after " + nanos / 1_000_000 + " ms, expected " + owner + ": " + refused);
        }
    }

    private boolean open() {
        long start = System.nanoTime();
        try (DiskQueue<byte[]> queue = builder.open()) {
            long nanos = System.nanoTime() - start;
            return say(queue.size() == 1, "after " + nanos / 1_000_000 + " ms, size=" + queue.size());
        }
    }

    private boolean readOnly() {
        try (DiskQueue<byte[]> unexpected = builder.open()) {
            return say(false, "opened " + unexpected);
        } catch (QueueException refused) {
            return say(FullDisk.isRefusal(refused), refused.toString());
        }
    }

    /** Every class that is needed must have been loaded before the last descriptor is gone: the class path is one open jar. */
    private boolean descriptors() throws IOException {
        DiskQueue<byte[]> queue = builder.open();
        queue.offer(new byte[ELEMENT_BYTES]);
        List<Closeable> taken = new ArrayList<>();
        long accepted = 1;
        String refusal = "";
        boolean typed = true;
        try {
            takeAll(taken);
            for (; accepted < 1000; accepted++) { // far more than the segment has room for
                queue.offer(new byte[ELEMENT_BYTES]);
            }
        } catch (RuntimeException refused) {
            typed = FullDisk.isRefusal(refused);
            refusal = refused.toString();
        }
        typed &= secondOpenIsRefused();
        for (Closeable one : taken) {
            one.close();
        }
        String after = "same-queue";
        try {
            queue.offer(new byte[ELEMENT_BYTES]);
            queue.close();
        } catch (QueueException failed) {
            after = "reopened";
            closeFailed(queue);
        }
        try (DiskQueue<byte[]> again = builder.open()) {
            boolean all = again.size() >= accepted || what.startsWith("batched");
            return say(
                    typed && all,
                    "accepted=" + accepted + " found=" + again.size() + " after=" + after + " " + refusal);
        }
    }

    private boolean secondOpenIsRefused() {
        try (DiskQueue<byte[]> unexpected =
                builder.folder(folder.resolveSibling("other")).open()) {
            return say(false, "opened without a descriptor: " + unexpected);
        } catch (QueueException refused) {
            out.println("  open said: " + refused);
            return FullDisk.isRefusal(refused);
        }
    }

    private static void takeAll(List<Closeable> taken) {
        Path any = Path.of("/dev/null");
        try {
            for (; ; ) {
                taken.add(FileChannel.open(any));
            }
        } catch (IOException none) {
            return;
        }
    }

    private void closeFailed(DiskQueue<byte[]> queue) {
        try {
            queue.close();
        } catch (QueueException again) {
            out.println("  close said: " + again);
        }
    }

    private boolean say(boolean ok, String details) {
        out.println((ok ? "refusal " : "VIOLATION ") + what + " ok=" + ok + ": " + details);
        return ok;
    }
}
