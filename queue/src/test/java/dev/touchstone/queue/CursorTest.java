package dev.touchstone.queue;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Named cursors: each gets every element, whatever the others do. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CursorTest {
    private static final String LONG = "x".repeat(4000);
    private static final int ELEMENTS = 200; // a dozen segments and more

    @TempDir
    Path folder;

    private DiskQueueBuilder<String> builder(Durability durability) {
        return DiskQueueBuilder.of(durability)
                .folder(folder.resolve("queue"))
                .segmentBytes(64 << 10)
                .codec(Codec.utf8());
    }

    private static void fill(DiskQueue<String> queue) {
        for (int i = 0; i < ELEMENTS; i++) {
            queue.add(i + LONG);
        }
    }

    private static void drain(QueueCursor<String> cursor) {
        for (int i = 0; i < ELEMENTS; i++) {
            assertThat(cursor.poll()).isEqualTo(i + LONG);
        }
        assertThat(cursor.poll()).isNull();
    }

    @ParameterizedTest
    @EnumSource
    void cursor_thatReadsNothing_holdsSegmentsAlsoOverAReopen(Durability durability) {
        try (DiskQueue<String> queue = builder(durability).open()) {
            queue.cursor("slow");
            fill(queue);
            drain(queue);
        }
        try (DiskQueue<String> queue = builder(durability).open()) {
            assertThat(queue).isEmpty();
            assertThat(queue.cursorNames()).containsExactly("slow");
            assertThat(queue.stats().segments()).isGreaterThan(10);
            QueueCursor<String> slow = queue.cursor("slow");
            assertThat(slow.longSize()).isEqualTo(ELEMENTS);
            drain(slow);
            Waits.until("segments taken back", () -> queue.stats().segments() <= 2);
        }
    }

    @Test
    void findCursor_makesNone_andFindsThoseOfAnEarlierUse() {
        try (DiskQueue<String> queue = builder(Durability.WRITTEN).open()) {
            assertThat(queue.findCursor("audit")).isNull();
            assertThat(queue.cursorNames()).isEmpty();
            QueueCursor<String> audit = queue.cursor("audit");
            queue.add("a");
            assertThat(queue.findCursor("audit")).isSameAs(audit);
        }
        DiskQueue<String> queue = builder(Durability.WRITTEN).open();
        QueueCursor<String> found = requireNonNull(queue.findCursor("audit"));
        assertThat(queue.cursor("audit")).isSameAs(found);
        assertThat(queue.findCursor("not a name")).isNull();
        queue.cursor("other");
        assertThat(queue.dropCursor("other")).isTrue();
        assertThat(queue.findCursor("other")).isNull();
        queue.close();
        assertThat(requireNonNull(queue.findCursor("audit")).longSize()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void dropCursor_ofTheSlowest_freesWhatItHeld(Durability durability) {
        try (DiskQueue<String> queue = builder(durability).open()) {
            QueueCursor<String> slow = queue.cursor("slow");
            fill(queue);
            drain(queue);
            assertThat(queue.stats().segments()).isGreaterThan(10);
            assertThat(queue.dropCursor("slow")).isTrue();
            assertThat(queue.dropCursor("slow")).isFalse();
            assertThat(queue.cursorNames()).isEmpty();
            assertThatThrownBy(slow::poll).isInstanceOf(QueueClosedException.class);
            Waits.until("segments taken back", () -> queue.stats().segments() <= 2);
            assertThat(queue.cursor("slow").longSize()).isZero();
        }
    }

    /** Taking files back in the background must not take a cursor that goes away for a failure of the disk. */
    @ParameterizedTest
    @EnumSource
    void dropCursor_whileSegmentsAreTakenBack_leavesTheQueueWorking(Durability durability) {
        try (DiskQueue<String> queue = builder(durability).open()) {
            for (int i = 0; i < 600; i++) {
                QueueCursor<String> fleeting = queue.cursor("fleeting" + i % 3);
                queue.add(i + LONG);
                assertThat(fleeting.poll()).isEqualTo(i + LONG);
                assertThat(queue.poll()).isEqualTo(i + LONG);
                assertThat(queue.dropCursor("fleeting" + i % 3)).isTrue();
            }
            queue.flush();
        }
    }

    /** Making a cursor must not lose the place where it begins to a consumer that goes on. */
    @ParameterizedTest
    @EnumSource
    void cursor_madeWhileElementsAreConsumed_beginsWithSomethingThatIsThere(Durability durability) throws Exception {
        try (DiskQueue<String> queue = builder(durability).open()) {
            Thread consumer = new Thread(() -> {
                for (int i = 0; i < 1000; i++) {
                    queue.add(i + LONG);
                    queue.remove();
                }
            });
            consumer.start();
            for (int i = 0; consumer.isAlive(); i++) {
                QueueCursor<String> made = queue.cursor("made" + i % 3);
                String element = made.poll();
                assertThat(element == null || element.endsWith(LONG)).isTrue();
                assertThat(queue.dropCursor("made" + i % 3)).isTrue();
            }
            consumer.join();
            assertThat(queue.stats().appended()).isEqualTo(1000);
            assertThat(queue).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void namedCursorsOnly_keepsElementsUntilAllHaveRemovedThem(Durability durability) {
        DiskQueueBuilder<String> builder = builder(durability).namedCursorsOnly();
        try (DiskQueue<String> queue = builder.open()) {
            fill(queue);
            assertThat(queue.size()).isEqualTo(ELEMENTS);
            assertThatThrownBy(queue::poll).isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(queue::peek).isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(queue::lease).isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(queue::clear).isInstanceOf(UnsupportedOperationException.class);
            QueueCursor<String> first = queue.cursor("first");
            QueueCursor<String> second = queue.cursor("second");
            drain(first);
            assertThat(queue.size()).isEqualTo(ELEMENTS);
            assertThat(second.poll()).isEqualTo("0" + LONG);
            assertThat(queue.size()).isEqualTo(ELEMENTS - 1);
        }
        try (DiskQueue<String> queue = builder.open()) {
            assertThat(queue.size()).isEqualTo(ELEMENTS - 1);
            assertThat(queue.cursor("first").poll()).isNull();
            queue.cursor("second").clear();
            assertThat(queue).isEmpty();
            Waits.until("segments taken back", () -> queue.stats().segments() <= 2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void namedCursorsOnly_iterated_beginsWhereTheSlowestCursorIs(Durability durability) {
        DiskQueueBuilder<String> builder = builder(durability).namedCursorsOnly();
        try (DiskQueue<String> queue = builder.open()) {
            QueueCursor<String> fast = queue.cursor("fast");
            QueueCursor<String> slow = queue.cursor("slow");
            queue.addAll(List.of("a", "b", "c", "d"));
            assertThat(fast.poll()).isEqualTo("a");
            assertThat(fast.poll()).isEqualTo("b");
            assertThat(slow.poll()).isEqualTo("a");
            assertThat(queue.stream().toList()).containsExactly("b", "c", "d");
            assertThat(new ArrayList<>(queue.blocking())).hasSize(queue.size());
            assertThat(queue.contains("a")).isFalse();
            assertThat(queue).hasToString("[b, c, d]");
        }
        try (DiskQueue<String> queue = builder.open()) {
            assertThat(queue.stream().toList()).containsExactly("b", "c", "d");
        }
    }

    @ParameterizedTest
    @EnumSource
    void namedCursorsOnly_withALimit_countsWhatTheSlowestHasLeft(Durability durability) {
        DiskQueueBuilder<String> builder =
                builder(durability).namedCursorsOnly().maxElements(3).whenFull(WhenFull.REJECT);
        try (DiskQueue<String> queue = builder.open()) {
            assertThat(queue.offerAll(List.of("a", "b", "c"))).isTrue();
            assertThat(queue.offer("d")).isFalse();
            QueueCursor<String> fast = queue.cursor("fast");
            QueueCursor<String> slow = queue.cursor("slow");
            assertThat(fast.poll()).isEqualTo("a");
            assertThat(queue.offer("d")).isFalse();
            assertThat(slow.poll()).isEqualTo("a");
            assertThat(queue.offer("d")).isTrue();
            assertThat(queue.offer("e")).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".",
                "..",
                ".hidden",
                "../x",
                "a/b",
                "/etc",
                "a\\b",
                "a b",
                "ä",
                "a\n",
                "-a",
                "_a",
                "a\0",
                "a1234567890123456789012345678901234567890123456789012345678901234"
            })
    void cursor_withANameThatIsNone_isRefusedAndMakesNoFile(String name) throws IOException {
        try (DiskQueue<String> queue = builder(Durability.WRITTEN).open()) {
            assertThatThrownBy(() -> queue.cursor(name)).isInstanceOf(IllegalArgumentException.class);
            assertThat(queue.dropCursor(name)).isFalse();
            assertThat(queue.cursorNames()).isEmpty();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            assertThat(files.map(file -> file.getFileName().toString())).noneMatch(file -> file.contains("cursor-"));
        }
    }

    @Test
    void cursor_ofTheLongestName_isKept() {
        String name = "Z" + "9".repeat(63);
        try (DiskQueue<String> queue = builder(Durability.WRITTEN).open()) {
            queue.add("a");
            assertThat(queue.cursor(name)).isSameAs(queue.cursor(name));
        }
        try (DiskQueue<String> queue = builder(Durability.WRITTEN).open()) {
            assertThat(queue.cursor(name).poll()).isEqualTo("a");
        }
    }

    @Test
    void cursor_beyondTheSixtyThird_isRefused() {
        try (DiskQueue<String> queue = builder(Durability.WRITTEN).open()) {
            for (int i = 0; i < 63; i++) {
                queue.cursor("c" + i);
            }
            assertThatThrownBy(() -> queue.cursor("c63")).isInstanceOf(IllegalArgumentException.class);
            assertThat(requireNonNull(queue.cursorNames())).hasSize(63);
            assertThat(queue.dropCursor("c5")).isTrue();
            assertThat(queue.cursor("c63").longSize()).isZero();
        }
    }
}
