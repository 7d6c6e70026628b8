package dev.touchstone.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Opens queues that an earlier version wrote. */
class UpgradeTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "SYNCED, synced-closed", "SYNCED, synced-killed", "WRITTEN, written-closed", "WRITTEN, written-killed",
        "BATCHED, batched-closed", "BATCHED, batched-killed", "SYNCED, batched-killed", "BATCHED, synced-killed"
    })
    void open_ofFormat1_keepsElementsAndRemovals(Durability durability, String name) throws IOException {
        copy(Path.of("src", "test", "resources", "format-1", name));
        List<String> own = new ArrayList<>();
        for (int number = 11; number <= 60; number++) {
            if (number > 38 || number % 3 != 2) {
                own.add(element(number));
            }
        }
        for (int opened = 0; opened < 3; opened++) {
            DiskQueueBuilder<String> next = builder(durability);
            try (DiskQueue<String> queue = (opened == 1 ? next.compression(Compression.deflate()) : next).open()) {
                assertThat(queue.recovery().damagedPlaces()).isZero();
                assertThat(queue).hasSameSizeAs(own).containsExactlyElementsOf(own);
                assertThat(queue.cursor("audit").longSize()).isEqualTo(55 - opened);
                assertThat(queue.cursor("audit").poll()).isEqualTo(element(6 + opened));
                Lease<String> last = null;
                for (int i = 0; i < own.size(); i++) {
                    last = queue.lease();
                    assertThat(last).isNotNull();
                }
                assertThat(Objects.requireNonNull(last).ack()).isTrue();
                own.remove(own.size() - 1);
            }
        }
    }

    private DiskQueueBuilder<String> builder(Durability durability) {
        return DiskQueueBuilder.of(durability)
                .folder(folder)
                .segmentBytes(64 << 10)
                .codec(Codec.utf8());
    }

    private static String element(int number) {
        return "element " + number + " é中";
    }

    private void copy(Path from) throws IOException {
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, folder.resolve(Objects.requireNonNull(file.getFileName())));
            }
        }
    }
}
