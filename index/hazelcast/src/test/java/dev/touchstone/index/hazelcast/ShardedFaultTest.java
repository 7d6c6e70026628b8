package dev.touchstone.index.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.core.HazelcastInstance;
import dev.touchstone.index.price.PriceBatch;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.price.PriceQuery;
import dev.touchstone.index.price.SearchResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Members are killed, leave and join while others search and update: no answer is wrong, and no update that has returned is lost. */
@Tag("sweep")
@Timeout(value = 900, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ShardedFaultTest {
    private static final int ROUNDS = Integer.getInteger("rounds", 2);
    private static final int OFFERINGS = 12;

    /** A user with prices that nobody else changes, so that each answer has one right value. */
    private static final class User {
        final ShardedPriceIndex sharded;
        final ShardedPrices prices;
        final PriceIndex local = ShardedPrices.schema();
        private final Map<String, Long> versions = new HashMap<>();
        private long answers;
        private long updates;
        private long longestNanos;

        User(String name, HazelcastInstance instance) {
            sharded = ShardedCluster.index(instance);
            prices = new ShardedPrices(name, OFFERINGS);
        }

        void run(AtomicBoolean isOver) {
            while (!isOver.get()) {
                update();
                for (int i = 0; i < 5; i++) {
                    search();
                }
                searchAll();
            }
        }

        /** Brings old prices into a near cache while they change. */
        void disturb(AtomicBoolean isOver) {
            for (int i = 0; !isOver.get(); i++) {
                assertThat(sharded.search(sharded.query().offering(prices.offering(i % OFFERINGS))))
                        .isNotNull();
            }
        }

        void update() {
            PriceBatch batch = prices.batch(6, local);
            local.update(batch);
            try {
                sharded.update(batch).forEach((offering, version) -> {
                    boolean isGone = local.prices(offering).isEmpty();
                    long expected = isGone ? 1 : versions.getOrDefault(offering, 1L) + 1;
                    assertThat(version)
                            .as("seed=%d offering=%s", prices.seed, offering)
                            .isEqualTo(expected);
                    versions.put(offering, version);
                });
            } catch (ShardUpdateException e) {
                throw new AssertionError("seed=" + prices.seed + " " + e.failures(), e);
            }
            updates++;
        }

        void search() {
            long seed = prices.random.nextLong();
            PriceQuery query = prices.query(sharded::query, seed);
            PriceQuery same = prices.query(local::query, seed);
            String what = "seed=" + prices.seed + " updates=" + updates + " " + query;
            long begin = System.nanoTime();
            ShardedPrices.assertSame(sharded.search(query), local.search(same), what);
            longestNanos = Math.max(longestNanos, System.nanoTime() - begin);
            assertThat(sharded.count(query)).as(what).isEqualTo(local.count(same));
            answers += 2;
        }

        /** Searches in several offerings at once. */
        void searchAll() {
            List<Long> seeds = prices.random.longs(2 * OFFERINGS).boxed().toList();
            long begin = System.nanoTime();
            List<SearchResult> results = sharded.searchAll(seeds.stream()
                    .map(seed -> prices.query(sharded::query, seed))
                    .toList());
            longestNanos = Math.max(longestNanos, System.nanoTime() - begin);
            for (int i = 0; i < seeds.size(); i++) {
                PriceQuery same = prices.query(local::query, seeds.get(i));
                ShardedPrices.assertSame(
                        results.get(i), local.search(same), "seed=" + prices.seed + " updates=" + updates + " " + same);
                answers++;
            }
        }

        void checkAll() {
            for (int i = 0; i < OFFERINGS; i++) {
                String offering = prices.offering(i);
                assertThat(sharded.prices(offering)).as("seed=%d", prices.seed).isEqualTo(local.prices(offering));
            }
        }
    }

    @Test
    void membersThatComeAndGo_loseNothing() throws Exception {
        try (ShardedCluster cluster = new ShardedCluster(3)) {
            HazelcastInstance stays = cluster.member(0);
            List<HazelcastInstance> others = new ArrayList<>(List.of(cluster.member(1), cluster.member(2)));
            List<User> users = List.of(
                    new User("member", stays),
                    new User("client", cluster.client(0)),
                    new User("cached", cluster.client(6)));
            AtomicBoolean isOver = new AtomicBoolean();
            Executor threads = work -> new Thread(work, "user").start();
            List<CompletableFuture<Void>> running = new ArrayList<>();
            users.forEach(user -> running.add(CompletableFuture.runAsync(() -> user.run(isOver), threads)));
            running.add(CompletableFuture.runAsync(() -> users.get(2).disturb(isOver), threads));
            try {
                for (int round = 0; round < ROUNDS; round++) {
                    for (int i = 0; i < others.size(); i++) {
                        others.get(i).getLifecycleService().terminate();
                        awaitSafe(stays, 2);
                        others.set(i, cluster.member(i + 1));
                        awaitSafe(stays, 3);
                        others.get(i).shutdown();
                        awaitSafe(stays, 2);
                        others.set(i, cluster.member(i + 1));
                        awaitSafe(stays, 3);
                    }
                    assertThat(running).as("users").noneMatch(CompletableFuture::isDone);
                }
            } finally {
                isOver.set(true);
                running.forEach(CompletableFuture::join);
            }
            users.forEach(User::checkAll);
            for (User user : users) {
                System.out.println(user.prices.offering(0) + ": answers=" + user.answers + " updates=" + user.updates
                        + " longest=" + user.longestNanos / 1_000_000 + " ms " + user.sharded.stats());
                assertThat(user.sharded.stats().failures()).isZero();
            }
        }
    }

    private static void awaitSafe(HazelcastInstance member, int members) {
        while (member.getCluster().getMembers().size() != members
                || !member.getPartitionService().isClusterSafe()) {
            LockSupport.parkNanos(100_000);
        }
    }
}
