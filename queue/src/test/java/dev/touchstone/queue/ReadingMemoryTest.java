package dev.touchstone.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The memory, mappings and descriptors that readers hold, none of which may wait for a garbage collection. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReadingMemoryTest {
    private static final Path MAPS = Path.of("/proc/self/maps");
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    @TempDir
    Path folder;

    private DiskQueue<String> open(Durability durability, Path at) {
        return DiskQueueBuilder.of(durability)
                .folder(at)
                .segmentBytes(64 << 10)
                .codec(Codec.utf8())
                .open();
    }

    private static String element(int number) {
        return number + " with some length to fill segments".repeat(6);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REPLICATED")
    void poll_throughManySegments_leavesNoDeletedFileMappedOrOpen(Durability durability) throws Exception {
        assumeTrue(Files.isReadable(MAPS) && Files.isReadable(DESCRIPTORS), "needs /proc");
        try (DiskQueue<String> queue = open(durability, folder)) {
            for (int i = 0; i < 5000; i++) {
                queue.add(element(i));
            }
            int segments = queue.stats().segments();
            Iterator<String> leftBehind = queue.iterator();
            assertThat(leftBehind.next()).isEqualTo(element(0));
            for (int i = 0; i < 5000; i++) {
                assertThat(queue.poll()).isEqualTo(element(i));
            }
            Waits.until("one segment left", () -> queue.stats().segments() == 1);
            Waits.until("no deleted file in use", () -> deletedFiles().isEmpty());
            assertThat(segments).isGreaterThan(10);
            assertThat(leftBehind.hasNext()).isFalse();
        }
    }

    /** Returns the deleted files of the folder that this process still maps or has open. */
    private List<String> deletedFiles() {
        List<String> found = new ArrayList<>();
        try (Stream<String> maps = Files.lines(MAPS);
                Stream<Path> descriptors = Files.list(DESCRIPTORS)) {
            maps.forEach(found::add);
            for (Path descriptor : descriptors.toList()) {
                try {
                    found.add(Files.readSymbolicLink(descriptor).toString());
                } catch (IOException e) {
                    // closed meanwhile
                }
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        found.removeIf(line -> !line.contains(folder.toString()) || !line.endsWith("(deleted)"));
        return found;
    }

    @Test
    void contains_calledManyTimes_needsOneSmallWindow() throws Exception {
        try (DiskQueue<String> queue = open(Durability.WRITTEN, folder)) {
            for (int i = 0; i < 10; i++) {
                queue.add("element " + i);
            }
            long before = Measured.directBytes();
            long peak = before;
            for (int i = 0; i < 20_000; i++) {
                assertThat(queue.contains("element " + i % 20)).isEqualTo(i % 20 < 10);
                peak = Math.max(peak, Measured.directBytes());
            }
            assertThat(peak - before).isLessThanOrEqualTo(64 << 10);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1_000, 100_000})
    void visit_stoppedInTheMiddleAgainAndAgain_leavesNoBufferToTheCollector(int elementBytes) throws Exception {
        int bytes = 6 << 20;
        try (DiskQueue<byte[]> queue = DiskQueue.written().folder(folder).open()) {
            for (int i = 0; i < bytes / elementBytes; i++) {
                queue.add(new byte[elementBytes]);
            }
            long before = Measured.directBytes();
            long peak = before;
            for (int i = 0; i < 100; i++) {
                long[] left = {bytes / 2};
                long unused = queue.visit(1, (sequence, payload) -> {
                    left[0] -= payload.remaining();
                    return left[0] > 0;
                });
                peak = Math.max(peak, Measured.directBytes());
            }
            assertThat(peak - before).as("growth of direct memory").isLessThanOrEqualTo(10 << 20);
        }
    }

    @Test
    void emptiedQueues_holdNoWindows() throws Exception {
        int count = 40;
        List<DiskQueue<String>> queues = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                queues.add(open(Durability.WRITTEN, folder.resolve("queue-" + i)));
                for (int k = 0; k < 2000; k++) {
                    queues.get(i).add(element(k));
                }
            }
            long before = Measured.directBytes();
            for (DiskQueue<String> queue : queues) {
                for (int k = 0; k < 2000; k++) {
                    assertThat(queue.poll()).isEqualTo(element(k));
                }
                assertThat(queue.poll()).isNull();
            }
            assertThat(Measured.directBytes() - before)
                    .as("what the pool may keep, whatever the number of queues")
                    .isLessThan(count * (256L << 10) / 2);
        } finally {
            queues.forEach(DiskQueue::close);
        }
    }

    @Test
    void readers_inTurn_neverSeeEachOthersWindows() {
        try (DiskQueue<String> queue = open(Durability.BATCHED, folder)) {
            for (int i = 0; i < 3000; i++) {
                queue.add(element(i));
            }
            List<Iterator<String>> iterators = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                iterators.add(queue.iterator());
            }
            QueueCursor<String> cursor = queue.cursor("audit");
            for (int i = 0; i < 3000; i++) {
                if (i % 300 == 0 && i > 0) {
                    iterators.remove(0); // abandoned half-way
                    Iterator<String> ended = queue.iterator(3000);
                    assertThat(ended.next()).isEqualTo(element(2999));
                    assertThat(ended.hasNext()).isFalse();
                    iterators.add(queue.iterator(i + 1));
                }
                for (Iterator<String> iterator : iterators) {
                    assertThat(iterator.next()).isEqualTo(element(i));
                }
                assertThat(cursor.poll()).isEqualTo(element(i));
            }
        }
    }
}
