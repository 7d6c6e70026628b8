package dev.touchstone.queue;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.queue.replica.SimulatedMembers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A queue of three members over a simulated group that loses proposals and answers. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReplicationTest {
    @TempDir
    Path folder;

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final List<DiskQueue<String>> open = new ArrayList<>();
    private final ExecutorService background = Executors.newCachedThreadPool();

    private DiskQueue<String> member(int number) {
        return member(number, Duration.ofSeconds(10));
    }

    private DiskQueue<String> member(int number, Duration answerTime) {
        String[] all = {folder + ":1", folder + ":2", folder + ":3"};
        DiskQueue<String> queue = DiskQueue.replicated()
                .member(all[number - 1])
                .members(all)
                .memberTimes(Duration.ofMillis(500), answerTime)
                .folder(folder.resolve("member-" + number))
                .segmentBytes(64 << 10)
                .leases(100, Duration.ofSeconds(30))
                .redeliveryDelay(Duration.ZERO, Duration.ZERO)
                .codec(Codec.utf8())
                .open();
        open.add(queue);
        return queue;
    }

    private SimulatedMembers members() {
        return new SimulatedMembers(List.of(folder + ":1", folder + ":2", folder + ":3"));
    }

    @AfterEach
    void close() {
        open.forEach(DiskQueue::close);
    }

    @Test
    void offer_atAnyMember_isSeenByAllInOneOrder() {
        List<DiskQueue<String>> queues = List.of(member(1), member(2), member(3));
        for (int i = 0; i < 300; i++) {
            assertThat(queues.get(i % 3).offer("e" + i)).isTrue();
        }
        for (int i = 0; i < 300; i++) {
            assertThat(queues.get(i / 7 % 3).poll()).isEqualTo("e" + i);
        }
        for (DiskQueue<String> queue : queues) {
            queue.replication().awaitCommitted();
            assertThat(queue.size()).isZero();
            assertThat(queue.poll()).isNull();
        }
    }

    @Test
    void ack_atAnotherLeader_endsTheLeaseThatTheFirstGave() {
        DiskQueue<String> first = member(1);
        DiskQueue<String> second = member(2);
        first.add("a");
        first.add("b");
        Lease<String> lease = requireNonNull(first.lease());
        members().lead(2);
        assertThat(second.replication().isLeader()).isTrue();
        assertThat(requireNonNull(second.lease()).element()).isEqualTo("b");
        assertThat(lease.ack()).isTrue();
        assertThat(lease.ack()).isFalse();
        second.replication().awaitCommitted();
        assertThat(second.size()).isEqualTo(1);
    }

    @Test
    void cursor_madeAtOneMember_isFoundAtTheOthersAndDroppedForAll() {
        DiskQueue<String> first = member(1);
        DiskQueue<String> second = member(2);
        first.add("a");
        QueueCursor<String> audit = first.cursor("audit");
        second.replication().awaitCommitted();
        assertThat(second.cursorNames()).containsExactly("audit");
        assertThat(requireNonNull(second.findCursor("audit")).poll()).isEqualTo("a");
        assertThat(audit.poll()).isNull();
        assertThat(second.dropCursor("audit")).isTrue();
        first.replication().awaitCommitted();
        assertThatThrownBy(audit::poll).isInstanceOf(QueueClosedException.class);
        QueueCursor<String> again = second.cursor("audit");
        assertThatThrownBy(audit::poll).isInstanceOf(QueueClosedException.class);
        assertThat(again.poll()).isEqualTo("a");
    }

    @Test
    void poll_ofAMemberThatWaits_isGivenWhatAnotherOffers() throws Exception {
        DiskQueue<String> first = member(1);
        DiskQueue<String> second = member(2);
        Future<String> waiting = inBackground(() -> second.poll(Duration.ofMinutes(1)));
        first.add("late");
        assertThat(waiting.get()).isEqualTo("late");
    }

    @Test
    void offer_twiceByItsProducer_isInTheQueueOnce() {
        DiskQueue<String> first = member(1);
        DiskQueue<String> second = member(2);
        Replication<String> one = first.replication();
        assertThat(one.offer("p", 1, "a")).isTrue();
        assertThat(one.offer("p", 5, "b")).isTrue();
        assertThat(second.replication().offer("p", 5, "b")).isTrue();
        assertThat(second.replication().offer("p", 4, "c")).isTrue();
        assertThat(second.replication().lastNumber("p")).isEqualTo(5);
        assertThat(second.replication().lastNumber("q")).isZero();
        assertThat(first).containsExactly("a", "b");
        assertThatThrownBy(() -> one.offer("", 1, "x")).hasMessageContaining("not a producer's name");
        assertThatThrownBy(() -> one.offer("p", 0, "x")).hasMessageContaining("less than 1");
    }

    @Test
    void offer_toALeaderThatIsSilent_goesToTheNextOne() throws Exception {
        DiskQueue<String> first = member(1, Duration.ofMinutes(1));
        DiskQueue<String> second = member(2, Duration.ofMinutes(1));
        first.add("a");
        members().silence();
        Future<Boolean> atFirst = inBackground(() -> first.offer("b"));
        Future<Boolean> atSecond = inBackground(() -> second.offer("c"));
        Waits.until("calls that wait for an answer", () -> members().unanswered() >= 2);
        members().lead(2);
        assertThat(atFirst.get(20, TimeUnit.SECONDS)).isTrue();
        assertThat(atSecond.get(20, TimeUnit.SECONDS)).isTrue();
        assertThat(first).containsExactlyInAnyOrder("a", "b", "c");
    }

    @Test
    void offer_withoutAMajority_isRefusedOrOfUnknownOutcomeAndGoesOnAfterwards() {
        DiskQueue<String> queue = member(1, Duration.ofMillis(300));
        queue.add("a");
        members().quorum(false);
        assertThatThrownBy(() -> queue.offer("b"))
                .isInstanceOfAny(OutcomeUnknownException.class, QueueRefusedException.class);
        assertThatThrownBy(() -> queue.replication().awaitCommitted()).isInstanceOf(QueueRefusedException.class);
        members().quorum(true);
        queue.add("c");
        assertThat(queue.poll()).isEqualTo("a");
        String next = queue.poll();
        assertThat(List.of(requireNonNull(next))).isSubsetOf("b", "c");
    }

    @Test
    void member_withOtherSettings_endsAndSaysSo() {
        DiskQueue<String> first = member(1);
        first.add("a");
        try (DiskQueue<byte[]> other = DiskQueue.replicated()
                .member(folder + ":2")
                .members(folder + ":1", folder + ":2", folder + ":3")
                .folder(folder.resolve("member-2"))
                .namedCursorsOnly()
                .open()) {
            assertThatThrownBy(() -> other.cursor("audit"))
                    .isInstanceOf(QueueFailedException.class)
                    .hasMessageContaining("namedCursorsOnly=true here");
        } catch (QueueFailedException whileItOpened) {
            assertThat(whileItOpened).hasMessageContaining("namedCursorsOnly=true here");
        }
        first.add("b");
        assertThat(first).containsExactly("a", "b");
    }

    @Test
    void replication_ofAQueueOnOneMachine_isUnsupported() {
        try (DiskQueue<byte[]> queue =
                DiskQueue.written().folder(folder.resolve("local")).open()) {
            assertThatThrownBy(queue::replication).isInstanceOf(UnsupportedOperationException.class);
        }
    }

    @Test
    void offerAsync_ofManyWithLostProposals_keepsTheirOrder() throws Exception {
        DiskQueue<String> queue = member(1);
        List<CompletionStage<Boolean>> answers = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            answers.add(queue.offerAsync("e" + i));
        }
        for (CompletionStage<Boolean> answer : answers) {
            assertThat(answer.toCompletableFuture().get()).isTrue();
        }
        for (int i = 0; i < 3000; i++) {
            assertThat(queue.poll()).isEqualTo("e" + i);
        }
    }

    /** Producers and consumers at all members, while leaders change and members load snapshots or are opened again. */
    @Test
    void anyUse_whileLeadersChangeAndMembersLoadSnapshots_losesAndRepeatsNothing() throws Exception {
        List<DiskQueue<String>> queues = List.of(member(1), member(2), member(3));
        Set<String> accepted = ConcurrentHashMap.newKeySet();
        Set<String> acknowledged = ConcurrentHashMap.newKeySet();
        List<String> twice = new ArrayList<>();
        AtomicBoolean ends = new AtomicBoolean();
        List<Future<?>> workers = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            DiskQueue<String> at = queues.get(i % 3);
            String producer = "p" + i;
            workers.add(inBackground(() -> {
                for (int number = 1; number <= 400; number++) {
                    String element = producer + "-" + number;
                    boolean known = false;
                    while (!known) {
                        try {
                            known = at.replication().offer(producer, number, element);
                        } catch (OutcomeUnknownException again) {
                            // the producer's number makes it the same offer
                        }
                    }
                    accepted.add(element);
                }
                return null;
            }));
            workers.add(inBackground(() -> {
                while (!ends.get() || at.size() > 0) {
                    try (Lease<String> lease = at.lease(Duration.ofMillis(20))) {
                        if (lease != null && lease.ack() && !acknowledged.add(lease.element())) {
                            twice.add(lease.element());
                        }
                    } catch (OutcomeUnknownException passed) {
                        // the lease ends, or the element is acknowledged
                    }
                }
                return null;
            }));
        }
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 60; i++) {
            members().lead(1 + random.nextInt(3));
            if (random.nextInt(3) == 0) {
                members().reload(1 + random.nextInt(3));
            }
            TimeUnit.MILLISECONDS.sleep(random.nextInt(20)); // not for synchronisation: the time between two faults
        }
        for (int i = 0; i < workers.size(); i += 2) {
            workers.get(i).get();
        }
        ends.set(true);
        for (Future<?> worker : workers) {
            worker.get();
        }
        for (DiskQueue<String> queue : queues) {
            queue.replication().awaitCommitted();
            assertThat(queue.size()).as("seed %d", seed).isZero();
        }
        Set<String> lost = new HashSet<>(accepted);
        lost.removeAll(acknowledged);
        assertThat(accepted).hasSize(2400);
        assertThat(lost.size())
                .as("acknowledged with an unknown outcome: seed %d %s", seed, lost)
                .isLessThan(60);
        assertThat(twice).as("seed %d", seed).isEmpty();
    }

    private <R> Future<R> inBackground(Callable<R> task) {
        return background.submit(task);
    }

    @AfterEach
    void end() {
        background.shutdownNow();
    }
}
