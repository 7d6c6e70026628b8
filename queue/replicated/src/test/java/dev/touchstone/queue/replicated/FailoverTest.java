package dev.touchstone.queue.replicated;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.queue.Codec;
import dev.touchstone.queue.DiskQueue;
import dev.touchstone.queue.OutcomeUnknownException;
import dev.touchstone.queue.QueueRefusedException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A leader's process is killed again and again, while threads of another member offer with producers' numbers. Prints how long no offer that began after the
 * kill was accepted; all that were accepted are there once, in their order.
 */
@Tag("sweep")
@Timeout(value = 60, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FailoverTest {
    private static final int PRODUCERS = 8;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    private final Process[] others = new Process[2];
    private final String[] addresses = new String[3];
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicLong killedNanos = new AtomicLong();
    private final AtomicLong firstNanos = new AtomicLong(); // after the kill, 0: none yet
    private final long[] numbers = new long[PRODUCERS];
    private volatile boolean ends;

    @AfterEach
    void end() {
        for (Process process : others) {
            if (process != null) {
                process.destroyForcibly();
            }
        }
    }

    @Test
    void leaderKilled_twice_losesAndRepeatsNothing() throws Exception {
        run(2);
    }

    @Tag("slow")
    @Test
    void leaderKilled_manyTimes_losesAndRepeatsNothing() throws Exception {
        run(Integer.getInteger("kills", 100));
    }

    private void run(int kills) throws Exception {
        for (int i = 0; i < addresses.length; i++) {
            addresses[i] = Group.freeAddress();
        }
        start(0);
        start(1);
        List<Long> outages = new ArrayList<>();
        try (DiskQueue<String> queue = open(2, addresses, folder)) {
            List<Thread> producers = new ArrayList<>();
            for (int i = 0; i < PRODUCERS; i++) {
                int producer = i;
                producers.add(new Thread(() -> produce(queue, producer)));
            }
            producers.forEach(Thread::start);
            for (int i = 0; i < kills; i++) {
                int victim = i % others.length;
                queue.replication().transferLeadership(addresses[victim], PATIENCE);
                Group.pause(1_000);
                firstNanos.set(0);
                killedNanos.set(System.nanoTime());
                others[victim].destroyForcibly().waitFor();
                Group.await("an offer after the leader was killed", () -> firstNanos.get() != 0);
                outages.add(firstNanos.get() - killedNanos.get());
                start(victim);
                await(victim);
            }
            ends = true;
            for (Thread producer : producers) {
                producer.join();
            }
            judge(queue);
        }
        tell(outages);
    }

    private void start(int number) throws IOException {
        others[number] = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Member.class.getName(),
                        Integer.toString(number),
                        String.join(",", addresses),
                        folder.toString())
                .redirectError(
                        Redirect.appendTo(folder.resolve("errors-" + number).toFile()))
                .start();
    }

    private void await(int number) throws IOException {
        BufferedReader out = new BufferedReader(new InputStreamReader(others[number].getInputStream(), UTF_8));
        assertThat(out.readLine())
                .as("%s", Files.readString(folder.resolve("errors-" + number)))
                .isEqualTo("up");
    }

    private static DiskQueue<String> open(int number, String[] addresses, Path folder) {
        return DiskQueue.replicated()
                .member(addresses[number])
                .members(addresses)
                .folder(folder.resolve("member-" + number))
                .codec(Codec.utf8())
                .open();
    }

    private void produce(DiskQueue<String> queue, int producer) {
        String name = "p" + producer;
        while (!ends) {
            long began = System.nanoTime();
            long number = numbers[producer] + 1;
            try {
                if (!queue.replication().offer(name, number, name + " " + number)) {
                    failures.add("refused without an exception: " + name + " " + number);
                }
                numbers[producer] = number;
                if (began - killedNanos.get() > 0) {
                    firstNanos.compareAndSet(0, System.nanoTime());
                }
            } catch (OutcomeUnknownException | QueueRefusedException again) {
                // the number makes it the same offer
            }
        }
    }

    private void judge(DiskQueue<String> queue) {
        assertThat(failures).isEmpty();
        queue.replication().awaitCommitted();
        long[] last = new long[PRODUCERS];
        Set<String> wrong = new HashSet<>();
        for (String element : queue) {
            String[] words = element.split(" ", -1);
            int producer = Integer.parseInt(words[0].substring(1));
            long number = Long.parseLong(words[1]);
            if (number != last[producer] + 1) {
                wrong.add(element + " after " + last[producer]);
            }
            last[producer] = number;
        }
        assertThat(wrong).isEmpty();
        for (int i = 0; i < PRODUCERS; i++) { // one more may have been accepted without an answer
            assertThat(last[i]).isBetween(numbers[i], numbers[i] + 1);
        }
    }

    private void tell(List<Long> outages) {
        long accepted = 0;
        for (long number : numbers) {
            accepted += number;
        }
        List<Long> millis =
                outages.stream().sorted().map(TimeUnit.NANOSECONDS::toMillis).toList();
        System.out.println("kills=" + millis.size() + " accepted=" + accepted + " lost=0 twice=0 outage ms: p50="
                + millis.get(millis.size() / 2) + " p99="
                + millis.get((int) Math.ceil(millis.size() * 0.99) - 1) + " max=" + millis.get(millis.size() - 1)
                + " all=" + millis);
    }

    /** A member in a process of its own. */
    static final class Member {
        private Member() {}

        /** Arguments: number, addresses of all, folder. */
        public static void main(String[] args) throws IOException {
            try (DiskQueue<String> queue = open(Integer.parseInt(args[0]), args[1].split(",", -1), Path.of(args[2]))) {
                System.out.println("up");
                while (System.in.read() >= 0) {
                    // until the test ends
                }
                assertThat(queue.longSize()).isNotNegative();
            }
        }
    }
}
