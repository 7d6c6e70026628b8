package dev.touchstone.queue.torture;

import dev.touchstone.queue.DiskQueue;
import dev.touchstone.queue.DiskQueueBuilder;
import dev.touchstone.queue.Durability;
import dev.touchstone.queue.QueueException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A queue whose disk is full: refused with a typed exception, nothing accepted lost, and at work again once there is room.
 *
 * <p>Arguments: folder, a file whose removal makes room, durability, writers, seed. Prints {@code after=same-queue} where offers worked
 * again on the open queue and {@code after=reopened} where only a new open helped. Exit codes: 0 fine, 1 a promise was broken.
 */
final class FullDisk {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final int GENERATION = 1;
    private static final int MORE = 20;
    private static final int MAX_POLLED_WHILE_FULL = 100;
    private static final Pattern CAUSE = Pattern.compile("No space left|no room");

    private final Path folder;
    private final Path filler;
    private final Settings settings;
    private final Ledger ledger;
    private final PrintStream out = System.out;
    private final AtomicReferenceArray<@Nullable Throwable> refusals = new AtomicReferenceArray<>(Ledger.PRODUCERS);
    private final long[] last = new long[Ledger.PRODUCERS];
    private boolean ok = true;

    private FullDisk(Path folder, Path filler, Settings settings, Ledger ledger) {
        this.folder = folder;
        this.filler = filler;
        this.settings = settings;
        this.ledger = ledger;
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        Path folder = Path.of(args[0]);
        Settings settings = Settings.of(args[2], args[3], args[4]);
        Path ledgerFile = Files.createTempFile("queue-torture", ".ledger");
        Ledger ledger = Ledger.create(ledgerFile, settings, GENERATION);
        Files.delete(ledgerFile);
        FullDisk disk = new FullDisk(folder, Path.of(args[1]), settings, ledger);
        disk.run();
        System.exit(disk.ok ? 0 : 1);
    }

    private DiskQueueBuilder<byte[]> builder() {
        return Settings.small(settings.durability(), folder);
    }

    private void run() throws IOException, InterruptedException {
        DiskQueue<byte[]> queue = builder().open();
        offerUntilRefused(queue);
        long accepted = accepted();
        String refusal = checkRefusals();
        long seen = look(queue);
        int polled = pollWhileFull(queue);
        Files.delete(filler);
        boolean again = worksAgain(queue);
        String after = "same-queue";
        if (!again) {
            after = "reopened";
            try {
                queue.close();
            } catch (QueueException closingAFailedQueue) {
                out.println("  close said: " + closingAFailedQueue.getMessage());
            }
            queue = builder().open();
            offerMore(queue);
        }
        long lost = drain(queue);
        queue.close();
        boolean mayLose = settings.durability() == Durability.BATCHED && !again;
        if (lost > (mayLose ? Settings.BATCH_RECORDS : 0)) {
            broken("lost=" + lost);
        }
        out.println(String.format(
                Locale.ROOT,
                "full-disk %-8s accepted=%d iteratedWhileFull=%s polledWhileFull=%d lost=%d after=%s ok=%s%n  refused with: %s",
                settings.durability(),
                accepted,
                seen < 0 ? "refused" : seen,
                polled,
                lost,
                after,
                ok,
                refusal));
    }

