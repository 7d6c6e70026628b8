package dev.touchstone.queue.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.queue.DiskQueue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Undamaged folders of popout in every state in which their owner may leave them. */
@Timeout(60)
class PopoutMigrationTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path temp;

    @SuppressWarnings("NullAway.Init")
    private Path source;

    @SuppressWarnings("NullAway.Init")
    private DiskQueue<byte[]> target;

    @BeforeEach
    void open() throws IOException {
        source = Files.createDirectory(temp.resolve("source"));
        target = Migrated.target(temp);
    }

    @AfterEach
    void close() {
        target.close();
    }

    @Test
    void synced_neverPolled_inNumericOrder() throws IOException {
        PopoutWriter queue = filled("queue", 0, 12);
        assertThat(queue.wals()).isEqualTo(12); // 10 and 11 sort before 2 by name
        Migrated migrated = Migrated.from(source, target);
        assertThat(migrated.records()).isEqualTo(names(0, 12));
        assertThat(migrated.done())
                .isEqualTo(new MigrationResult(
                        Format.POPOUT_SYNCED, PayloadLayout.PLAIN, 12, 10 * 8 + 2 * 9, 0, 0, 0, List.of()));
    }

    @Test
    void synced_compressedAndWals_compressedFirst() throws IOException {
        PopoutWriter queue = filled("queue", 0, 11);
        queue.compress(0);
        fill(queue, 11, 20);
        queue.compress(0);
        fill(queue, 20, 23);
        assertThat(Migrated.from(source, target).records()).isEqualTo(names(0, 23));
    }

    @Test
    void synced_halfConsumed_goesOnBehindTheJump() throws IOException {
        PopoutWriter queue = filled("queue", 0, 10);
        queue.compress(0);
        fill(queue, 10, 13);
        for (int polled = 1; polled <= 13; polled++) {
            queue.poll();
            if (!queue.isEmpty()) {
                Migrated migrated = Migrated.from(source, target);
                assertThat(migrated.records()).as("polled=%d", polled).isEqualTo(names(polled, 13));
                assertThat(migrated.done().skipped()).isEmpty();
            }
        }
    }

    @Test
    void synced_jumpsInTheMiddle_areFollowed() throws IOException {
        PopoutWriter queue = filled("queue", 0, 5);
        Path compressed = queue.compress(0);
        int entry = 9 + 4 + "record-0".length();
        PopoutWriter.overwrite(compressed, entry, PopoutWriter.entry(2, 2L * entry));
        PopoutWriter.overwrite(compressed, 2L * entry, PopoutWriter.entry(2, 4L * entry));
        assertThat(Migrated.from(source, target).records()).containsExactly("record-0", "record-4");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 6})
    void synced_walsLeftBehindCompression_eachRecordOnce(int left) throws IOException {
        PopoutWriter queue = filled("queue", 0, 6);
        queue.compress(left);
        fill(queue, 6, 9);
        Migrated migrated = Migrated.from(source, target);
        assertThat(migrated.records()).isEqualTo(names(0, 9));
        assertThat(migrated.done().duplicates()).isEqualTo(left);
        assertThat(migrated.done().skipped()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 5})
    void synced_walsLeftAndPolledSince_removedStayRemoved(int polled) throws IOException {
        PopoutWriter queue = filled("queue", 0, 6);
        queue.compress(6);
        fill(queue, 6, 8);
        for (int i = 0; i < polled; i++) {
            queue.poll();
        }
        assertThat(Migrated.from(source, target).records()).isEqualTo(names(polled, 8));
    }

    @Test
    void synced_compressionEndedAnywhere_eachRecordOnce() throws IOException {
        int whole = 5 * (9 + 4 + "record-0".length()) + 9;
        for (int bytes = 0; bytes < whole; bytes++) {
            PopoutWriter queue = filled("queue", 0, 5);
            queue.compressUntil(bytes);
            Migrated migrated = Migrated.from(source, target);
            assertThat(migrated.records()).as("bytes=%d", bytes).isEqualTo(names(0, 5));
            assertThat(migrated.done().damagedPlaces()).isZero();
            emptyFolder();
        }
    }

    @Test
    void synced_compressionEndedBeforeItsFirstByte_walsAreRead() throws IOException {
        filled("queue", 0, 3);
        Path compressed = Files.createFile(source.resolve("queue-0.compressed"));
        FileTime old = FileTime.fromMillis(1_000);
        FileTime older = FileTime.fromMillis(500);
        Files.setLastModifiedTime(compressed, old);
        Files.setLastModifiedTime(source.resolve("queue-0.wal"), older);
        Migrated migrated = Migrated.from(source, target);
        assertThat(migrated.records()).isEqualTo(names(0, 3));
        assertThat(migrated.done().harmlessPlaces()).isEqualTo(1);
        Files.setLastModifiedTime(compressed, older);
        Files.setLastModifiedTime(source.resolve("queue-0.wal"), old);
        assertThat(Migrated.from(source, target).damage()).hasMessageContaining("queue-0.compressed offset=0");
    }

    @Test
    void synced_equalRecordsWrittenLater_areNoCopies() throws IOException {
        PopoutWriter queue = new PopoutWriter(source, "queue");
        appendEqual(queue, 4);
        Path compressed = queue.compress(0);
        appendEqual(queue, 3);
        Files.setLastModifiedTime(compressed, FileTime.fromMillis(1_000));
        assertThat(Migrated.from(source, target).records()).hasSize(7);
    }

    @Test
    void synced_equalRecordsOlderThanTheCompressedFile_areCopies() throws IOException {
        PopoutWriter queue = new PopoutWriter(source, "queue");
        appendEqual(queue, 4);
        Path compressed = queue.compress(4);
        Files.setLastModifiedTime(source.resolve("queue-0.wal"), FileTime.fromMillis(1_000));
        Files.setLastModifiedTime(compressed, FileTime.fromMillis(2_000));
        Migrated migrated = Migrated.from(source, target);
        assertThat(migrated.records()).hasSize(4);
        assertThat(migrated.done().duplicates()).isEqualTo(4);
    }

    @Test
    void synced_emptyWals_skippedAndCounted() throws IOException {
        PopoutWriter queue = filled("queue", 0, 2);
        queue.append(new byte[0]);
        queue.append(new byte[0]);
        queue.compress(0);
        fill(queue, 2, 3);
        queue.append(new byte[0]);
        fill(queue, 3, 4);
        Migrated migrated = Migrated.from(source, target);
        assertThat(migrated.records()).isEqualTo(names(0, 4));
        assertThat(migrated.done().harmlessPlaces()).isEqualTo(3);
        assertThat(migrated.done().skipped()).hasSize(3).noneMatch(SkippedPlace::damage);
    }

    @Test
    void synced_onlyEmptyWals_anEmptyQueue() throws IOException {
        new PopoutWriter(source, "queue").append(new byte[0]);
        assertThat(Migrated.from(source, target).done().records()).isZero();
    }

    @Test
    void synced_recordsOfNoBytes_areRecords() throws IOException {
        PopoutWriter queue = new PopoutWriter(source, "queue");
        queue.append(PopoutWriter.record(new byte[0]));
        queue.append(PopoutWriter.record(bytes("x")));
        assertThat(Migrated.from(source, target).records()).containsExactly("", "x");
    }

    @Test
    void batched_walsAndCompressed_allRecordsInOrder() throws IOException {
        PopoutWriter queue = new PopoutWriter(source, "queue");
        queue.append(PopoutWriter.batch(payloads(0, 10), List.of()));
        queue.append(PopoutWriter.batch(payloads(10, 20), List.of()));
        queue.compress(0);
        queue.append(PopoutWriter.batch(payloads(20, 23), List.of()));
        Migrated migrated = Migrated.from(source, target);
        assertThat(migrated.records()).isEqualTo(names(0, 23));
        assertThat(migrated.done().format()).isEqualTo(Format.POPOUT_BATCHED);
    }

    @Test
    void batched_removedAndPolled_arePassedOver() throws IOException {
        PopoutWriter queue = new PopoutWriter(source, "queue");
        queue.append(PopoutWriter.batch(payloads(0, 10), List.of()));
        queue.append(PopoutWriter.batch(payloads(10, 15), List.of(0, 1, 4)));
        queue.append(PopoutWriter.batch(payloads(15, 20), List.of(0, 1, 2, 3, 4)));
        queue.compress(0);
        queue.append(PopoutWriter.batch(payloads(20, 23), List.of(1)));
        queue.poll();
        Migrated migrated = Migrated.from(source, target);
        assertThat(migrated.records()).containsExactly("record-12", "record-13", "record-20", "record-22");
        assertThat(migrated.done().skipped()).isEmpty();
    }

    @Test
    void batched_walsLeftBehindCompression_eachRecordOnce() throws IOException {
        PopoutWriter queue = new PopoutWriter(source, "queue");
        queue.append(PopoutWriter.batch(payloads(0, 3), List.of()));
        queue.append(PopoutWriter.batch(payloads(3, 5), List.of()));
        queue.append(PopoutWriter.batch(payloads(5, 9), List.of()));
        queue.compress(3);
        queue.poll();
        Migrated migrated = Migrated.from(source, target);
        assertThat(migrated.records()).isEqualTo(names(3, 9));
        assertThat(migrated.done().duplicates()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"q+1", "a.b", "(x", "[a-z]", "name-7", "-", "", "a b"})
    void name_anyCharacters_takenAsTheyAre(String name) throws IOException {
        filled(name, 0, 3).compress(1);
        assertThat(Migrated.from(source, target).records()).isEqualTo(names(0, 3));
        assertThat(Migrated.from(source, target, migration -> migration.queueName(name))
                        .records())
                .isEqualTo(names(0, 3));
    }

    @Test
    void name_severalQueues_onlyTheNamedOne() throws IOException {
        filled("a", 0, 2);
        filled("aa", 2, 4);
        filled("a-1", 4, 6);
        Files.writeString(source.resolve("a.txt"), "not a queue's");
        assertThatThrownBy(() -> Migrated.from(source, target))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a, a-1, aa");
        assertThat(Migrated.from(source, target, migration -> migration.queueName("a"))
                        .records())
                .isEqualTo(names(0, 2));
        assertThatThrownBy(() -> Migrated.from(source, target, migration -> migration.queueName("b")))
                .isInstanceOf(NoSuchFileException.class)
                .hasMessageContaining("no popout queue 'b' here; there are: a, a-1, aa");
    }

    @Test
    void name_nothingThere_noSuchFile() {
        assertThatThrownBy(() -> Migrated.from(source, target)).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void number_beyondInt_typedErrorThenSkipped() throws IOException {
        filled("queue", 0, 2);
        Files.write(source.resolve("queue-2147483648.wal"), PopoutWriter.record(bytes("beyond")));
        assertThat(Migrated.from(source, target).damage()).hasMessageContaining("got=2147483648");
        Migrated skipping = Migrated.skipping(source, target);
        assertThat(skipping.records()).isEqualTo(names(0, 2));
        assertThat(skipping.done().damagedPlaces()).isEqualTo(1);
    }

    @Test
    void number_greatestInt_isTheLast() throws IOException {
        filled("queue", 0, 2);
        Files.write(source.resolve("queue-2147483647.wal"), PopoutWriter.record(bytes("record-2")));
        assertThat(Migrated.from(source, target).records()).isEqualTo(names(0, 3));
    }

    private PopoutWriter filled(String name, int from, int to) throws IOException {
        PopoutWriter queue = new PopoutWriter(source, name);
        fill(queue, from, to);
        return queue;
    }

    private static void fill(PopoutWriter queue, int from, int to) throws IOException {
        for (byte[] payload : payloads(from, to)) {
            queue.append(PopoutWriter.record(payload));
        }
    }

    private static void appendEqual(PopoutWriter queue, int times) throws IOException {
        for (int i = 0; i < times; i++) {
            queue.append(PopoutWriter.record(bytes("tick")));
        }
    }

    private void emptyFolder() throws IOException {
        try (Stream<Path> files = Files.list(source)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
    }

    private static List<byte[]> payloads(int from, int to) {
        return names(from, to).stream().map(PopoutMigrationTest::bytes).toList();
    }

    private static List<String> names(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "record-" + i).toList();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
