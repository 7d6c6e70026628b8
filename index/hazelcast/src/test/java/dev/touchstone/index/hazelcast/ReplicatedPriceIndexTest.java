package dev.touchstone.index.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.ringbuffer.OverflowPolicy;
import com.hazelcast.ringbuffer.Ringbuffer;
import dev.touchstone.index.IndexException;
import dev.touchstone.index.Price;
import dev.touchstone.index.hazelcast.ReplicaStatus.State;
import dev.touchstone.index.price.BatchFormat;
import dev.touchstone.index.price.PriceBatch;
import dev.touchstone.index.price.PriceIndex;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Replicas of one, two and three members. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReplicatedPriceIndexTest {
    private static final int LOG = 1000;
    private static final int LARGE = 8 << 20; // bytes

    private final long seed = Long.getLong("seed", System.nanoTime());

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void update_atAllMembers_makesTheSamePricesAtEach(int members) throws Exception {
        try (Replicas replicas = new Replicas(members, Replicas.options(1, LOG))) {
            int[] all = IntStream.range(0, members).toArray();
            replicas.start(all);
            ExecutorService writers = Executors.newFixedThreadPool(members);
            List<Future<?>> running = new ArrayList<>();
            for (int member : all) {
                running.add(writers.submit(() -> {
                    RandomBatches random = new RandomBatches(seed + member);
                    for (int i = 0; i < 60; i++) {
                        replicas.update(member, random.next(5));
                    }
                    return null;
                }));
            }
            for (Future<?> each : running) {
                each.get();
            }
            writers.shutdown();
            assertThat(replicas.acknowledged).as("seed=" + seed).hasSize(60 * members);
            replicas.assertAllHaveAcknowledged();
        }
    }

    @Test
    void awaitVersion_ofAnotherMember_seesTheUpdate() throws Exception {
        try (Replicas replicas = new Replicas(2, Replicas.options(1, LOG))) {
            replicas.start(0, 1);
            for (int i = 0; i < 50; i++) {
                PriceBatch batch = new PriceBatch().put(price("id", i));
                long version = replicas.update(i % 2, batch);
                assertThat(replicas.replica(1 - i % 2).awaitVersion(version, Replicas.PATIENCE))
                        .isTrue();
                Price found = replicas.replica(1 - i % 2).index().price("offering", "id");
                assertThat(Objects.requireNonNull(found).value()).isEqualTo(BigDecimal.valueOf(i));
            }
        }
    }

    private static Price price(String id, long value) {
        return Price.of(id, "offering", Map.of(), BigDecimal.valueOf(value));
    }

    @Test
    void updateAsync_ofManyInFlight_appliesThemInOrder() throws Exception {
        try (Replicas replicas = new Replicas(2, Replicas.options(1, 4000))) {
            replicas.start(0, 1);
            List<CompletableFuture<Long>> running = new ArrayList<>();
            for (int i = 0; i < 3000; i++) {
                running.add(replicas.replica(0).updateAsync(new PriceBatch().put(price("id" + i % 7, i))));
            }
            for (int i = 0; i < running.size(); i++) {
                assertThat(running.get(i).get()).isEqualTo(i + 2L);
            }
            assertThat(replicas.replica(1).awaitVersion(3001, Replicas.PATIENCE))
                    .isTrue();
            Replicas.assertSame(replicas.replica(1).index(), replicas.replica(0).index());
        }
    }

    @Test
    void open_ofALateMember_loadsAllPricesAndFollows() throws Exception {
        try (Replicas replicas = new Replicas(3, Replicas.options(1, 16))) {
            RandomBatches random = new RandomBatches(seed);
            replicas.start(0);
            for (int i = 0; i < 100; i++) {
                replicas.update(0, random.next(4));
            }
            replicas.start(1);
            assertThat(replicas.replica(1).status().reloads()).isEqualTo(1);
            assertThat(replicas.replica(1).index().version()).isEqualTo(101);
            for (int i = 0; i < 20; i++) {
                replicas.update(i % 2, random.next(4));
            }
            replicas.start(2);
            replicas.assertAllHaveAcknowledged();
        }
    }

    @Test
    void update_thatTheIndexRefuses_changesNothing() throws Exception {
        try (Replicas replicas = new Replicas(2, Replicas.options(1, LOG))) {
            replicas.start(0, 1);
            PriceBatch bad = new PriceBatch().put(Price.of("id", "offering", Map.of("unknown", "x"), BigDecimal.ONE));
            assertThatThrownBy(() -> replicas.replica(0).update(bad)).isInstanceOf(IndexException.class);
            PriceBatch large = new PriceBatch()
                    .put(new Price("id", "offering", Map.of(), BigDecimal.ONE, "", false, "x".repeat(33 << 20)));
            assertThatThrownBy(() -> replicas.replica(0).update(large))
                    .isInstanceOf(IndexException.class)
                    .hasMessageContaining("batch is too long");
            assertThat(replicas.update(1, new PriceBatch().put(price("id", 1)))).isEqualTo(2);
            replicas.assertAllHaveAcknowledged();
        }
    }

    @Test
    void update_ofLargeBatches_leavesTheirContentsOutOfTheLog() throws Exception {
        try (Replicas replicas = new Replicas(2, Replicas.options(1, LOG))) {
            replicas.start(0, 1);
            for (int i = 0; i < 6; i++) {
                PriceBatch batch = new PriceBatch().put(price("small", i));
                for (int k = 0; k < 40 * (i % 2); k++) {
                    batch.put(new Price(
                            "id" + k, "offering", Map.of(), BigDecimal.valueOf(i), "", false, "x".repeat(20_000)));
                }
                replicas.update(i % 2, batch);
            }
            replicas.assertAllHaveAcknowledged();
            Ringbuffer<byte[]> log = replicas.member(0).getRingbuffer("prices.log");
            for (long sequence = log.headSequence(); sequence <= log.tailSequence(); sequence++) {
                assertThat(log.readOne(sequence)).hasSizeLessThan(LogContents.MAX_INLINE_BYTES);
            }
            assertThat(replicas.member(0).getMap("prices.contents").size()).isEqualTo(3);
        }
    }

    @Test
    void follow_ofALargeBatchThatIsGone_loadsAllPrices() throws Exception {
        try (Replicas replicas = new Replicas(2, Replicas.options(1, LOG))) {
            replicas.start(0);
            SlowReplica slow = new SlowReplica();
            ReplicatedPriceIndex late = replicas.open(1, slow);
            assertThat(late.awaitLive(Replicas.PATIENCE)).isTrue();
            replicas.update(0, new PriceBatch().put(price("first", 1)));
            replicas.update(
                    0,
                    new PriceBatch()
                            .put(new Price("id", "offering", Map.of(), BigDecimal.ONE, "", false, "x".repeat(20_000))));
            replicas.member(0).getMap("prices.contents").clear();
            slow.mayApply.countDown();
            replicas.assertAllHaveAcknowledged();
        }
    }

    @Test
    void open_ofAMemberWithoutTheConfiguration_isRefused() {
        try (Replicas replicas = new Replicas(1, Replicas.options(1, LOG))) {
            ReplicaOptions other = new ReplicaOptions("prices", 1, LOG + 1, Replicas.PATIENCE);
            assertThatThrownBy(() -> ReplicatedPriceIndex.open(
                            replicas.cluster.start(0), Replica.inMemory(RandomBatches.empty()), other))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("call ReplicatedPriceIndex.configure before");
        }
    }

    @Test
    void open_withOtherFields_failsTheReplica() throws Exception {
        try (Replicas replicas = new Replicas(2, Replicas.options(1, LOG))) {
            replicas.start(0);
            ReplicatedPriceIndex other = replicas.open(
                    1, Replica.inMemory(PriceIndex.builder().string("other").build(List.of())));
            assertThat(other.awaitLive(Replicas.PATIENCE)).isFalse();
            assertThat(other.status().state()).isEqualTo(State.FAILED);
            assertThat(other.status().failure()).contains("index of other fields");
        }
    }

    /** A store of another index, which has later prices than the cluster. */
    @Test
    void open_withOtherFieldsAndLaterPrices_failsThatReplicaAlone() throws Exception {
        try (Replicas replicas = new Replicas(3, Replicas.options(2, LOG))) {
            replicas.start(0, 1);
            PriceIndex later = PriceIndex.builder().string("other").build(List.of());
            for (int i = 0; i < 9; i++) {
                later.update(new PriceBatch().put(Price.of("p", "o", Map.of("other", "x" + i), BigDecimal.ONE)));
            }
            ReplicatedPriceIndex other = replicas.open(2, SlowReplica.recovered(later, null));
            assertThat(other.awaitLive(Replicas.PATIENCE)).isFalse();
            assertThat(other.status().failure()).contains("index of other fields");
            replicas.update(0, new PriceBatch().put(price("id", 1)));
            assertThat(replicas.replica(1).status().state()).isEqualTo(State.LIVE);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void end_ofMembersWhileOthersUpdate_losesNothingAcknowledged(boolean isKilled) throws Exception {
        try (Replicas replicas = new Replicas(3, Replicas.options(1, LOG))) {
            replicas.start(0, 1, 2);
            ExecutorService writer = Executors.newSingleThreadExecutor();
            CountDownLatch some = new CountDownLatch(50);
            Future<?> running = writer.submit(() -> {
                RandomBatches random = new RandomBatches(seed);
                for (int i = 0; i < 400; i++) {
                    replicas.update(0, random.next(4));
                    some.countDown();
                }
                return null;
            });
            some.await();
            replicas.end(2, isKilled);
            replicas.start(2);
            replicas.end(1, isKilled);
            replicas.start(1);
            running.get();
            writer.shutdown();
            assertThat(replicas.acknowledged).as("seed=" + seed).hasSize(400);
            replicas.assertAllHaveAcknowledged();
        }
    }

    /** The oldest member, which owns the log or its backup, and every other one is replaced in turn. */
    @Test
    void end_ofEachMemberInTurn_keepsThePrices() throws Exception {
        try (Replicas replicas = new Replicas(3, Replicas.options(1, LOG))) {
            replicas.start(0, 1, 2);
            RandomBatches random = new RandomBatches(seed);
            for (int round = 0; round < 6; round++) {
                int gone = round % 3;
                replicas.end(gone, true);
                for (int i = 0; i < 10; i++) {
                    replicas.update((gone + 1) % 3, random.next(4));
                }
                replicas.start(gone);
                replicas.assertAllHaveAcknowledged();
            }
        }
    }

    @Test
    void update_withTooFewMembers_isRefusedAndLaterAccepted() throws Exception {
        try (Replicas replicas = new Replicas(2, Replicas.options(2, LOG))) {
            ReplicatedPriceIndex alone = replicas.open(0, Replica.inMemory(RandomBatches.empty()));
            assertThatThrownBy(() -> alone.update(new PriceBatch().put(price("id", 1))))
                    .isInstanceOf(ReplicaUnavailableException.class)
                    .hasMessageContaining("replica is not live");
            replicas.start(1);
            assertThat(alone.awaitLive(Replicas.PATIENCE)).isTrue();
            replicas.update(0, new PriceBatch().put(price("id", 1)));
            replicas.end(1, true);
            // the first one may have been written before the loss was noticed
            assertThatThrownBy(() -> alone.update(new PriceBatch().put(price("id", 2))))
                    .isInstanceOfAny(ReplicaUnavailableException.class, UnknownOutcomeException.class)
                    .hasMessageContaining("too few members");
            assertThatThrownBy(() -> alone.update(new PriceBatch().put(price("id", 3))))
                    .isInstanceOf(ReplicaUnavailableException.class)
                    .hasMessageContaining("too few members");
            assertThat(alone.index().stats().prices()).isEqualTo(1);
            replicas.start(1);
            long version = alone.update(new PriceBatch().put(price("id", 4)));
            assertThat(replicas.replica(1).awaitVersion(version, Replicas.PATIENCE))
                    .isTrue();
            Replicas.assertSame(replicas.replica(1).index(), alone.index());
        }
    }

    @Test
    void replicaWithFewerPrices_isOvertakenByOneThatWasRecovered() throws Exception {
        try (Replicas replicas = new Replicas(3, Replicas.options(2, LOG))) {
            replicas.start(0, 1);
            replicas.update(0, new PriceBatch().put(price("id", 1)));
            PriceIndex stored = withLostUpdates(replicas);
            replicas.open(2, SlowReplica.recovered(stored.copy(), replicas.lineageOf(0)));
            assertThat(replicas.replica(2).awaitLive(Replicas.PATIENCE)).isTrue();
            replicas.assertAllHaveAcknowledged();
        }
    }

    @Test
    void replicaThatWasAlone_takesThePricesOfOneThatWasRecovered() throws Exception {
        try (Replicas replicas = new Replicas(2, Replicas.options(2, LOG))) {
            replicas.start(0, 1);
            replicas.update(0, new PriceBatch().put(price("id", 1)));
            replicas.end(1, true);
            while (replicas.replica(0).status().state() == State.LIVE) {
                LockSupport.parkNanos(100_000);
            }
            assertThat(replicas.replica(0).status().failure()).contains("too few members: members=1 expected=2");
            PriceIndex stored = withLostUpdates(replicas); // as if they had been written to two other members
            replicas.open(1, SlowReplica.recovered(stored.copy(), replicas.lineageOf(0)));
            assertThat(replicas.replica(0).awaitLive(Replicas.PATIENCE)).isTrue();
            replicas.update(0, new PriceBatch().put(price("late", 1)));
            replicas.assertAllHaveAcknowledged();
        }
    }

    /** Acknowledges updates that no member has. Returns an index that has them. */
    private PriceIndex withLostUpdates(Replicas replicas) {
        PriceIndex stored = replicas.replica(0).index().copy();
        RandomBatches random = new RandomBatches(seed);
        for (int i = 0; i < 5; i++) {
            PriceBatch batch = random.next(4);
            replicas.acknowledge(stored.update(batch), batch);
        }
        return stored;
    }

    @Test
    void update_ofAnInterruptedThread_isNotSent() throws Exception {
        try (Replicas replicas = new Replicas(1, Replicas.options(1, LOG))) {
            replicas.start(0);
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> replicas.replica(0).update(new PriceBatch().put(price("id", 1))))
                    .isInstanceOf(ReplicaUnavailableException.class)
                    .hasMessageContaining("interrupted");
            assertThat(Thread.interrupted()).isTrue();
            replicas.update(0, new PriceBatch().put(price("other", 1)));
            replicas.assertAllHaveAcknowledged();
        }
    }

    private static PriceBatch largeBatch() {
        PriceBatch batch = new PriceBatch();
        String payload = "x".repeat(LARGE / 8);
        for (int i = 0; i < 8; i++) {
            batch.put(new Price("p" + i, "o", Map.of(), BigDecimal.ONE, "", false, payload));
        }
        return batch;
    }

    @Test
    void update_ofMoreLargeBatchesThanFit_isRefusedWhileAReplicaIsBehind() throws Exception {
        try (Replicas replicas = new Replicas(2, Replicas.options(1, LOG))) {
            replicas.start(0);
            SlowReplica slow = new SlowReplica();
            assertThat(replicas.open(1, slow).awaitLive(Replicas.PATIENCE)).isTrue();
            assertThatThrownBy(() -> {
                        for (long bytes = 0; bytes < Runtime.getRuntime().maxMemory() / 5; bytes += LARGE) {
                            PriceBatch batch = largeBatch();
                            replicas.acknowledge(replicas.replica(0).update(batch), batch);
                        }
                    })
                    .isInstanceOf(ReplicaUnavailableException.class)
                    .hasMessageContaining("no room for large batches");
            slow.mayApply.countDown();
            replicas.update(0, largeBatch());
            replicas.assertAllHaveAcknowledged();
        }
    }

    @Test
    void update_ofMoreLargeBatchesThanFit_removesOldOnes() throws Exception {
        try (Replicas replicas = new Replicas(2, Replicas.options(1, LOG))) {
            replicas.start(0, 1);
            long reloads = replicas.replica(1).status().reloads();
            for (long bytes = 0; bytes < Runtime.getRuntime().maxMemory() / 5; bytes += LARGE) {
                replicas.update(1, largeBatch());
            }
            replicas.assertAllHaveAcknowledged();
            assertThat(replicas.replica(0).status().reloads()).isZero();
            assertThat(replicas.replica(1).status().reloads()).isEqualTo(reloads);
            assertThat(replicas.member(0).getMap("prices.contents").size() * (long) LARGE)
                    .isLessThan(Runtime.getRuntime().maxMemory() / 10);
        }
    }

    @Test
    void follow_ofALogThatHasGoneOn_loadsAllPricesAnew() throws Exception {
        try (Replicas replicas = new Replicas(2, Replicas.options(1, 16))) {
            replicas.start(0);
            SlowReplica slow = new SlowReplica();
            ReplicatedPriceIndex late = replicas.open(1, slow);
            assertThat(late.awaitLive(Replicas.PATIENCE)).isTrue();
            RandomBatches random = new RandomBatches(seed);
            for (int i = 0; i < 200; i++) {
                replicas.update(0, random.next(4));
            }
            slow.mayApply.countDown();
            replicas.assertAllHaveAcknowledged();
            assertThat(late.status().reloads()).isGreaterThan(1);
        }
    }

    @Test
    void apply_thatFails_failsTheReplicaAndNoOther() throws Exception {
        try (Replicas replicas = new Replicas(2, Replicas.options(1, LOG))) {
            replicas.start(0);
            SlowReplica broken = new SlowReplica();
            ReplicatedPriceIndex failing = replicas.open(1, broken);
            assertThat(failing.awaitLive(Replicas.PATIENCE)).isTrue();
            broken.isBroken = true;
            replicas.update(0, new PriceBatch().put(price("id", 1)));
            assertThat(failing.awaitVersion(2, Replicas.PATIENCE)).isFalse();
            assertThat(failing.status().state()).isEqualTo(State.FAILED);
            assertThat(failing.status().failure()).contains("disk is full");
            assertThatThrownBy(() -> failing.update(new PriceBatch()))
                    .isInstanceOf(ReplicaUnavailableException.class)
                    .hasMessageContaining("disk is full");
            replicas.update(0, new PriceBatch().put(price("id", 2)));
        }
    }

    @Test
    void apply_ofEntriesThatWereWrittenTwiceOrForAnotherEpoch_passesOverThem() throws Exception {
        try (Replicas replicas = new Replicas(2, Replicas.options(1, LOG))) {
            replicas.start(0, 1);
            Ringbuffer<byte[]> log = replicas.member(0).getRingbuffer("prices.log");
            UUID epoch = Objects.requireNonNull(replicas.replica(0).status().epoch());
            BatchFormat format = new BatchFormat(RandomBatches.empty());
            byte[] one = entry(epoch, format.encode(2, new PriceBatch().put(price("id", 1))));
            byte[] other = entry(epoch, format.encode(2, new PriceBatch().put(price("id", 2))));
            byte[] foreign = entry(UUID.randomUUID(), format.encode(2, new PriceBatch().put(price("id", 9))));
            for (byte[] each : List.of(one, other, one, foreign, one)) {
                log.add(each);
            }
            replicas.acknowledge(2, new PriceBatch().put(price("id", 1)));
            replicas.acknowledge(3, new PriceBatch().put(price("id", 2)));
            replicas.update(1, new PriceBatch().put(price("id3", 3)));
            replicas.assertAllHaveAcknowledged();
        }
    }

    private static byte[] entry(UUID epoch, byte[] content) {
        return new LogEntry(LogEntry.Kind.BATCH, epoch, UUID.randomUUID(), ByteBuffer.wrap(content)).encode();
    }

    @Test
    void follow_ofALostLog_beginsAnEpochWithTheSamePrices() throws Exception {
        try (Replicas replicas = new Replicas(3, Replicas.options(1, LOG))) {
            replicas.start(0, 1, 2);
            RandomBatches random = new RandomBatches(seed);
            for (int i = 0; i < 30; i++) {
                replicas.update(i % 3, random.next(4));
            }
            UUID before = replicas.replica(0).status().epoch();
            replicas.member(0).getRingbuffer("prices.log").destroy();
            awaitAnotherEpoch(replicas, before);
            replicas.update(1, random.next(4));
            replicas.assertAllHaveAcknowledged();
        }
    }

    @Test
    void follow_ofALogWithAnotherLastEntry_beginsAnEpochWithTheSamePrices() throws Exception {
        try (Replicas replicas = new Replicas(2, Replicas.options(1, LOG))) {
            replicas.start(0, 1);
            RandomBatches random = new RandomBatches(seed);
            replicas.update(0, random.next(4));
            UUID before = Objects.requireNonNull(replicas.replica(0).status().epoch());
            BatchFormat format = new BatchFormat(RandomBatches.empty());
            byte[] lost = entry(before, format.encode(2, new PriceBatch().put(price("id", 1))));
            Ringbuffer<byte[]> log = replicas.member(1).getRingbuffer("prices.log");
            log.destroy();
            log = replicas.member(1).getRingbuffer("prices.log");
            log.addAllAsync(List.of(lost, lost), OverflowPolicy.FAIL)
                    .toCompletableFuture()
                    .get();
            awaitAnotherEpoch(replicas, before);
            replicas.update(1, random.next(4));
            replicas.assertAllHaveAcknowledged();
        }
    }

    @Test
    void beginEpoch_whoseLockIsLost_goesOn() throws Exception {
        try (Replicas replicas = new Replicas(1, Replicas.options(1, LOG))) {
            replicas.start(0);
            AtomicBoolean isOver = new AtomicBoolean();
            CompletableFuture<Void> thief = CompletableFuture.runAsync(() -> {
                while (!isOver.get()) {
                    replicas.member(0).getMap("prices.locks").destroy();
                }
            });
            RandomBatches random = new RandomBatches(seed);
            for (int i = 0; i < 10; i++) {
                UUID before = replicas.replica(0).status().epoch();
                replicas.update(0, random.next(4));
                replicas.member(0).getRingbuffer("prices.log").destroy();
                awaitAnotherEpoch(replicas, before);
            }
            isOver.set(true);
            thief.join();
            replicas.assertAllHaveAcknowledged();
        }
    }

    private static void awaitAnotherEpoch(Replicas replicas, @Nullable UUID before) throws InterruptedException {
        for (ReplicatedPriceIndex replica : replicas.replicas()) {
            while (Objects.equals(replica.status().epoch(), before)) {
                assertThat(replica.status().state()).isNotEqualTo(State.FAILED);
                LockSupport.parkNanos(100_000);
            }
            assertThat(replica.awaitLive(Replicas.PATIENCE)).isTrue();
        }
    }

    @Test
    void follow_ofAnUnknownEntry_failsWithItsReason() throws Exception {
        try (Replicas replicas = new Replicas(1, Replicas.options(1, LOG))) {
            replicas.start(0);
            replicas.member(0).getRingbuffer("prices.log").add(new byte[100]);
            assertThat(replicas.replica(0).awaitVersion(2, Replicas.PATIENCE)).isFalse();
            assertThat(replicas.replica(0).status().state()).isEqualTo(State.FAILED);
            assertThat(replicas.replica(0).status().failure()).contains("unknown entry: format=0");
        }
    }

    @Test
    void open_ofAName_thatIsOpen_isRefused() throws Exception {
        try (Replicas replicas = new Replicas(1, Replicas.options(1, LOG))) {
            replicas.start(0);
            Replica second = Replica.inMemory(RandomBatches.empty());
            assertThatThrownBy(() -> ReplicatedPriceIndex.open(replicas.member(0), second, replicas.options))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("name=prices");
        }
    }
}