    private void offerUntilRefused(DiskQueue<byte[]> queue) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int w = 0; w < settings.writers(); w++) {
            int producer = w;
            Thread thread = new Thread(() -> {
                try {
                    for (long index = 1; ; index++) {
                        offer(queue, producer, index);
                    }
                } catch (RuntimeException | Error e) {
                    refusals.set(producer, e);
                }
            });
            thread.start();
            threads.add(thread);
        }
        long deadline = System.nanoTime() + 12 * PATIENCE_NANOS;
        for (Thread thread : threads) {
            thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
            if (thread.isAlive()) {
                out.println("VIOLATION a writer hangs on a full disk");
                Watchdog.dump(out);
                Runtime.getRuntime().halt(1);
            }
        }
    }

    private void offer(DiskQueue<byte[]> queue, int producer, long index) {
        byte[] payload = Element.make(settings.seed(), GENERATION, producer, index, ledger);
        ledger.set(Ledger.Count.ATTEMPTED, producer, index);
        queue.offer(payload);
        ledger.set(Ledger.Count.ACKED, producer, index);
    }

    private String checkRefusals() {
        String text = "";
        for (int producer = 0; producer < settings.writers(); producer++) {
            Throwable refusal = refusals.get(producer);
            if (!isRefusal(refusal)
                    || refusal.getMessage() == null
                    || !CAUSE.matcher(refusal.getMessage()).find()) {
                broken("refused with " + refusal);
            }
            text = String.valueOf(refusal);
        }
        return text;
    }

    /** A failure of the file system: refused for now, or failed until the queue is opened again. */
    static boolean isRefusal(@Nullable Throwable thrown) {
        return thrown instanceof QueueException
                && thrown.getCause() != null
                && Set.of("QueueFailedException", "QueueRefusedException")
                        .contains(thrown.getClass().getSimpleName());
    }

    /** How many elements an iterator sees while the disk is full; -1 if it cannot. */
    private long look(DiskQueue<byte[]> queue) {
        try {
            long count = 0;
            for (Iterator<byte[]> elements = queue.iterator(); elements.hasNext(); count++) {
                Element unused = Element.parse(elements.next(), settings.seed());
            }
            return count;
        } catch (QueueException refused) {
            return -1;
        }
    }

    private boolean worksAgain(DiskQueue<byte[]> queue) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (System.nanoTime() - deadline < 0) {
            try {
                offerMore(queue);
                return true;
            } catch (QueueException notYet) {
                LockSupport.parkNanos(PATIENCE_NANOS / 50);
            }
        }
        return false;
    }

    /** Offers of another producer, who has not been refused: no hole is to be expected in what it offered. */
    private void offerMore(DiskQueue<byte[]> queue) {
        int producer = Ledger.PRODUCERS - 1;
        for (int i = 0; i < MORE; i++) {
            offer(queue, producer, ledger.get(Ledger.Count.ACKED, producer) + 1);
        }
    }

    /** Polls everything; how many accepted elements are not there. */
    private long drain(DiskQueue<byte[]> queue) {
        long size = queue.longSize();
        long polled = 0;
        for (byte[] payload = queue.poll(); payload != null; payload = queue.poll(), polled++) {
            see(payload);
        }
        if (polled != size) {
            broken("size=" + size + " polled=" + polled);
        }
        long lost = 0;
        for (int producer = 0; producer < Ledger.PRODUCERS; producer++) {
            lost += Math.max(0, ledger.get(Ledger.Count.ACKED, producer) - last[producer]);
        }
        return lost;
    }

    /** What comes out is in order; the one exception is an element that was refused, stored all the same, and offered again. */
    private void see(byte[] payload) {
        Element element = Element.parse(payload, settings.seed());
        int producer = element.producer();
        boolean again = producer == Ledger.PRODUCERS - 1 && element.index() == last[producer];
        if (element.index() != last[producer] + 1 && !again) {
            broken("out of order: " + element + " after " + last[producer]);
        }
        last[producer] = element.index();
    }

    /** Consumers go on while the disk is full: it may be they who make room. The answer is how many elements they got. */
    private int pollWhileFull(DiskQueue<byte[]> queue) {
        try {
            for (int polled = 0; polled < MAX_POLLED_WHILE_FULL; polled++) {
                byte[] payload = queue.poll();
                if (payload == null) {
                    return polled;
                }
                see(payload);
            }
        } catch (QueueException refused) {
            broken("poll on a full disk: " + refused);
        }
        return MAX_POLLED_WHILE_FULL;
    }

    private long accepted() {
        long sum = 0;
        for (int producer = 0; producer < Ledger.PRODUCERS; producer++) {
            sum += ledger.get(Ledger.Count.ACKED, producer);
        }
        return sum;
    }

    private void broken(String what) {
        ok = false;
        out.println("VIOLATION seed=" + settings.seed() + " " + what);
    }
}
