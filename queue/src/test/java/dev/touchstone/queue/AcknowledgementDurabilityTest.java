package dev.touchstone.queue;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Acknowledged elements stay removed: a full lease window, half or more of it acknowledged in some order, and the queue opened again after
 * a flush or a close. Exactly the other elements are still there. {@code -Dseed} repeats a run; killed processes and power cuts are
 * tried by {@code scripts/queue-torture}.
 */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AcknowledgementDurabilityTest {
    private static final List<String> NAMES = List.of("audit", "billing", "mail");
    private static final int LARGE_WINDOW = 100_000;

    @TempDir
    Path folder;

    /** Order in which leases are acknowledged. */
    enum Order {
        ASCENDING,
        DESCENDING,
        RANDOM,
        /** Every second lease, then a random half of the others. */
        EVERY_SECOND_FIRST;

        /** Returns the sequences to acknowledge of {@code 1..window}, in this order. */
        List<Long> acknowledged(int window, Random random) {
            List<Long> all = new ArrayList<>();
            List<Long> seconds = new ArrayList<>();
            for (long sequence = 1; sequence <= window; sequence++) {
                (this == EVERY_SECOND_FIRST && sequence % 2 == 0 ? seconds : all).add(sequence);
            }
            Collections.shuffle(all, random);
            List<Long> chosen = new ArrayList<>(all.subList(0, all.size() / 2));
            if (this == ASCENDING) {
                Collections.sort(chosen);
            } else if (this == DESCENDING) {
                chosen.sort(Collections.reverseOrder());
            }
            seconds.addAll(chosen);
            return seconds;
        }
    }

    /** Event after which the elements are read again. */
    enum End {
        FLUSH,
        CLOSE
    }

    /**
     * One combination.
     *
     * @param named whether three named cursors consume instead of the queue's own
     */
    record Scenario(int window, Order order, End end, Durability durability, boolean named) {

        static Stream<Scenario> of(int... windows) {
            return IntStream.of(windows)
                    .boxed()
                    .flatMap(window -> Arrays.stream(Order.values())
                            .flatMap(order -> Arrays.stream(End.values())
                                    .flatMap(end -> Stream.of(Durability.WRITTEN, Durability.BATCHED, Durability.SYNCED)
                                            .flatMap(durability -> Stream.of(false, true)
                                                    .map(named ->
                                                            new Scenario(window, order, end, durability, named))))));
        }

        DiskQueueBuilder<String> builder(Path folder) {
            DiskQueueBuilder<String> builder = DiskQueueBuilder.of(durability)
                    .folder(folder)
                    .segmentBytes(window < LARGE_WINDOW ? 64 << 10 : 1 << 20)
                    .leases(window, Duration.ofHours(1))
                    .codec(Codec.utf8());
            return named ? builder.namedCursorsOnly() : builder;
        }

        List<QueueCursor<String>> cursors(DiskQueue<String> queue) {
            return named ? NAMES.stream().map(queue::cursor).toList() : List.of(queue);
        }
    }

    static Stream<Scenario> small() {
        return Scenario.of(250);
    }

    @ParameterizedTest
    @MethodSource("small")
    void reopened_smallWindow_hasExactlyTheElementsNotAcknowledged(Scenario scenario) throws IOException {
        check(scenario);
    }

    static Stream<Scenario> medium() {
        return Scenario.of(1_000);
    }

    static Stream<Scenario> large() {
        return Scenario.of(10_000, LARGE_WINDOW);
    }

    @ParameterizedTest
    @MethodSource("medium")
    void reopened_mediumWindow_hasExactlyTheElementsNotAcknowledged(Scenario scenario) throws IOException {
        check(scenario);
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("large")
    void reopened_largeWindow_hasExactlyTheElementsNotAcknowledged(Scenario scenario) throws IOException {
        check(scenario);
    }

    private void check(Scenario scenario) throws IOException {
        long seed = Long.getLong("seed", System.nanoTime());
        Random random = new Random(seed);
        List<Set<Long>> left = new ArrayList<>();
        Path reopened = folder.resolve("queue");
        DiskQueue<String> queue = scenario.builder(reopened).open();
        try (queue) {
            List<QueueCursor<String>> cursors = scenario.cursors(queue);
            List<String> elements = IntStream.rangeClosed(1, scenario.window())
                    .mapToObj(AcknowledgementDurabilityTest::element)
                    .toList();
            assertThat(queue.offerAll(elements)).isTrue();
            for (QueueCursor<String> cursor : cursors) {
                left.add(acknowledgeSome(cursor, scenario, random));
            }
            if (scenario.end() == End.FLUSH) {
                queue.flush();
                reopened = copy(reopened, folder.resolve("copy"));
            }
        }
        try (DiskQueue<String> again = scenario.builder(reopened).open()) {
            assertThat(again.recovery().damagedPlaces()).isZero();
            List<QueueCursor<String>> cursors = scenario.cursors(again);
            for (int i = 0; i < cursors.size(); i++) {
                checkAndDrain(cursors.get(i), left.get(i), scenario + " cursor=" + i + " seed=" + seed);
            }
        }
        try (DiskQueue<String> again = scenario.builder(reopened).open()) {
            for (QueueCursor<String> cursor : scenario.cursors(again)) {
                assertThat(cursor.longSize()).as("%s seed=%d", scenario, seed).isZero();
                assertThat(cursor.poll()).isNull();
            }
        }
    }

    private static String element(long sequence) {
        return "element " + sequence;
    }

    /** Leases the whole window, acknowledges a part of it, and returns the sequences that are left. */
    private static Set<Long> acknowledgeSome(QueueCursor<String> cursor, Scenario scenario, Random random) {
        TreeMap<Long, Lease<String>> leases = new TreeMap<>();
        for (int i = 0; i < scenario.window(); i++) {
            Lease<String> lease = requireNonNull(cursor.lease());
            leases.put(lease.sequence(), lease);
        }
        assertThat(cursor.lease()).isNull();
        assertThat(leases).hasSize(scenario.window());
        for (long sequence : scenario.order().acknowledged(scenario.window(), random)) {
            assertThat(requireNonNull(leases.remove(sequence)).ack()).isTrue();
        }
        assertThat(cursor.longSize()).isEqualTo(leases.size());
        return new TreeSet<>(leases.keySet());
    }

    private static void checkAndDrain(QueueCursor<String> cursor, Set<Long> left, String what) {
        long size = cursor.longSize();
        List<String> polled = new ArrayList<>();
        for (String element = cursor.poll(); element != null; element = cursor.poll()) {
            polled.add(element);
        }
        List<String> expected =
                left.stream().map(AcknowledgementDurabilityTest::element).toList();
        if (!polled.equals(expected)) { // a list of thousands of elements helps nobody
            Set<String> missing = new TreeSet<>(expected);
            polled.forEach(missing::remove);
            throw new AssertionError(what + ": expected=" + expected.size() + " size=" + size + " polled="
                    + polled.size() + " cameBack=" + (polled.size() - expected.size() + missing.size()) + " missing="
                    + missing.size());
        }
        assertThat(size).as(what).isEqualTo(expected.size());
    }

    private static Path copy(Path from, Path to) throws IOException {
        Files.createDirectory(to);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(from)) {
            for (Path file : files) {
                if (!file.endsWith("LOCK")) { // closing a second channel of it would end the lock
                    try {
                        Files.copy(file, to.resolve(from.relativize(file)));
                    } catch (NoSuchFileException renamed) {
                        // a spare file that the queue has finished since the folder was listed
                    }
                }
            }
        }
        return to;
    }
}
