package dev.touchstone.queue.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.queue.DiskQueue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Detection and use of the payload layouts of popout's serializers, with records given in hexadecimal. */
@Timeout(60)
class PayloadLayoutTest {
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

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "strings,           0000000568656c6c6f 0000000568656c6c6f, LENGTH_PREFIXED, 68656c6c6f 68656c6c6f",
        "an empty string,   00000000 0000000161,                   LENGTH_PREFIXED, - 61",
        "integers with a 0, 00000000 00000001,                     PLAIN,           00000000 00000001",
        "integers 4,        00000004 00000004,                     PLAIN,           00000004 00000004",
        "longs,             0000000500000000 0000018bcfe56800,     PLAIN,           0000000500000000 0000018bcfe56800",
        "longs like texts,  0000000400000000 0000000400000001,     LENGTH_PREFIXED, 00000000 00000001",
        "a short record,    61,                                    PLAIN,           61",
    })
    void auto_recordsOfOneKind_detected(String kind, String records, PayloadLayout layout, String payloads)
            throws IOException {
        for (boolean batched : new boolean[] {false, true}) {
            write(batched, records);
            assertThat(Migration.from(source).into(target).payloadLayout())
                    .as(kind)
                    .isEqualTo(layout);
            assertThat(poll()).as(kind).isEqualTo(hex(payloads));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "00000000",
                "00000000 00000000",
                "0000000161 0000000261",
                "0000000400000000 0000018bcfe56800",
                "0000000161 -"
            })
    void auto_ambiguousRecords_refused(String records) throws IOException {
        for (boolean batched : new boolean[] {false, true}) {
            write(batched, records);
            assertThatThrownBy(() -> Migration.from(source).into(target))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("payload layout not detected: ")
                    .hasMessageContainingAll("choose", "LENGTH_PREFIXED", "PLAIN");
            assertThat(target).isEmpty();
        }
    }

    @Test
    void auto_noRecords_plain() throws IOException {
        new PopoutWriter(source, "queue").append(new byte[0]);
        assertThat(Migration.from(source).into(target).payloadLayout()).isEqualTo(PayloadLayout.PLAIN);
    }

    @Test
    void auto_mixed_namesAPlaceOfEach() throws IOException {
        write(false, "0000000161 0000000261");
        assertThatThrownBy(() -> Migration.from(source).into(target))
                .hasMessageContaining("the record at file=" + source.resolve("queue-0.wal") + " offset=4 begins")
                .hasMessageContaining("the record at file=" + source.resolve("queue-1.wal") + " offset=4 does not");
    }

    @Test
    void auto_removedRecords_doNotCount() throws IOException {
        PopoutWriter queue = new PopoutWriter(source, "queue");
        List<byte[]> payloads =
                List.of(bytes("0000000161"), bytes("ffffffff"), bytes("0000000162"), bytes("0000000163"));
        queue.append(PopoutWriter.batch(payloads, List.of(1)));
        Migration.from(source).into(target);
        assertThat(poll()).containsExactly("61", "62", "63");
    }

    @Test
    void auto_damagedRecord_layoutOfTheRecordsThatAreCopied() throws IOException {
        write(false, "0000000161 0000000162");
        Files.write(source.resolve("queue-2.wal"), bytes("0000000961"));
        Files.write(source.resolve("queue-3.wal"), bytes("0000000163"));
        Migrated strict = Migrated.from(source, target);
        assertThat(strict.damage()).hasMessageContaining("queue-2.wal offset=0 expected=1 got=9");
        Files.write(source.resolve("queue-3.wal"), PopoutWriter.record(bytes("0000000163")));
        Migrated skipping = Migrated.skipping(source, target);
        assertThat(skipping.records()).containsExactly("a", "b", "c");
        assertThat(skipping.done().damagedPlaces()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"PLAIN, 0000000400000000 00000000", "LENGTH_PREFIXED, 00000000 -"})
    void given_ambiguousRecords_asGiven(PayloadLayout layout, String payloads) throws IOException {
        write(true, "0000000400000000 00000000");
        MigrationResult result = Migration.from(source).payloadLayout(layout).into(target);
        assertThat(result.payloadLayout()).isEqualTo(layout);
        assertThat(poll()).isEqualTo(hex(payloads));
    }

    @ParameterizedTest
    @CsvSource({
        "0000000261,       expected=1 got=2",
        "0000000061,       expected=1 got=0",
        "8000000161,       expected=1 got=-2147483647",
        "616263,           expected=4 bytes got=3 bytes",
        "-,                expected=4 bytes got=0 bytes",
    })
    void lengthPrefixed_otherLength_damageOfOneRecord(String damaged, String message) throws IOException {
        for (boolean batched : new boolean[] {false, true}) {
            write(batched, "0000000161 " + damaged + " 0000000163");
            Migrated strict = Migrated.from(source, target, m -> m.payloadLayout(PayloadLayout.LENGTH_PREFIXED));
            assertThat(strict.damage())
                    .hasMessageContaining("corrupt length that the serializer wrote: file=")
                    .hasMessageContaining(message);
            Migrated skipping = Migrated.from(
                    source,
                    target,
                    m -> m.payloadLayout(PayloadLayout.LENGTH_PREFIXED).skipDamaged());
            assertThat(skipping.records()).containsExactly("a", "c");
            assertThat(skipping.done().skipped())
                    .singleElement()
                    .satisfies(place -> assertThat(place.reason()).endsWith("; 1 record lost"));
        }
    }

    @Test
    void lengthPrefixed_eachBitOfALengthFlipped_refusedOrOneRecordLost() throws IOException {
        for (boolean batched : new boolean[] {false, true}) {
            for (int bit = 0; bit < Integer.SIZE; bit++) {
                write(batched, "0000000161 " + HexFormat.of().toHexDigits(1 ^ (1 << bit)) + "62 0000000163");
                assertThatThrownBy(() -> Migration.from(source).skipDamaged().into(target))
                        .as("bit=%d batched=%s", bit, batched)
                        .isInstanceOf(IllegalArgumentException.class);
                Migrated skipping = Migrated.from(
                        source,
                        target,
                        m -> m.payloadLayout(PayloadLayout.LENGTH_PREFIXED).skipDamaged());
                assertThat(skipping.records())
                        .as("bit=%d batched=%s", bit, batched)
                        .containsExactly("a", "c");
                assertThat(skipping.done().damagedPlaces()).isEqualTo(1);
            }
        }
    }

    @Test
    void lengthPrefixed_maxRecordBytes_isOfThePayload() throws IOException {
        write(false, "0000000568656c6c6f");
        assertThat(Migrated.from(source, target, m -> m.maxRecordBytes(5)).records())
                .containsExactly("hello");
        assertThat(Migrated.from(source, target, m -> m.maxRecordBytes(4)).damage())
                .hasMessageContaining("offset=4 expected=at most 4 got=5");
    }

    /** popout's default serializer writes Java serialization streams; this one is refused by anything that deserializes it. */
    @Test
    void lengthPrefixed_javaSerialization_copiedAndNeverDeserialized() throws IOException {
        write(false, "00000006aced000573ff");
        Migration.from(source).into(target);
        assertThat(poll()).containsExactly("aced000573ff");
    }

    @Test
    void tape_lengthPrefixed_refused() throws IOException {
        Path file = Files.createFile(temp.resolve("file.tape"));
        assertThatThrownBy(() -> Migration.from(file)
                        .payloadLayout(PayloadLayout.LENGTH_PREFIXED)
                        .into(target))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(file + " is a file of tape, whose payloads are not LENGTH_PREFIXED");
    }

    private void write(boolean batched, String records) throws IOException {
        Migrated.delete(source);
        Files.createDirectory(source);
        PopoutWriter queue = new PopoutWriter(source, "queue");
        List<byte[]> payloads =
                hex(records).stream().map(PayloadLayoutTest::bytes).toList();
        if (batched) {
            queue.append(PopoutWriter.batch(payloads, List.of()));
        } else {
            for (byte[] payload : payloads) {
                queue.append(PopoutWriter.record(payload));
            }
        }
    }

    private List<String> poll() {
        List<String> payloads = new ArrayList<>();
        for (byte[] payload = target.poll(); payload != null; payload = target.poll()) {
            payloads.add(HexFormat.of().formatHex(payload));
        }
        return payloads;
    }

    /** Splits records at blanks; a hyphen is an empty record. */
    private static List<String> hex(String records) {
        return List.of(records.replace("-", "").split(" ", -1));
    }

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }
}
