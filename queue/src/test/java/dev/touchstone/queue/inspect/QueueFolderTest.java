package dev.touchstone.queue.inspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.queue.Codec;
import dev.touchstone.queue.DiskQueue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QueueFolderTest {
    private static final int HEADER_BYTES = 16;

    @TempDir
    Path folder;

    private final List<String> seen = new ArrayList<>();
    private final QueueFolder.LogVisitor visitor = new QueueFolder.LogVisitor() {
        @Override
        public boolean element(long sequence, long notBeforeMillis, byte[] element) {
            return seen.add(sequence + " " + new String(element, StandardCharsets.UTF_8));
        }

        @Override
        public void consumed(long cursor, long first, long end) {
            // nothing is
        }

        @Override
        public void attempted(long cursor, long sequence, int deliveries, long notBeforeMillis) {
            // nothing is
        }

        @Override
        public void damaged(FoundDamage damage) {
            seen.add("damage");
        }
    };

    private DiskQueue<String> open() {
        return DiskQueue.synced().folder(folder).codec(Codec.utf8()).open();
    }

    /** Flips each bit in turn of the header of the second of four records. */
    @Test
    void visitAtRest_damagedHeader_givesTheElementsBehindIt() throws IOException {
        try (DiskQueue<String> queue = open()) {
            queue.addAll(List.of("first", "second", "third", "fourth"));
        }
        Path file;
        try (Stream<Path> files = Files.list(folder)) {
            file = files.filter(each -> each.toString().endsWith(".seg"))
                    .findFirst()
                    .orElseThrow();
        }
        byte[] whole = Files.readAllBytes(file);
        int header = new String(whole, StandardCharsets.ISO_8859_1).indexOf("second") - HEADER_BYTES;
        for (int bit = 0; bit < HEADER_BYTES * Byte.SIZE; bit++) {
            byte[] bytes = whole.clone();
            bytes[header + bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
            Files.write(file, bytes);
            seen.clear();

            new QueueFolder(folder).visitAtRest(0, "", visitor);

            assertThat(seen).as("bit=" + bit).containsExactly("1 first", "damage", "3 third", "4 fourth");
        }
    }

    @Test
    void visitAtRest_openQueue_isRefused() {
        try (DiskQueue<String> queue = open()) {
            queue.add("first");
            assertThatThrownBy(() -> new QueueFolder(folder).visitAtRest(0, "", visitor))
                    .isInstanceOf(FolderInUseException.class);
        }
        assertThat(seen).isEmpty();
    }
}
