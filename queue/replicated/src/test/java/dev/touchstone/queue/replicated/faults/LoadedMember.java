package dev.touchstone.queue.replicated.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.touchstone.queue.Codec;
import dev.touchstone.queue.DiskQueue;
import dev.touchstone.queue.Lease;
import dev.touchstone.queue.OutcomeUnknownException;
import dev.touchstone.queue.QueueRefusedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A process that is a member, offers and consumes, and notes what it was told, until it is killed. Its notes are lines of a file: two times of
 * the machine's monotonic clock, when the call began and when the note was made, a letter and an element. Beside the commands of every member
 * it takes {@code drain}, which ends its offers and answers {@code empty} when the queue is.
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
    private static final int MAX_FILLER = 8_000;
    private static final int MAX_BACKLOG = 500;
    private static final int FILLER_STEP = 2_003;
    private static final long PACE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final DiskQueue<String> queue;
    private final FileChannel notes;
    private volatile boolean produces = true;
    private volatile boolean consumes = true;

    private LoadedMember(DiskQueue<String> queue, FileChannel notes) {
        this.queue = queue;
        this.notes = notes;
    }

    /** Runs a member; the arguments are those of {@link MemberArguments}. */
    public static void main(String[] args) throws IOException {
        MemberArguments arguments = MemberArguments.parse(args);
        try (DiskQueue<String> queue = arguments.queue().codec(Codec.utf8()).open();
                FileChannel notes = FileChannel.open(
                        arguments.folder().resolve("notes-" + arguments.number()),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.APPEND)) {
            new LoadedMember(queue, notes).run(arguments.number());
        }
    }

    private void run(int number) throws IOException {
        for (int i = 0; i < 2; i++) {
            String producer = "p" + (2 * number + i);
            MemberConsole.start(() -> produce(producer));
            MemberConsole.start(this::consume);
        }
        MemberConsole.say("running");
        new MemberConsole(queue).run(words -> {
            boolean drains = words[0].equals("drain");
            if (drains) {
                produces = false;
                awaitEmpty();
                MemberConsole.say("empty");
            }
            return drains;
        });
        consumes = false;
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
            if (queue.longSize() > MAX_BACKLOG) { // faults keep the consumers busy
                LockSupport.parkNanos(PACE_NANOS);
                continue;
            }
            String element = producer + "-" + number;
            long begun = System.nanoTime();
            try {
                if (queue.replication().offer(producer, number, element + filler(number))) {
                    note(begun, 'P', element);
                    number++;
                    LockSupport.parkNanos(PACE_NANOS);
                }
            } catch (OutcomeUnknownException | QueueRefusedException again) {
                // the number makes it the same offer
            }
        }
    }

    /** Returns a text of any length: with 300 faults members take snapshots, too, which come every 64 MiB. */
    private static String filler(long number) {
        return " " + "x".repeat((int) (number * FILLER_STEP % MAX_FILLER));
    }

    private static String name(String element) {
        return element.substring(0, element.indexOf(' '));
    }

    private void consume() {
        while (consumes) {
            long begun = System.nanoTime();
            try {
                Lease<String> lease = queue.lease(Duration.ofMillis(200));
                if (lease != null) {
                    acknowledge(begun, lease);
                }
            } catch (OutcomeUnknownException | QueueRefusedException again) {
                // the lease ends by its time, if there is one
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private void acknowledge(long leaseBegun, Lease<String> lease) {
        String element = name(lease.element());
        note(leaseBegun, 'L', element);
        long begun = System.nanoTime();
        try {
            note(begun, lease.ack() ? 'A' : 'R', element);
        } catch (OutcomeUnknownException e) {
            note(begun, 'U', element);
        } catch (QueueRefusedException notSent) {
            note(begun, 'R', element);
        }
    }

    private void note(long begun, char what, String element) {
        byte[] line = (begun + " " + System.nanoTime() + " " + what + " " + element + "\n").getBytes(UTF_8);
        try {
            int unused = notes.write(ByteBuffer.wrap(line));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
