package dev.touchstone.queue.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import com.squareup.tape2.QueueFile;
import dev.touchstone.queue.DiskQueue;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that tape itself writes, with both of its headers, undamaged and damaged. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TapeMigrationTest {
    private static final int FILE_BYTES = 4096;
    private static final int WRAPPING = 300; // elements of up to 40 bytes, enough for several rounds of the ring

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path temp;

    @SuppressWarnings("NullAway.Init")
    private DiskQueue<byte[]> target;

    @BeforeEach
    void open() {
        target = Migrated.target(temp);
    }

    @AfterEach
    void close() {
        target.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void tape_neverRemoved_allInOrder(boolean legacy) throws IOException {
        Path file = write(legacy, 0, 20);
        Migrated migrated = Migrated.from(file, target);
        assertThat(migrated.records()).isEqualTo(names(0, 20));
        assertThat(migrated.done().format()).isEqualTo(Format.TAPE);
        assertThat(Files.readAllBytes(file)[0] & 0x80).isEqualTo(legacy ? 0 : 0x80);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void tape_empty_nothing(boolean legacy) throws IOException {
        assertThat(Migrated.from(write(legacy, 0, 0), target).records()).isEmpty();
        assertThat(Migrated.from(write(legacy, 5, 5), target).records()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void tape_halfConsumed_theRest(boolean legacy) throws IOException {
        assertThat(Migrated.from(write(legacy, 7, 20), target).records()).isEqualTo(names(7, 20));
    }

    /** Moves elements of many lengths through the ring, so that payloads and lengths cross its end at every offset. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void tape_wrapped_eachRecordInOrder(boolean legacy) throws IOException {
        Path file = temp.resolve("wrapped");
        int wrapped = 0;
        try (QueueFile queue = open(file, legacy)) {
            for (int i = 0; i < WRAPPING; i++) {
                queue.add(payload(i));
                if (queue.size() > 90) {
                    queue.remove();
                }
                int oldest = i + 1 - queue.size();
                if (i > 150) {
                    assertThat(Migrated.from(file, target).records()).isEqualTo(names(oldest, i + 1));
                    wrapped += lastIsBeforeFirst(file, legacy) ? 1 : 0;
                }
            }
        }
        assertThat(file).hasSize(FILE_BYTES);
        assertThat(wrapped).isGreaterThan(50);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void tape_expanded_allInOrder(boolean legacy) throws IOException {
        Path file = write(legacy, 150, 800);
        assertThat(Files.size(file)).isGreaterThan(FILE_BYTES);
        assertThat(Migrated.from(file, target).records()).isEqualTo(names(150, 800));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void header_zeroed_typedErrorEvenWhereDamageIsSkipped(boolean legacy) throws IOException {
        Path file = write(legacy, 0, 5);
        PopoutWriter.overwrite(file, 0, new byte[32]);
        assertThat(Migrated.from(file, target).damage()).hasMessageContaining("tape file length in its header");
        assertThat(Migrated.skipping(file, target).damage()).hasMessageContaining("got=0");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 80000002, tape version",
        "0, 7fffffff, tape first or last position",
        "4, ffffffff, tape file length",
        "4, 00000001, tape file length",
        "12, ffffffff, tape element count",
        "12, 00000000, tape first or last position",
        "12, 00000006, element length",
        "12, 00000004, end of 4 elements",
        "16, 00000001, tape first or last position",
        "20, 0000001f, tape first or last position",
        "20, 00000021, element length",
        "28, 00001000, tape first or last position",
        "28, 00000000, tape first or last position",
        "28, 00000ff8, end of 5 elements",
    })
    void header_overwritten_typedErrorAndNothingCopied(int at, String value, String message) throws IOException {
        Path file = write(false, 0, 5);
        PopoutWriter.overwrite(file, at, number(Integer.parseUnsignedInt(value, 16)));
        Migrated migrated = Migrated.from(file, target);
        assertThat(migrated.damage()).hasMessageContaining(message);
        assertThat(migrated.records()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"7fffffff", "ffffffff", "80000000", "00001000", "00000001", "00000000"})
    void length_damaged_typedErrorThenTheRecordsBefore(String value) throws IOException {
        Path file = write(false, 0, 6);
        int third = 32 + 2 * 4 + payload(0).length + payload(1).length;
        PopoutWriter.overwrite(file, third, number(Integer.parseUnsignedInt(value, 16)));
        Migrated migrated = Migrated.from(file, target);
        assertThat(migrated.damage()).hasMessageContaining("offset=").hasMessageContaining("expected=");
        assertThat(migrated.records()).isEmpty();
        Migrated skipping = Migrated.skipping(file, target);
        assertThat(skipping.records())
                .isEqualTo(names(0, skipping.records().size()))
                .hasSizeBetween(1, 2);
        assertThat(skipping.done().damagedPlaces()).isEqualTo(1);
        assertThat(skipping.done().skipped().get(0).reason()).contains(" of 6 elements lost");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void truncated_atEachByte_typedErrorOrPrefix(boolean legacy) throws IOException {
        Path file = write(legacy, 0, 6);
        byte[] content = Files.readAllBytes(file);
        int used =
                16 + 16 + IntStream.range(0, 6).map(i -> 4 + payload(i).length).sum();
        for (int bytes = 0; bytes <= used; bytes++) {
            Files.write(file, Arrays.copyOf(content, bytes));
            Migrated migrated = Migrated.from(file, target);
            assertThat(migrated.damage()).as("cut at %d", bytes).isNotNull();
            assertThat(migrated.records()).isEmpty();
            Migrated skipping = Migrated.skipping(file, target);
            assertThat(skipping.records())
                    .as("cut at %d", bytes)
                    .isEqualTo(names(0, skipping.records().size()));
        }
    }

    /** Excludes the newest element: a wrong length that fits into the ring cannot be detected there. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void overwritten_eachBitOfHeaderAndLengths_neverAWrongRecordButTheNewest(boolean legacy) throws IOException {
        Path file = write(legacy, 2, 8);
        byte[] content = Files.readAllBytes(file);
        int at = legacy ? 16 : 32;
        List<Integer> places = new ArrayList<>(IntStream.range(0, at).boxed().toList());
        for (int i = 0; i < 8; i++) {
            places.addAll(List.of(at, at + 1, at + 2, at + 3));
            at += 4 + payload(i).length;
        }
        int newest = at - payload(7).length - 4;
        for (int place : places) {
            List<String> whole = names(2, place < newest ? 8 : 7);
            for (int flip = 1; flip < 256; flip <<= 1) {
                byte[] damaged = content.clone();
                damaged[place] ^= (byte) flip;
                Files.write(file, damaged);
                String what = "byte " + place + " flip " + flip;
                Migrated migrated = Migrated.from(file, target);
                if (migrated.damage() == null) {
                    assertThat(migrated.records()).as(what).hasSize(6).startsWith(whole.toArray(new String[0]));
                }
                List<String> skipping = Migrated.skipping(file, target).records();
                assertThat(skipping)
                        .as(what)
                        .startsWith(names(2, 2 + Math.min(5, skipping.size())).toArray(new String[0]));
            }
        }
    }

    private Path write(boolean legacy, int removed, int added) throws IOException {
        Path file = temp.resolve("tape-" + legacy + "-" + removed + "-" + added);
        try (QueueFile queue = open(file, legacy)) {
            for (int i = 0; i < added; i++) {
                queue.add(payload(i));
            }
            if (removed > 0) {
                queue.remove(removed);
            }
        }
        return file;
    }

    private static QueueFile open(Path file, boolean legacy) throws IOException {
        return new QueueFile.Builder(file.toFile()).forceLegacy(legacy).build();
    }

    private static boolean lastIsBeforeFirst(Path file, boolean legacy) throws IOException {
        ByteBuffer header = ByteBuffer.wrap(Files.readAllBytes(file));
        return legacy ? header.getInt(12) < header.getInt(8) : header.getLong(24) < header.getLong(16);
    }

    private static byte[] payload(int number) {
        return name(number).getBytes(StandardCharsets.UTF_8);
    }

    private static List<String> names(int from, int to) {
        return IntStream.range(from, to).mapToObj(TapeMigrationTest::name).toList();
    }

    private static String name(int number) {
        return "element-" + number + "x".repeat(number * 7 % 29);
    }

    private static byte[] number(int value) {
        return ByteBuffer.allocate(4).putInt(value).array();
    }
}
