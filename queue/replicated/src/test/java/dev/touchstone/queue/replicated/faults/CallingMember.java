package dev.touchstone.queue.replicated.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.touchstone.queue.DiskQueue;
import dev.touchstone.queue.Lease;
import dev.touchstone.queue.OutcomeUnknownException;
import dev.touchstone.queue.QueueRefusedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Iterator;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A process that is a member and makes the calls that it is told, and writes histories of them. Beside the commands of every member it takes:
 *
 * <pre>
 *  one ID CALL         makes a call by a thread of its own, and answers ID and the result
 *  calls N SEED COUNT  makes COUNT random calls by each of two clients, as a part of history N
 *  settle N            answers settled, when the calls of the clients have ended, and a call behind them, which is a part of history N
 *  drain N             polls until the queue is empty, as a part of history N, and answers drained
 * </pre>
 *
 * Calls are {@code offer VALUE}, {@code poll}, {@code peek}, {@code first} (by an iterator), {@code lease} and {@code ack VALUE}. A history has two lines for each call: {@code
 * call CLIENT NUMBER NANOS CALL} and {@code return CLIENT NUMBER NANOS RESULT}. Results are a value, {@code none}, {@code true}, {@code false},
 * {@code refused} (it was not done) and {@code unknown}. A call without a result was made when the process was killed.
 */
final class CallingMember {
    private static final int CLIENTS = 2;
    private static final int MAX_PAUSE_MICROS = 40_000;

    private final DiskQueue<byte[]> queue;
    private final MemberArguments arguments;
    private final Map<String, Lease<byte[]>> leases = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong();
    private final Phaser clients = new Phaser(1);

    private CallingMember(DiskQueue<byte[]> queue, MemberArguments arguments) {
        this.queue = queue;
        this.arguments = arguments;
    }

    /** Runs a member; the arguments are those of {@link MemberArguments}. */
    public static void main(String[] args) throws IOException {
        MemberArguments arguments = MemberArguments.parse(args);
        try (DiskQueue<byte[]> queue = arguments.queue().open()) {
            CallingMember member = new CallingMember(queue, arguments);
            MemberConsole.say("running");
            new MemberConsole(queue).run(member::take);
        }
    }

    private boolean take(String[] words) throws IOException {
        switch (words[0]) {
            case "one" ->
                MemberConsole.start(
                        () -> MemberConsole.say(words[1] + " " + result(words[2], words.length > 3 ? words[3] : "")));
            case "calls" -> {
                HistoryFile history = new HistoryFile(words[1]);
                calls(history, Long.parseLong(words[2]), Integer.parseInt(words[3]));
            }
            case "settle" -> {
                HistoryFile history = new HistoryFile(words[1]);
                MemberConsole.start(() -> settle(history));
            }
            case "drain" -> {
                HistoryFile history = new HistoryFile(words[1]);
                MemberConsole.start(() -> drain(history));
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    /** The part of a history that this process writes. */
    private final class HistoryFile {
        private final FileChannel file;

        HistoryFile(String number) throws IOException {
            Path path = arguments.folder().resolve("history-" + number + "-" + arguments.number());
            file = FileChannel.open(
                    path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
        }

        String call(String client, String call, String value) {
            long number = numbers.incrementAndGet();
            String name = client + " " + number + " ";
            write("call " + name + System.nanoTime() + " " + call + (value.isEmpty() ? "" : " " + value));
            String result = result(call, value);
            write("return " + name + System.nanoTime() + " " + result);
            return result;
        }

        private void write(String line) {
            try {
                int unused = file.write(ByteBuffer.wrap((line + "\n").getBytes(UTF_8)));
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private void calls(HistoryFile history, long seed, int count) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < CLIENTS; i++) {
            String client = ProcessHandle.current().pid() + "." + numbers.incrementAndGet();
            SplittableRandom own = random.split();
            int unused = clients.register();
            MemberConsole.start(() -> {
                calls(history, client, own, count);
                int unusedPhase = clients.arriveAndDeregister();
            });
        }
    }

    /** Waits for the clients, and for a call behind theirs: after it none of them is done any more. */
    private void settle(HistoryFile history) {
        int unused = clients.arriveAndAwaitAdvance();
        String client = ProcessHandle.current().pid() + ".settle";
        String result;
        do {
            result = history.call(client, "peek", "");
        } while (result.equals("refused") || result.equals("unknown"));
        MemberConsole.say("settled");
    }

    private void calls(HistoryFile history, String client, SplittableRandom random, int count) {
        String leased = "";
        for (int i = 0; i < count; i++) {
            int kind = random.nextInt(20);
            if (kind < 8) {
                String unused = history.call(client, "offer", client + "." + numbers.incrementAndGet());
            } else if (kind < 14) {
                String unused = history.call(client, "poll", "");
            } else if (kind < 15) {
                String unused = history.call(client, "peek", "");
            } else if (leases.containsKey(leased)) {
                String unused = history.call(client, "ack", leased);
                leased = "";
            } else {
                leased = history.call(client, "lease", "");
            }
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random.nextInt(MAX_PAUSE_MICROS)));
        }
    }

    private void drain(HistoryFile history) {
        String client = ProcessHandle.current().pid() + ".drain";
        String result;
        do {
            result = history.call(client, "poll", "");
        } while (!result.equals("none"));
        MemberConsole.say("drained");
    }

    private String result(String call, String value) {
        try {
            return switch (call) {
                case "offer" -> String.valueOf(queue.offer(value.getBytes(UTF_8)));
                case "poll" -> text(queue.poll());
                case "peek" -> text(queue.peek());
                case "first" -> first();
                case "lease" -> leased(queue.lease());
                case "ack" -> String.valueOf(acknowledge(value));
                default -> throw new IllegalArgumentException("not a call: " + call);
            };
        } catch (OutcomeUnknownException e) {
            return "unknown";
        } catch (QueueRefusedException e) {
            return "refused";
        }
    }

    /** Returns the first element by an iterator, which reads the member's own log. */
    private String first() {
        Iterator<byte[]> all = queue.iterator();
        return all.hasNext() ? text(all.next()) : "none";
    }

    private static String text(byte @Nullable [] element) {
        return element == null ? "none" : new String(element, UTF_8);
    }

    private String leased(@Nullable Lease<byte[]> lease) {
        if (lease != null) {
            leases.put(text(lease.element()), lease);
        }
        return lease == null ? "none" : text(lease.element());
    }

    private boolean acknowledge(String value) {
        Lease<byte[]> lease = leases.remove(value);
        if (lease == null) {
            throw new IllegalArgumentException("not leased here: " + value);
        }
        return lease.ack();
    }
}
