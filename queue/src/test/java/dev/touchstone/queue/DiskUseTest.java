package dev.touchstone.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Log files begin short and grow to {@code segmentBytes}, in files, statistics and retention alike. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DiskUseTest {
    private static final int FIRST_BYTES = 256 << 10;
    private static final int FULL_BYTES = 4 << 20;

    @TempDir
    Path folder;

    private DiskQueueBuilder<byte[]> builder(Durability durability) {
        return DiskQueueBuilder.of(durability).folder(folder).segmentBytes(FULL_BYTES);
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (NoSuchFileException deleted) {
            return 0; // since the folder was listed
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private long folderBytes() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.mapToLong(DiskUseTest::size).sum();
        }
    }

    @Test
    void syncedQueue_withOneElement_takesLittle() throws IOException {
        try (DiskQueue<byte[]> queue = DiskQueue.synced().folder(folder).open()) {
            queue.add(new byte[500]);
            assertThat(folderBytes()).isLessThanOrEqualTo(1 << 20);
            assertThat(queue.stats().diskBytes()).isEqualTo(FIRST_BYTES);
        }
        try (DiskQueue<byte[]> queue = DiskQueue.synced().folder(folder).open()) {
            assertThat(queue.poll()).hasSize(500);
            assertThat(folderBytes()).isLessThanOrEqualTo(1 << 20);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REPLICATED")
    void segments_growToTheirFullLengthAndStayThere(Durability durability) throws IOException {
        Set<Long> growth = new TreeSet<>();
        try (DiskQueue<byte[]> queue = builder(durability).open()) {
            long before = 0;
            for (int i = 0; i < 20_000; i++) {
                queue.add(new byte[1000]);
                long bytes = queue.stats().diskBytes();
                if (bytes > before) {
                    growth.add(bytes - before);
                    before = bytes;
                }
            }
            assertThat(growth).containsExactly((long) FIRST_BYTES, 4L * FIRST_BYTES, (long) FULL_BYTES);
            for (int i = 0; i < 20_000; i++) {
                assertThat(queue.poll()).hasSize(1000);
            }
            Waits.until("all but the last segment released", () -> queue.stats().segments() == 1);
            for (int i = 0; i < 20_000; i++) {
                queue.add(new byte[1000]);
                assertThat(queue.poll()).hasSize(1000);
            }
            assertThat(queue.stats().diskBytes() % FULL_BYTES).isZero();
        }
        try (DiskQueue<byte[]> queue = builder(durability).open()) {
            assertThat(queue.poll()).isNull();
            queue.add(new byte[1000]);
            assertThat(queue.poll()).hasSize(1000);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REPLICATED")
    void element_thatIsLongerThanTheNextSegment_getsALongerOne(Durability durability) {
        try (DiskQueue<byte[]> queue = builder(durability).open()) {
            int[] lengths = {FIRST_BYTES - 9000, FIRST_BYTES, 3_000_000, 10, FULL_BYTES - (16 << 10), 5};
            for (int length : lengths) {
                queue.add(new byte[length]);
            }
            for (int length : lengths) {
                assertThat(queue.poll()).hasSize(length);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REPLICATED")
    void retention_countsTheRealLengths(Durability durability) {
        try (DiskQueue<byte[]> queue =
                builder(durability).retain(3 << 20, Duration.ofHours(1)).open()) {
            for (int i = 0; i < 3000; i++) { // into the third segment, or a later one if files were not ready in time
                queue.add(new byte[1000]);
            }
            int segments = queue.stats().segments();
            assertThat(segments).isGreaterThanOrEqualTo(3);
            for (int i = 0; i < 3000; i++) {
                assertThat(queue.poll()).hasSize(1000);
            }
            assertThat(queue.stats().segments()).isEqualTo(segments);
            for (int i = 0; i < 10_000; i++) {
                queue.add(new byte[1000]);
                assertThat(queue.poll()).hasSize(1000);
            }
            Waits.until(
                    "what is more than may be kept is released",
                    () -> queue.stats().oldestSequence() > 3000);
        }
    }
}
