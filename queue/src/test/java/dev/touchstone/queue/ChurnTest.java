package dev.touchstone.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A small set of live elements that is replaced again and again: what the queue takes must not grow, whether or not a collection runs. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ChurnTest {
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final Path MAPPINGS = Path.of("/proc/self/maps");
    private static final int LIVE = 100;
    private static final int BYTES = 500;
    private static final int SEGMENT_BYTES = 64 << 10;

    @TempDir
    Path folder;

    /** Files, and deleted files that are still mapped or open. */
    private record Use(long files, long descriptors, long deleted) {
        boolean isLittle() {
            return files <= 16 && descriptors <= 16 && deleted == 0;
        }
    }

    private Use use() {
        try (Stream<Path> files = Files.list(folder);
                Stream<Path> descriptors = Files.list(DESCRIPTORS);
                Stream<String> mappings = Files.lines(MAPPINGS)) {
            long open = descriptors.filter(this::isOurs).count();
            long deleted = mappings.filter(line -> line.contains(folder.toString()) && line.endsWith("(deleted)"))
                    .count();
            return new Use(files.count(), open, deleted);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean isOurs(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().startsWith(folder.toString());
        } catch (IOException closed) {
            return false;
        }
    }

    /** Replaces the live elements: half of them by leases that are acknowledged from the newest on, a quarter after they were given back. */
    private static void replace(DiskQueue<byte[]> queue, QueueCursor<byte[]> named) throws InterruptedException {
        for (int i = 0; i < LIVE; i++) {
            queue.add(new byte[BYTES]);
        }
        Lease<?>[] leases = new Lease<?>[LIVE / 2];
        for (int i = 0; i < leases.length; i++) {
            leases[i] = Objects.requireNonNull(queue.lease());
        }
        for (int i = leases.length - 1; i >= 0; i--) {
            assertThat(i % 2 == 0 ? leases[i].ack() : leases[i].nack(Duration.ZERO))
                    .isTrue();
        }
        for (int left = LIVE / 2 + LIVE / 4; left > 0; left--) {
            assertThat(queue.poll(Duration.ofSeconds(10))).hasSize(BYTES);
        }
        for (int i = 0; i < LIVE; i++) {
            assertThat(named.poll()).hasSize(BYTES);
        }
    }

    private void churn(Durability durability, int generations) throws Exception {
        assumeTrue(Files.isReadable(MAPPINGS), "needs /proc/self/maps");
        try (DiskQueue<byte[]> queue = DiskQueueBuilder.of(durability)
                .folder(folder)
                .segmentBytes(SEGMENT_BYTES)
                .open()) {
            QueueCursor<byte[]> named = queue.cursor("audit");
            for (int i = 0; i < LIVE; i++) {
                queue.add(new byte[BYTES]); // stay in the queue all the time
                named.poll();
            }
            for (int generation = 0; generation < generations; generation++) {
                replace(queue, named);
                assertThat(queue.longSize()).isEqualTo(LIVE);
            }
            Waits.until("release of consumed files", () -> queue.stats().diskBytes() <= 8 * SEGMENT_BYTES);
            Waits.until("little use", () -> use().isLittle());
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REPLICATED")
    void smallSetOfElements_replaced200Times_takesWhatItTook(Durability durability) throws Exception {
        churn(durability, 200);
    }

    @Tag("slow")
    @ParameterizedTest
    @EnumSource(names = {"WRITTEN", "BATCHED"})
    void smallSetOfElements_replaced10000Times_takesWhatItTook(Durability durability) throws Exception {
        churn(durability, 10_000);
    }
}
