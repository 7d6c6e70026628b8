package dev.touchstone.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.queue.inspect.FolderReport;
import dev.touchstone.queue.inspect.QueueFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Elements that do not fit into the segment that was begun for them, so that another one begins with the same sequence. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LargeFirstElementTest {
    private static final int[] SIZES = {1, 250_000, 262_144, 300_000, 1_000_000, 5_000_000};

    @TempDir
    Path folder;

    private static DiskQueue<byte[]> open(Durability durability, Path folder) {
        return DiskQueueBuilder.of(durability)
                .folder(folder)
                .maxRecordBytes(8 << 20)
                .onDamage(damage -> Damage.Decision.THROW)
                .open();
    }

    /** Copies a folder, as it would be found if the process were killed now. */
    private static Path image(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(file.getFileName()));
            }
        }
        return to;
    }

    private static void check(Durability durability, Path found, int size) throws IOException {
        FolderReport report = new QueueFolder(found).verify(file -> {});
        assertThat(report.damages()).allMatch(damage -> damage.harmless());
        for (int again = 0; again < 2; again++) {
            try (DiskQueue<byte[]> queue = open(durability, found)) {
                assertThat(queue.longSize()).isEqualTo(1);
                assertThat(queue.peek()).hasSize(size);
            }
        }
        try (DiskQueue<byte[]> queue = open(durability, found)) {
            assertThat(queue.poll()).hasSize(size);
            assertThat(queue.poll()).isNull();
        }
        try (DiskQueue<byte[]> queue = open(durability, found)) {
            assertThat(queue.longSize()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REPLICATED")
    void element_ofAnySize_isThereWhenTheQueueIsOpenedAgain(Durability durability) throws IOException {
        for (int size : SIZES) {
            for (boolean isUsedBefore : List.of(false, true)) {
                String name = size + "-" + isUsedBefore;
                Path at = folder.resolve(name);
                Path killed = folder.resolve("killed-" + name);
                try (DiskQueue<byte[]> queue = open(durability, at)) {
                    if (isUsedBefore) {
                        queue.add(new byte[10]);
                        assertThat(queue.poll()).hasSize(10);
                    }
                }
                try (DiskQueue<byte[]> queue = open(durability, at)) {
                    queue.add(new byte[size]);
                    image(at, killed);
                }
                check(durability, at, size);
                if (durability != Durability.BATCHED) { // which may lose it when the process is killed
                    check(durability, killed, size);
                }
            }
        }
    }
}
