package dev.touchstone.queue.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.queue.DiskQueue;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Damaged folders of popout: a typed error or the records before it, no hang, and no more memory than the file has bytes. */
@Tag("sweep")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PopoutDamageTest {
    private static final int HUGE = 0x7fffffff;

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

    /** Writes two compressed files, the first one half consumed, and two wal files. */
    private void fill(Format format) throws IOException {
        if (Files.exists(source)) {
            Migrated.delete(source);
        }
        Files.createDirectory(source);
        PopoutWriter queue = new PopoutWriter(source, "queue");
        for (int block = 0; block < 8; block++) {
            if (block == 3 || block == 6) {
                queue.compress(0);
            }
            queue.append(
                    format == Format.POPOUT_SYNCED
                            ? PopoutWriter.record(bytes("record-" + block))
                            : PopoutWriter.batch(
                                    List.of(bytes("a-" + block), bytes("b-" + block), bytes("c-" + block)),
                                    List.of(1)));
        }
        queue.poll();
    }

    private static List<String> whole(Format format) {
        return format == Format.POPOUT_SYNCED
                ? IntStream.range(1, 8).mapToObj(i -> "record-" + i).toList()
                : IntStream.range(1, 8)
                        .boxed()
                        .flatMap(i -> Stream.of("a-" + i, "c-" + i))
                        .toList();
    }

    @ParameterizedTest
    @EnumSource(
            value = Format.class,
            names = {"POPOUT_SYNCED", "POPOUT_BATCHED"})
    void truncated_eachFileAtEachByte_prefixOrTypedError(Format format) throws IOException {
        fill(format);
        List<String> whole = whole(format);
        assertThat(Migrated.from(source, target).records()).isEqualTo(whole);
        for (Path file : files()) {
            byte[] content = Files.readAllBytes(file);
            for (int bytes = 0; bytes < content.length; bytes++) {
                Files.write(file, Arrays.copyOf(content, bytes));
                String what = file.getFileName() + " cut at " + bytes;
                Migrated strict = Migrated.from(source, target);
                if (bytes == 0 && !file.endsWith("queue-0.compressed")) {
                    assertThat(strict.done().harmlessPlaces()).as(what).isEqualTo(1);
                    assertThat(strict.arePartOf(whole)).as(what).isTrue();
                } else {
                    assertThat(strict.damage())
                            .as(what)
                            .hasMessageMatching("(?s)corrupt .* file=.* offset=.* expected=.* got=.*");
                    assertThat(strict.records())
                            .as(what)
                            .isEqualTo(whole.subList(0, strict.records().size()));
                }
                Migrated skipping =
                        Migrated.from(source, target, m -> m.skipDamaged().format(format));
                assertThat(skipping.arePartOf(whole)).as(what).isTrue();
                assertThat(skipping.done().damagedPlaces() + skipping.done().harmlessPlaces())
                        .as(what)
                        .isEqualTo(1);
            }
            Files.write(file, content);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Format.class,
            names = {"POPOUT_SYNCED", "POPOUT_BATCHED"})
    void overwritten_eachByte_endsWithoutUntypedErrors(Format format) throws IOException {
        fill(format);
        for (Path file : files()) {
            byte[] content = Files.readAllBytes(file);
            for (int at = 0; at < content.length; at++) {
                for (int flip : new int[] {1, 0x80, content[at] & 0xff, 0xff}) {
                    byte[] damaged = content.clone();
                    damaged[at] ^= (byte) flip;
                    Files.write(file, damaged);
                    Migrated skipping =
                            Migrated.from(source, target, m -> m.skipDamaged().format(format));
                    assertThat(skipping.records())
                            .as("%s at %d", file, at)
                            .hasSizeLessThan(whole(format).size() + 4);
                    Migrated.from(source, target);
                }
            }
            Files.write(file, content);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {HUGE, -1, Integer.MIN_VALUE, 0, 7, 9})
    void length_ofASyncedRecord_oneRecordLost(int length) throws IOException {
        fill(Format.POPOUT_SYNCED);
        PopoutWriter.overwrite(source.resolve("queue-6.wal"), 0, number(length));
        Migrated strict = Migrated.from(source, target);
        assertThat(Objects.requireNonNull(strict.damage()))
                .hasMessageContaining("queue-6.wal offset=0 expected=8 got=" + length);
        assertThat(strict.damage().file()).isEqualTo(source.resolve("queue-6.wal"));
        assertThat(strict.damage().offset()).isZero();
        Migrated skipping = Migrated.skipping(source, target);
        assertThat(skipping.records()).hasSize(6).doesNotContain("record-6").contains("record-7");
        assertThat(skipping.done().skipped()).singleElement().satisfies(place -> {
            assertThat(place.damage()).isTrue();
            assertThat(place.reason()).endsWith("; 1 record lost");
        });
    }

    @ParameterizedTest
    @ValueSource(longs = {HUGE, Long.MAX_VALUE, Long.MIN_VALUE, -1, 1L << 32})
    void length_ofACompressedEntry_restOfTheFileLost(long length) throws IOException {
        fill(Format.POPOUT_SYNCED);
        Path file = source.resolve("queue-1.compressed");
        PopoutWriter.overwrite(file, 9 + 12, PopoutWriter.entry(1, length));
        assertThat(Migrated.from(source, target).damage()).hasMessageContaining("offset=22 expected=0..");
        assertThat(Migrated.skipping(source, target).records())
                .containsExactly("record-1", "record-2", "record-3", "record-6", "record-7");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 8, -1, Long.MAX_VALUE, 10_000})
    void jump_notForwardWithinTheFile_typedError(long to) throws IOException {
        fill(Format.POPOUT_SYNCED);
        PopoutWriter.overwrite(source.resolve("queue-0.compressed"), 0, PopoutWriter.entry(2, to));
        assertThat(Migrated.from(source, target).damage()).hasMessageContaining("jump target");
        assertThat(Migrated.skipping(source, target).records())
                .startsWith("record-3")
                .endsWith("record-7");
    }

    @Test
    void zeroTail_nobodyHasTheRest_typedErrorOrPrefix() throws IOException {
        fill(Format.POPOUT_SYNCED);
        PopoutWriter.zeroFrom(source.resolve("queue-1.compressed"), 2 * (9 + 12));
        assertThat(Migrated.from(source, target).damage()).hasMessageContaining("got=nothing but zeros");
        Migrated skipping = Migrated.skipping(source, target);
        assertThat(skipping.records())
                .containsExactly("record-1", "record-2", "record-3", "record-4", "record-6", "record-7");
        assertThat(skipping.done().damagedPlaces()).isEqualTo(1);
    }

    @Test
    void zeroTail_notZeroAgainLater_typedError() throws IOException {
        fill(Format.POPOUT_SYNCED);
        Path file = source.resolve("queue-1.compressed");
        PopoutWriter.overwrite(file, 9 + 12, new byte[12]);
        assertThat(Migrated.from(source, target).damage()).hasMessageContaining("byte after an entry marker of 0");
    }

    @Test
    void zeroTail_walsAreNoCopies_typedError() throws IOException {
        PopoutWriter queue = new PopoutWriter(source, "queue");
        queue.append(PopoutWriter.record(bytes("one")));
        queue.append(PopoutWriter.record(bytes("two")));
        Path compressed = queue.compress(0);
        queue.append(PopoutWriter.record(bytes("three")));
        queue.append(PopoutWriter.record(bytes("four")));
        PopoutWriter.zeroFrom(compressed, 9 + 4 + 3 + 9);
        assertThat(Migrated.from(source, target).damage()).isNotNull();
        PopoutWriter.overwrite(compressed, 9 + 4 + 3, new byte[] {7});
        assertThat(Migrated.from(source, target).damage()).hasMessageContaining("entry marker");
    }

    @Test
    void zeroTail_walsAreEqualButNewer_typedError() throws IOException {
        PopoutWriter queue = new PopoutWriter(source, "queue");
        for (int i = 0; i < 6; i++) {
            queue.append(PopoutWriter.record(bytes("tick")));
            if (i == 3) {
                Path compressed = queue.compress(0);
                PopoutWriter.zeroFrom(compressed, 2 * (9 + 4 + 4));
                Files.setLastModifiedTime(compressed, FileTime.fromMillis(1_000));
            }
        }
        assertThat(Migrated.from(source, target).damage()).hasMessageContaining("nothing but zeros");
        assertThat(Migrated.skipping(source, target).records()).hasSize(4);
    }

    @ParameterizedTest
    @ValueSource(ints = {HUGE, -1, Integer.MIN_VALUE, 0, 2, 4})
    void count_ofABatch_theBatchLost(int count) throws IOException {
        fill(Format.POPOUT_BATCHED);
        PopoutWriter.overwrite(source.resolve("queue-6.wal"), 0, number(count));
        assertThat(Migrated.from(source, target).damage()).isNotNull();
        Migrated skipping = Migrated.skipping(source, target);
        assertThat(skipping.arePartOf(whole(Format.POPOUT_BATCHED))).isTrue();
        assertThat(skipping.records()).hasSizeGreaterThanOrEqualTo(12).endsWith("c-7");
    }

    @ParameterizedTest
    @ValueSource(ints = {HUGE, -HUGE, Integer.MIN_VALUE, 4, 2, 0})
    void length_inABatch_itsRestLost(int length) throws IOException {
        fill(Format.POPOUT_BATCHED);
        PopoutWriter.overwrite(source.resolve("queue-6.wal"), 4 + 7, number(length));
        assertThat(Migrated.from(source, target).damage()).hasMessageContaining("queue-6.wal");
        Migrated skipping = Migrated.skipping(source, target);
        assertThat(skipping.arePartOf(whole(Format.POPOUT_BATCHED))).isTrue();
        assertThat(skipping.records()).endsWith("a-7", "c-7");
        assertThat(skipping.done().damagedPlaces()).isEqualTo(1);
    }

    @Test
    void record_longerThanTheLimit_typedErrorOrSkipped() throws IOException {
        fill(Format.POPOUT_SYNCED);
        Files.write(source.resolve("queue-9.wal"), PopoutWriter.record(new byte[1_000]));
        assertThat(Migrated.from(source, target, m -> m.maxRecordBytes(999)).damage())
                .hasMessageContaining("expected=at most 999 got=1000");
        assertThat(Migrated.from(source, target, m -> m.maxRecordBytes(999).skipDamaged())
                        .records())
                .isEqualTo(whole(Format.POPOUT_SYNCED));
        assertThat(Migrated.from(source, target, m -> m.maxRecordBytes(1_000)).records())
                .hasSize(8);
    }

    @Test
    void format_neitherSyncedNorBatched_typedErrorThatShowsTheFirstNumber() throws IOException {
        Files.writeString(source.resolve("queue-0.wal"), "some text");
        assertThat(Migrated.from(source, target).damage())
                .hasMessageContaining("expected=a record or a batch got=a first number of 1936682341");
    }

    @Test
    void format_toldWrongly_everyBlockIsDamage() throws IOException {
        fill(Format.POPOUT_SYNCED);
        Migrated skipping = Migrated.from(source, target, m -> m.skipDamaged().format(Format.POPOUT_BATCHED));
        assertThat(skipping.records()).isEmpty();
        assertThat(skipping.done().damagedPlaces()).isEqualTo(7);
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(source)) {
            return files.sorted(Comparator.naturalOrder()).toList();
        }
    }

    private static byte[] number(int value) {
        return ByteBuffer.allocate(4).putInt(value).array();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
