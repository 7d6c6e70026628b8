package dev.touchstone.queue.replicated;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.touchstone.queue.Codec;
import dev.touchstone.queue.DiskQueue;
import dev.touchstone.queue.Lease;
import dev.touchstone.queue.OutcomeUnknownException;
import dev.touchstone.queue.QueueClosedException;
import dev.touchstone.queue.QueueRefusedException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A process that is a member, offers and consumes, and notes what it was told, until it is killed. Its notes are lines of a file: a time of the
 * machine's monotonic clock, a letter and an element.
 *
 * <pre>
 *  P  the element was accepted
 *  L  the element was handed out, and will be acknowledged
 *  A  the acknowledgement was accepted
 *  R  the acknowledgement was refused, for the lease had ended
 *  U  the outcome of the acknowledgement is unknown
 * </pre>
 */
final class LoadedMember {
    private static final Duration LEASE = Duration.ofSeconds(3);

    private final DiskQueue<String> queue;
    private final FileChannel notes;
    private volatile boolean produces = true;
    private volatile boolean consumes = true;

    private LoadedMember(DiskQueue<String> queue, FileChannel notes) {
        this.queue = queue;
        this.notes = notes;
    }

    /** Arguments: folder, number of this member, addresses of all. */
    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args[0]);
        int number = Integer.parseInt(args[1]);
        String[] members = args[2].split(",");
        try (DiskQueue<String> queue = DiskQueue.replicated()
                        .member(members[number])
                        .members(members)
                        .folder(folder.resolve("member-" + number))
                        .leases(10_000, LEASE)
                        .redeliveryDelay(Duration.ZERO, Duration.ZERO)
                        .codec(Codec.utf8())
                        .open();
                FileChannel notes = FileChannel.open(
                        folder.resolve("notes-" + number),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.APPEND)) {
            new LoadedMember(queue, notes).run(number);
        }
    }

    private void run(int number) throws IOException {
        for (int i = 0; i < 2; i++) {
            String producer = "p" + number + "." + i;
            start(() -> produce(producer));
            start(this::consume);
        }
        say("running");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        for (String line = in.readLine(); line != null && !line.equals("close"); line = in.readLine()) {
            if (line.equals("drain")) {
                produces = false;
                awaitEmpty();
                say("empty");
            }
        }
        consumes = false;
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(() -> {
            try {
                task.run();
            } catch (QueueClosedException atTheEnd) {
                // told to close
            } catch (RuntimeException e) {
                e.printStackTrace();
                Runtime.getRuntime().halt(7);
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private static void say(String line) throws IOException {
        System.out.write((line + "\n").getBytes(UTF_8));
        System.out.flush();
    }

    private void awaitEmpty() {
        for (; ; ) {
            try {
                queue.replication().awaitCommitted();
                if (queue.longSize() == 0) {
                    return;
                }
                TimeUnit.MILLISECONDS.sleep(20); // the others consume, too
            } catch (QueueRefusedException again) {
                // no leader
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private void produce(String producer) {
        long number = 0;
        while (number == 0) {
            try {
                number = queue.replication().lastNumber(producer) + 1;
            } catch (QueueRefusedException again) {
                // no leader
            }
        }
        while (produces) {
            String element = producer + "-" + number;
            try {
                if (queue.replication().offer(producer, number, element)) {
                    note('P', element);
                    number++;
                }
            } catch (OutcomeUnknownException | QueueRefusedException again) {
                // the number makes it the same offer
            }
        }
    }

    private void consume() {
        while (consumes) {
            try {
                Lease<String> lease = queue.lease(Duration.ofMillis(200));
                if (lease != null) {
                    acknowledge(lease);
                }
            } catch (OutcomeUnknownException | QueueRefusedException again) {
                // the lease ends by its time, if there is one
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private void acknowledge(Lease<String> lease) {
        note('L', lease.element());
        try {
            note(lease.ack() ? 'A' : 'R', lease.element());
        } catch (OutcomeUnknownException e) {
            note('U', lease.element());
        } catch (QueueRefusedException notSent) {
            note('R', lease.element());
        }
    }

    private void note(char what, String element) {
        byte[] line = (System.nanoTime() + " " + what + " " + element + "\n").getBytes(UTF_8);
        try {
            int unused = notes.write(ByteBuffer.wrap(line));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
