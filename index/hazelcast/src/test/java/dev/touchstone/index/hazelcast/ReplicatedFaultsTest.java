package dev.touchstone.index.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.ringbuffer.Ringbuffer;
import dev.touchstone.index.hazelcast.ReplicaStatus.State;
import dev.touchstone.index.price.PriceBatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Replicas whose cluster is split, or loses what it holds. */
@Tag("sweep")
@Timeout(value = 900, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReplicatedFaultsTest {
    private static final int WRITERS = 4;

    private final long seed = Long.getLong("seed", System.nanoTime());

    /** The members that know of each other only are a side. */
    private static Config side(Replicas replicas, int member, List<Integer> members) {
        return replicas.cluster.config(
                member, members.stream().map(replicas.cluster.ports::get).toList());
    }

    private static ReplicatedPriceIndex open(Replicas replicas, int member, Config config) {
        HazelcastInstance started = replicas.cluster.start(config);
        return replicas.add(member, started, Replica.inMemory(RandomBatches.empty()));
    }

    /** Two sides with changes of their own find each other: the prices of one side are those of both then. */
    @Test
    void merge_ofTwoSidesThatBothAccepted_leavesAllWithTheSamePrices() throws Exception {
        try (Replicas replicas = new Replicas(3, Replicas.options(1, 1000))) {
            List<List<Integer>> sides = List.of(List.of(0, 1), List.of(2));
            List<Config> configs = List.of(
                    side(replicas, 0, sides.get(0)), side(replicas, 1, sides.get(0)), side(replicas, 2, sides.get(1)));
            for (int member = 0; member < 3; member++) {
                assertThat(open(replicas, member, configs.get(member)).awaitLive(Replicas.PATIENCE))
                        .isTrue();
            }
            RandomBatches random = new RandomBatches(seed);
            for (int i = 0; i < 20; i++) {
                replicas.replica(0).update(random.next(4));
                replicas.replica(2).update(random.next(4));
            }
            List<UUID> before = List.of(epoch(replicas, 0), epoch(replicas, 2));
            assertThat(before.get(0)).isNotEqualTo(before.get(1));
            join(replicas, configs);
            while (!epoch(replicas, 0).equals(epoch(replicas, 2)) || !areLive(replicas)) {
                LockSupport.parkNanos(100_000);
            }
            long version = replicas.replica(2).update(random.next(4));
            for (int member = 0; member < 3; member++) {
                assertThat(replicas.replica(member).awaitVersion(version, Replicas.PATIENCE))
                        .isTrue();
                Replicas.assertSame(
                        replicas.replica(member).index(), replicas.replica(2).index());
            }
        }
    }

    /** Has all members know all others. */
    private static void join(Replicas replicas, List<Config> configs) {
        for (Config config : configs) {
            replicas.cluster.ports.forEach(
                    port -> config.getNetworkConfig().getJoin().getTcpIpConfig().addMember(Cluster.HOST + ":" + port));
        }
    }

    private static UUID epoch(Replicas replicas, int member) {
        return Objects.requireNonNullElse(replicas.replica(member).status().epoch(), new UUID(0, 0));
    }

    private static boolean areLive(Replicas replicas) {
        return replicas.replica(0).status().state() == State.LIVE
                && replicas.replica(1).status().state() == State.LIVE
                && replicas.replica(2).status().state() == State.LIVE;
    }

    @Test
    void split_withAMajority_refusesUpdatesOnTheSmallerSide() throws Exception {
        try (Replicas replicas = new Replicas(3, Replicas.options(2, 1000))) {
            List<List<Integer>> sides = List.of(List.of(0, 1), List.of(2));
            List<Config> configs = List.of(
                    side(replicas, 0, sides.get(0)), side(replicas, 1, sides.get(0)), side(replicas, 2, sides.get(1)));
            for (int member = 0; member < 3; member++) {
                ReplicatedPriceIndex unused = open(replicas, member, configs.get(member));
            }
            assertThat(replicas.replica(0).awaitLive(Replicas.PATIENCE)).isTrue();
            RandomBatches random = new RandomBatches(seed);
            for (int i = 0; i < 20; i++) {
                replicas.update(0, random.next(4));
            }
            assertThatThrownBy(() -> replicas.replica(2).update(new PriceBatch()))
                    .isInstanceOf(ReplicaUnavailableException.class)
                    .hasMessageContaining("too few members: members=1 expected=2");
            join(replicas, configs);
            assertThat(replicas.replica(2).awaitLive(Replicas.PATIENCE)).isTrue();
            replicas.update(2, random.next(4));
            replicas.assertAllHaveAcknowledged();
        }
    }

    /** Replaces the log by one with other entries at the same places, as when members had read entries that were lost. */
    @Test
    void follow_ofALogWithOtherEntriesAtItsPlace_noticesThem() throws Exception {
        try (Replicas replicas = new Replicas(2, Replicas.options(1, 1000))) {
            replicas.start(0, 1);
            RandomBatches random = new RandomBatches(seed);
            for (int i = 0; i < 5; i++) {
                replicas.update(0, random.next(4));
            }
            UUID before = epoch(replicas, 0);
            Ringbuffer<byte[]> log = replicas.member(0).getRingbuffer("prices.log");
            log.destroy();
            for (int i = 0; i < 9; i++) { // at once, so that the end of the log alone does not tell
                long unused = log.add(LogEntry.ofEpoch().encode());
            }
            while (epoch(replicas, 0).equals(before) || epoch(replicas, 1).equals(before)) {
                LockSupport.parkNanos(100_000);
            }
            replicas.update(1, random.next(4));
            replicas.assertAllHaveAcknowledged();
        }
    }

    @Test
    void kills_underLoad_loseNothingAcknowledged() throws Exception {
        killUnderLoad(3, 1000);
    }

    @Test
    @Tag("slow")
    @Timeout(value = 2, unit = TimeUnit.HOURS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void kills_underLoadForLong_loseNothingAcknowledged() throws Exception {
        killUnderLoad(100, 3000);
    }

    /**
     * Kills the process of a member, or has it leave, while two other members are written to. A member that is terminated in this process would still answer for a
     * moment, when it has lost the others already; one that is killed does not.
     */
    private void killUnderLoad(int rounds, int updates) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        AtomicBoolean isOver = new AtomicBoolean();
        AtomicInteger unknown = new AtomicInteger();
        Semaphore budget = new Semaphore(0); // of updates, whose batches the test keeps
        try (Replicas replicas = new Replicas(3, Replicas.options(2, 1000))) {
            ReplicatedPriceIndex first = replicas.open(0, Replica.inMemory(RandomBatches.empty()));
            ReplicatedPriceIndex second = replicas.open(1, Replica.inMemory(RandomBatches.empty()));
            assertThat(first.awaitLive(Replicas.PATIENCE) && second.awaitLive(Replicas.PATIENCE))
                    .isTrue();
            ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
            List<Future<?>> running = new ArrayList<>();
            for (int writer = 0; writer < WRITERS; writer++) {
                int number = writer;
                running.add(writers.submit(() -> {
                    RandomBatches batches = new RandomBatches(seed + number);
                    while (!isOver.get()) {
                        budget.acquire();
                        write(replicas, number % 2, batches.next(4), unknown);
                    }
                    return null;
                }));
            }
            for (int round = 0; round < rounds; round++) {
                try (MemberProcess victim = MemberProcess.start(replicas.cluster, 2, replicas.options)) {
                    assertThat(victim).isNotNull();
                    while (!replicas.member(0)
                            .getPartitionService()
                            .isClusterSafe()) { // it has its part of the log or the backup
                        LockSupport.parkNanos(100_000);
                    }
                    budget.release(updates);
                    boolean unused = first.awaitVersion(
                            first.index().version() + 1 + random.nextInt(updates / 2), Replicas.PATIENCE);
                }
                String progress = "kills=" + (round + 1) + " acknowledged=" + replicas.acknowledged.size();
                System.getLogger("test").log(System.Logger.Level.INFO, progress);
            }
            isOver.set(true);
            budget.release(WRITERS);
            for (Future<?> each : running) {
                each.get();
            }
            writers.shutdown();
            System.getLogger("test")
                    .log(
                            System.Logger.Level.INFO,
                            "seed=" + seed + " acknowledged=" + replicas.acknowledged.size() + " unknown=" + unknown);
            replicas.assertAllHave(unknown.get());
        }
    }

    private static void write(Replicas replicas, int member, PriceBatch batch, AtomicInteger unknown) throws Exception {
        ReplicatedPriceIndex replica = replicas.find(member);
        if (replica == null) { // just killed
            return;
        }
        try {
            replicas.acknowledge(replica.update(batch), batch);
        } catch (ReplicaUnavailableException e) {
            boolean unused = replica.awaitLive(Duration.ofMillis(100));
        } catch (UnknownOutcomeException e) {
            unknown.incrementAndGet();
        }
    }
}
