package dev.touchstone.queue;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One byte of one element is not what was written: what each decision about it leads to. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OnDamageTest {
    private static final int ELEMENTS = 300;
    private static final int DAMAGED = 155;
    private static final String MARK = ":the element that is hit:";

    @TempDir
    Path folder;

    private final List<Damage> told = Collections.synchronizedList(new ArrayList<>());

    private DiskQueueBuilder<String> builder(Durability durability, Damage.Decision decision) {
        return DiskQueueBuilder.of(durability)
                .folder(folder)
                .segmentBytes(64 << 10)
                .codec(Codec.utf8())
                .onDamage(damage -> {
                    told.add(damage);
                    return decision;
                });
    }

    private static String element(int number) {
        return number + (number == DAMAGED ? MARK : ":") + "x".repeat(1000);
    }

    /** Fills a queue over several segments and flips a byte of one element in a segment that is not the last. */
    private void damage(Durability durability) throws IOException {
        try (DiskQueue<String> queue =
                builder(durability, Damage.Decision.THROW).open()) {
            for (int i = 0; i < ELEMENTS; i++) {
                queue.add(element(i));
            }
        }
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".seg")).toList()) {
                byte[] bytes = Files.readAllBytes(file);
                int at = new String(bytes, StandardCharsets.ISO_8859_1).indexOf(MARK);
                if (at >= 0) {
                    bytes[at] ^= 1;
                    Files.write(file, bytes);
                    return;
                }
            }
        }
        throw new AssertionError("the element was not found");
    }

    private static void expect(DiskQueue<String> queue, int from, int to) {
        for (int i = from; i < to; i++) {
            assertThat(queue.poll()).isEqualTo(element(i));
        }
    }

    /** Removes, or cuts, the files of all segments. */
    private void loseSegments(int leftBytes) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".seg")).toList()) {
                if (leftBytes < 0) {
                    Files.delete(file);
                } else {
                    Files.write(file, Arrays.copyOf(Files.readAllBytes(file), leftBytes));
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REPLICATED")
    void open_withoutTheSegmentsOfWhatWasClosed_asksAndGoesOnOnce(Durability durability) throws IOException {
        for (int leftBytes : new int[] {-1, 0, 2048}) {
            try (DiskQueue<String> queue =
                    builder(durability, Damage.Decision.THROW).open()) {
                queue.addAll(List.of("a", "b", "c"));
                assertThat(queue.poll()).isEqualTo("a");
            }
            loseSegments(leftBytes);
            told.clear();
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(
                                () -> builder(durability, Damage.Decision.THROW).open())
                        .isInstanceOf(CorruptQueueException.class);
            }
            assertThat(told).hasSizeGreaterThanOrEqualTo(2);
            try (DiskQueue<String> queue =
                    builder(durability, Damage.Decision.SKIP).open()) {
                assertThat(queue.recovery().damagedPlaces()).isPositive();
                assertThat(queue).isEmpty();
                queue.add("behind");
            }
            try (DiskQueue<String> queue =
                    builder(durability, Damage.Decision.THROW).open()) {
                assertThat(queue.recovery().damagedPlaces()).isZero();
                assertThat(queue).hasSize(1);
                assertThat(queue.poll()).isEqualTo("behind");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REPLICATED")
    void open_withAHandlerThatThrowsACheckedException_freesTheFolder(Durability durability) throws IOException {
        damage(durability);
        Files.delete(folder.resolve("0000000000000001.seg"));
        assertThatThrownBy(() -> builder(durability, Damage.Decision.THROW)
                        .onDamage(damage -> {
                            throw undeclared(new TimeoutException("checked"));
                        })
                        .open())
                .isInstanceOf(TimeoutException.class);
        builder(durability, Damage.Decision.SKIP)
                .lockTimeout(Duration.ZERO)
                .open()
                .close();
    }

    /** Throws a checked exception that no method declares. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <X extends Throwable> RuntimeException undeclared(Throwable checked) throws X {
        throw (X) checked;
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REPLICATED")
    void open_withoutACheckpointFile_tellsAndGoesOnOnce(Durability durability) throws IOException {
        for (String name : List.of("CURSOR-a", "CURSOR-b")) {
            try (DiskQueue<String> queue =
                    builder(durability, Damage.Decision.THROW).open()) {
                queue.addAll(List.of("a", "b"));
                assertThat(queue.poll()).isEqualTo("a");
            }
            Files.delete(folder.resolve(name));
            told.clear();
            try (DiskQueue<String> queue =
                    builder(durability, Damage.Decision.THROW).open()) {
                assertThat(told).hasSize(1);
                assertThat(queue.recovery().damagedPlaces()).isEqualTo(1);
                assertThat(queue.poll()).isEqualTo("b");
            }
            builder(durability, Damage.Decision.THROW).open().close();
            assertThat(told).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REPLICATED")
    void open_withoutTheOldestSegment_asksAndKeepsTheOthers(Durability durability) throws IOException {
        try (DiskQueue<String> queue =
                builder(durability, Damage.Decision.THROW).open()) {
            for (int i = 0; i < ELEMENTS; i++) {
                queue.add(element(i));
            }
        }
        Files.delete(folder.resolve("0000000000000001.seg"));
        assertThatThrownBy(() -> builder(durability, Damage.Decision.THROW).open())
                .isInstanceOf(CorruptQueueException.class);
        try (DiskQueue<String> queue = builder(durability, Damage.Decision.SKIP).open()) {
            assertThat(queue.recovery().damagedPlaces()).isEqualTo(1);
            int left = queue.size();
            assertThat(left).isBetween(1, ELEMENTS - 1);
            expect(queue, ELEMENTS - left, ELEMENTS);
            assertThat(queue).isEmpty();
        }
    }

    /** Segments that were consumed are deleted, also in a queue that only named cursors read. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REPLICATED")
    void open_withoutConsumedSegments_tellsOfNothing(Durability durability) {
        for (boolean namedOnly : new boolean[] {false, true}) {
            DiskQueueBuilder<String> settings =
                    builder(durability, Damage.Decision.THROW).folder(folder.resolve("named-" + namedOnly));
            if (namedOnly) {
                settings = settings.namedCursorsOnly();
            }
            for (int round = 0; round < 3; round++) {
                try (DiskQueue<String> queue = settings.open()) {
                    assertThat(queue.recovery().damagedPlaces()).isZero();
                    QueueCursor<String> cursor = namedOnly ? queue.cursor("named") : queue;
                    for (int i = 0; i < ELEMENTS; i++) {
                        queue.add(element(i));
                        assertThat(cursor.poll()).isEqualTo(element(i));
                    }
                }
            }
            try (DiskQueue<String> queue = settings.open()) {
                assertThat(queue.recovery().damagedPlaces()).isZero();
            }
        }
        assertThat(told).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REPLICATED")
    void skip_goesOnQuietly(Durability durability) throws IOException {
        damage(durability);
        try (DiskQueue<String> queue = builder(durability, Damage.Decision.SKIP).open()) {
            List<String> expected = IntStream.range(0, ELEMENTS)
                    .filter(i -> i != DAMAGED)
                    .mapToObj(OnDamageTest::element)
                    .toList();
            assertThat(new ArrayList<>(queue)).isEqualTo(expected);
            expect(queue, 0, DAMAGED);
            assertThat(queue.size()).isEqualTo(ELEMENTS - DAMAGED);
            expect(queue, DAMAGED + 1, ELEMENTS);
            assertThat(queue.poll()).isNull();
            assertThat(queue).isEmpty();
            assertThat(queue.stats().skipped()).isEqualTo(1);
            assertThat(told).isNotEmpty().allSatisfy(damage -> {
                assertThat(damage.file().getParent()).isEqualTo(folder);
                assertThat(damage.offset()).isPositive();
                assertThat(damage.expected()).isNotEqualTo(damage.got());
            });
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REPLICATED")
    void throw_saysSoOnceAndGoesOnBehind(Durability durability) throws IOException {
        damage(durability);
        try (DiskQueue<String> queue =
                builder(durability, Damage.Decision.THROW).open()) {
            expect(queue, 0, DAMAGED);
            assertThatThrownBy(queue::poll)
                    .isInstanceOf(CorruptQueueException.class)
                    .hasMessageContaining("file=")
                    .hasMessageContaining("offset=");
            assertThat(queue.stats().skipped()).isEqualTo(1);
            assertThat(queue.size()).isEqualTo(ELEMENTS - DAMAGED - 1);
            expect(queue, DAMAGED + 1, ELEMENTS);
            assertThat(queue).isEmpty();
        }
        try (DiskQueue<String> queue =
                builder(durability, Damage.Decision.THROW).open()) {
            assertThat(queue.poll()).isNull();
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REPLICATED")
    void throw_byALease_saysSoOnceAndGoesOnBehind(Durability durability) throws IOException {
        damage(durability);
        try (DiskQueue<String> queue =
                builder(durability, Damage.Decision.THROW).open()) {
            for (int i = 0; i < DAMAGED; i++) {
                assertThat(requireNonNull(queue.lease()).ack()).isTrue();
            }
            assertThatThrownBy(queue::lease).isInstanceOf(CorruptQueueException.class);
            expect(queue, DAMAGED + 1, ELEMENTS);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REPLICATED")
    void stop_saysSoEveryTimeUntilSomebodyDecidesOtherwise(Durability durability) throws IOException {
        damage(durability);
        try (DiskQueue<String> queue = builder(durability, Damage.Decision.STOP).open()) {
            expect(queue, 0, DAMAGED);
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(queue::poll).isInstanceOf(CorruptQueueException.class);
                assertThatThrownBy(queue::peek).isInstanceOf(CorruptQueueException.class);
                assertThatThrownBy(queue::lease).isInstanceOf(CorruptQueueException.class);
            }
            queue.add("behind");
            assertThat(queue.size()).isEqualTo(ELEMENTS - DAMAGED + 1);
            assertThat(queue.stats().skipped()).isZero();
        }
        try (DiskQueue<String> queue = builder(durability, Damage.Decision.SKIP).open()) {
            expect(queue, DAMAGED + 1, ELEMENTS);
            assertThat(queue.poll()).isEqualTo("behind");
            assertThat(queue.poll()).isNull();
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REPLICATED")
    void open_afterTheLastNamedCursorWasDropped_isNoDamage(Durability durability) {
        DiskQueueBuilder<byte[]> builder = DiskQueueBuilder.of(durability)
                .folder(folder.resolve("named"))
                .segmentBytes(64 << 10)
                .codec(Codec.bytes());
        try (DiskQueue<byte[]> queue = builder.namedCursorsOnly().open()) {
            QueueCursor<byte[]> named = queue.cursor("named");
            for (int i = 0; i < 200; i++) {
                queue.add(new byte[1000]);
            }
            for (int i = 0; i < 190; i++) {
                assertThat(named.poll()).isNotNull();
            }
            Waits.until("segments taken back", () -> queue.stats().oldestSequence() > 100);
            assertThat(queue.dropCursor("named")).isTrue();
        }
        try (DiskQueue<byte[]> queue = builder.open()) {
            assertThat(queue.recovery().damagedPlaces()).isZero();
            assertThat(queue.size()).isBetween(10, 100);
            assertThat(queue.poll()).isNotNull();
        }
    }
}
