package dev.touchstone.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A process that is killed while it appends from several threads, again and again on one queue. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KillTest {
    private static final int WRITERS = 3;
    private static final int CYCLES = Integer.getInteger("touchstone.kills", 4);

    @TempDir
    Path folder;

    /** Appends {@code (writer, number)} from every writer and prints each once it is accepted. */
    static final class Victim {
        public static void main(String[] args) throws InterruptedException {
            PrintStream acks = System.out;
            DiskQueue<byte[]> queue = DiskQueueBuilder.of(Durability.valueOf(args[0]))
                    .folder(Path.of(args[1]))
                    .segmentBytes(256 << 10)
                    .open();
            int start = Integer.parseInt(args[2]);
            Thread[] threads = new Thread[WRITERS];
            for (int w = 0; w < WRITERS; w++) {
                int writer = w;
                threads[w] = new Thread(() -> {
                    for (int number = start; ; number++) {
                        queue.add(ByteBuffer.allocate(200)
                                .putInt(writer)
                                .putInt(number)
                                .array());
                        acks.println(writer + " " + number);
                    }
                });
                threads[w].start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"WRITTEN", "SYNCED"})
    void open_afterTheProcessWasKilled_hasEveryAcceptedElementInOrder(Durability durability)
            throws IOException, InterruptedException {
        SplittableRandom random = new SplittableRandom(Long.getLong("seed", System.nanoTime()));
        int start = 0;
        for (int cycle = 0; cycle < CYCLES; cycle++) {
            int[] accepted = runAndKill(durability, start, 200 + random.nextInt(3000));
            int[] next = {start, start, start};
            try (DiskQueue<byte[]> queue =
                    DiskQueueBuilder.of(durability).folder(folder).open()) {
                int size = queue.size();
                int taken = 0;
                for (byte[] element = queue.poll(); element != null; element = queue.poll()) {
                    ByteBuffer fields = ByteBuffer.wrap(element);
                    int writer = fields.getInt();
                    assertThat(fields.getInt()).as("writer %d", writer).isEqualTo(next[writer]++);
                    taken++;
                }
                assertThat(taken).isEqualTo(size);
            }
            for (int w = 0; w < WRITERS; w++) {
                assertThat(next[w]).as("writer %d", w).isGreaterThanOrEqualTo(accepted[w]);
            }
            start += 1_000_000;
        }
    }

    @Test
    void open_byAnotherProcess_isRefusedEvenAfterThisOneTriedTwice() throws IOException, InterruptedException {
        DiskQueueBuilder<byte[]> builder = DiskQueue.written().folder(folder).lockTimeout(Duration.ofMillis(20));
        try (DiskQueue<byte[]> queue = builder.open()) {
            assertThatThrownBy(builder::open).isInstanceOf(QueueLockedException.class);
            Process other = start(Durability.WRITTEN, 0, ProcessBuilder.Redirect.PIPE);
            String errors = new String(other.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(other.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(errors)
                    .contains("QueueLockedException")
                    .contains("pid=" + ProcessHandle.current().pid());
            assertThat(queue).isEmpty();
        }
    }

    private Process start(Durability durability, int start, ProcessBuilder.Redirect errors) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-Xmx128m",
                        Victim.class.getName(),
                        durability.name(),
                        folder.toString(),
                        Integer.toString(start))
                .redirectError(errors)
                .redirectInput(new File("/dev/null"))
                .start();
    }

    /** The number after the last one that each writer was told is accepted. */
    private int[] runAndKill(Durability durability, int start, int acks) throws IOException, InterruptedException {
        Process victim = start(durability, start, ProcessBuilder.Redirect.INHERIT);
        int[] accepted = {start, start, start};
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(victim.getInputStream(), StandardCharsets.US_ASCII))) {
            int seen = 0;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (++seen == acks) {
                    victim.toHandle().destroyForcibly(); // leaves the pipe to be read to its end
                }
                String[] fields = line.split(" ", -1);
                if (fields.length == 2
                        && fields[1].length() >= Integer.toString(start).length()) {
                    int writer = Integer.parseInt(fields[0]);
                    accepted[writer] = Math.max(accepted[writer], Integer.parseInt(fields[1]) + 1);
                }
            }
            assertThat(seen).isGreaterThanOrEqualTo(acks);
        }
        assertThat(victim.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return accepted;
    }
}
