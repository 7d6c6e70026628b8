package dev.touchstone.queue;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.queue.replica.SimulatedMembers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A replicated queue whose members load snapshots while they are used, have different settings, and are given large elements. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReplicationChangesTest {
    private static final int MANY = 300; // entries, of which there is a snapshot every now and then

    @TempDir
    Path folder;

    private final List<DiskQueue<String>> open = new ArrayList<>();
    private final ExecutorService background = Executors.newCachedThreadPool();

    private DiskQueue<String> member(int number, UnaryOperator<DiskQueueBuilder<String>> settings) {
        String[] all = {folder + ":1", folder + ":2"};
        DiskQueue<String> queue = settings.apply(DiskQueue.replicated()
                        .member(all[number - 1])
                        .members(all)
                        .folder(folder.resolve("member-" + number))
                        .segmentBytes(64 << 10)
                        .redeliveryDelay(Duration.ZERO, Duration.ZERO)
                        .codec(Codec.utf8()))
                .open();
        open.add(queue);
        return queue;
    }

    private DiskQueue<String> member(int number) {
        return member(number, settings -> settings);
    }

    private void reload(int number) throws Exception {
        assertThat(new SimulatedMembers(List.of(folder + ":1", folder + ":2")).reload(number))
                .isTrue();
    }

    private <R> Future<R> inBackground(Callable<R> task) {
        return background.submit(task);
    }

    /** Makes a call again where a snapshot has hidden its outcome. */
    private static <R> R known(Callable<R> call) throws Exception {
        while (true) {
            try {
                return call.call();
            } catch (OutcomeUnknownException again) {
                // there was nothing to take, or no room
            }
        }
    }

    @AfterEach
    void close() {
        open.forEach(DiskQueue::close);
        background.shutdownNow();
    }

    @Test
    void iterator_snapshotIsLoadedMeanwhile_givesEachElementOnce() throws Exception {
        DiskQueue<String> first = member(1);
        DiskQueue<String> second = member(2);
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            expected.add("e" + i + "-" + "x".repeat(1_000)); // in several files
            first.add(expected.get(i));
        }
        second.replication().awaitCommitted();
        List<String> unconsumed = new ArrayList<>();
        List<String> all = new ArrayList<>();
        Iterator<String> left = second.iterator();
        Iterator<String> replay = second.iterator(1);
        for (int i = 0; i < MANY; i++) {
            if (i % 50 == 25) {
                reload(2);
            }
            unconsumed.add(left.next());
            all.add(replay.next());
        }
        reload(2);
        assertThat(left.hasNext()).isFalse();
        assertThat(replay.hasNext()).isFalse();
        assertThat(unconsumed).isEqualTo(expected);
        assertThat(all).isEqualTo(expected);
    }

    @Test
    void visit_snapshotIsLoadedMeanwhile_visitsEachElementOnce() throws Exception {
        DiskQueue<String> first = member(1);
        DiskQueue<String> second = member(2);
        for (int i = 0; i < MANY; i++) {
            first.add("x".repeat(1_000));
        }
        second.replication().awaitCommitted();
        List<Long> visited = new ArrayList<>();
        long count = second.visit(1, (sequence, element) -> {
            visited.add(sequence);
            if (visited.size() % 100 == 50) {
                try {
                    reload(2);
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }
            return true;
        });
        assertThat(count).isEqualTo(MANY);
        assertThat(visited).hasSize(MANY).doesNotHaveDuplicates().isSorted();
    }

    @Test
    void waitingAndLeasing_snapshotIsLoadedMeanwhile_goOn() throws Exception {
        DiskQueue<String> first = member(1);
        DiskQueue<String> second = member(2);
        for (int i = 0; i < MANY; i++) {
            first.add("e" + i);
        }
        Lease<String> held = requireNonNull(second.lease());
        for (int i = 1; i < MANY; i++) {
            assertThat(second.poll()).isEqualTo("e" + i);
        }
        Future<String> waiting = inBackground(() -> known(() -> second.poll(Duration.ofMinutes(1))));
        Future<Lease<String>> leasing = inBackground(() -> known(() -> second.lease(Duration.ofMinutes(1))));
        for (int i = 0; i < 5; i++) {
            reload(2);
        }
        assertThat(held.extend(Duration.ofSeconds(20))).isTrue();
        assertThat(held.ack()).isTrue();
        first.add("a");
        first.add("b");
        String polled = requireNonNull(waiting.get(20, TimeUnit.SECONDS));
        Lease<String> leased = requireNonNull(leasing.get(20, TimeUnit.SECONDS));
        assertThat(List.of(polled, leased.element())).containsExactlyInAnyOrder("a", "b");
        reload(2);
        assertThat(leased.ack()).isTrue();
        second.replication().awaitCommitted();
        assertThat(second.size()).isZero();
    }

    @Test
    void offer_waitsForRoomWhileSnapshotIsLoaded_isDoneWhenThereIsRoom() throws Exception {
        DiskQueue<String> first = member(1, settings -> settings.maxElements(MANY));
        DiskQueue<String> second = member(2, settings -> settings.maxElements(MANY));
        for (int i = 0; i < MANY; i++) {
            first.add("e" + i);
        }
        Future<Boolean> waiting = inBackground(() -> known(() -> second.offer("late")));
        Waits.until("the first refusal", () -> first.stats().rejected() > 0);
        Waits.until("its answer", () -> second.stats().rejected() > 0);
        for (int i = 0; i < 5; i++) {
            reload(2);
        }
        assertThat(waiting.isDone()).isFalse();
        assertThat(first.poll()).isEqualTo("e0");
        assertThat(waiting.get(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void offer_limitsDifferBetweenMembers_eachKeepsToItsOwn() throws Exception {
        DiskQueue<String> limited =
                member(1, settings -> settings.maxElements(2).whenFull(WhenFull.REJECT));
        DiskQueue<String> unlimited = member(2);
        assertThat(unlimited.offer("a")).isTrue();
        assertThat(unlimited.offer("b")).isTrue();
        assertThat(limited.offer("c")).isFalse();
        assertThat(unlimited.offer("d")).isTrue();
        assertThat(limited.poll()).isEqualTo("a");
        assertThat(limited.offer("e")).isFalse();
        assertThat(unlimited.poll()).isEqualTo("b");
        assertThat(limited.offer("f")).isTrue();
    }

    @Test
    void lease_timesDifferBetweenMembers_eachHasItsOwn() throws Exception {
        DiskQueue<String> shortTimes = member(1, settings -> settings.leases(10, Duration.ofMillis(50)));
        DiskQueue<String> longTimes = member(2, settings -> settings.leases(10, Duration.ofMinutes(5)));
        longTimes.add("a");
        longTimes.add("b");
        Lease<String> lasting = requireNonNull(longTimes.lease());
        Lease<String> ending = requireNonNull(shortTimes.lease());
        assertThat(ending.element()).isEqualTo("b");
        Lease<String> again = requireNonNull(longTimes.lease(Duration.ofSeconds(20)));
        assertThat(again.element()).isEqualTo("b");
        assertThat(ending.ack()).isFalse();
        assertThat(again.ack()).isTrue();
        assertThat(lasting.ack()).isTrue();
    }

    @Test
    void offerAll_largerThanAnEntry_keepsOrderAndIsDoneOnce() throws Exception {
        DiskQueue<String> first = member(1);
        DiskQueue<String> second = member(2);
        List<String> large = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            large.add(i + "-" + "x".repeat(40_000));
        }
        Future<Boolean> all = inBackground(() -> second.offerAll(large));
        int between = 0;
        while (!all.isDone()) {
            first.add("small");
            between++;
        }
        assertThat(all.get()).isTrue();
        first.replication().awaitCommitted();
        assertThat(first.size()).isEqualTo(large.size() + between);
        List<String> found = new ArrayList<>();
        first.iterator().forEachRemaining(found::add);
        int end = found.lastIndexOf(large.get(99));
        assertThat(found.subList(found.indexOf(large.get(0)), end)).contains("small");
        found.removeIf("small"::equals);
        assertThat(found).isEqualTo(large);
    }

    @Test
    void offerAll_tooLargeWithLimits_isRefusedAndNothingIsInTheQueue() {
        DiskQueue<String> queue = member(1, settings -> settings.maxElements(1_000_000));
        List<String> large = new ArrayList<>();
        for (int i = 0; i < 120; i++) {
            large.add("x".repeat(40_000));
        }
        assertThat(queue.offerAll(large.subList(0, 90))).isTrue();
        assertThatThrownBy(() -> queue.offerAll(large))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("elements=120")
                .hasMessageContaining("max=4194304");
        assertThat(queue.size()).isEqualTo(90);
    }

    @Test
    void offer_elementLargerThanAnEntry_isRefusedBeforeItIsSent() {
        DiskQueue<String> queue = member(1, settings -> settings.segmentBytes(64 << 20));
        assertThat(queue.offer("x".repeat(4 << 20))).isTrue();
        assertThatThrownBy(() -> queue.offer("x".repeat((4 << 20) + 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("bytes=4194305")
                .hasMessageContaining("maxRecordBytes=4194304");
        assertThat(queue.size()).isEqualTo(1);
    }

    @Test
    void open_memberTimesOutOfRange_namesThem() {
        assertThatThrownBy(() ->
                        member(1, settings -> settings.memberTimes(Duration.ofSeconds(-5), Duration.ofSeconds(1))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("memberTimes election in ms=-5000 is less than 100");
        assertThatThrownBy(() -> member(1, settings -> settings.memberTimes(Duration.ofSeconds(1), Duration.ZERO)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("memberTimes answer in ms=0 is less than 1");
        Duration least = Duration.ofSeconds(Long.MIN_VALUE);
        assertThatThrownBy(() -> member(1, settings -> settings.memberTimes(Duration.ofSeconds(1), least)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("memberTimes answer in ms=-")
                .hasMessageContaining("is less than 1");
    }
}
