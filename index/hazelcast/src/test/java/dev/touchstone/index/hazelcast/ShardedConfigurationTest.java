package dev.touchstone.index.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.config.Config;
import com.hazelcast.config.SplitBrainProtectionConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.EntryProcessor;
import com.hazelcast.map.IMap;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import com.hazelcast.splitbrainprotection.SplitBrainProtectionOn;
import dev.touchstone.index.InvalidValueException;
import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.Price;
import dev.touchstone.index.UnknownFieldException;
import dev.touchstone.index.price.PriceBatch;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.price.PriceQuery;
import dev.touchstone.index.price.SearchResult;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests of what a sharded index refuses: missing and different configurations, queries of other indexes, prices that no offering can have, long results. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ShardedConfigurationTest {
    private static Price price(String offering, String id) {
        return Price.of(id, offering, Map.of("country", "de"), BigDecimal.TEN);
    }

    @Test
    void configure_ofWhatCannotBe_isRefused() {
        PriceIndex schema = ShardedPrices.schema();
        assertThatThrownBy(() -> ShardedPriceIndex.configure(new Config(), "", schema))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ShardedPriceIndex.configure(new ClientConfig(), "prices", schema, -1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nearCacheOfferings=-1");
        assertThatThrownBy(() -> ShardedPriceIndex.configure(new ClientConfig(), "prices@eu", schema))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("name of the index=prices@eu");
        schema.update(new PriceBatch().put(price("o", "p")));
        assertThatThrownBy(() -> ShardedPriceIndex.configure(new Config(), "prices", schema))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("schema has prices: name=prices");
    }

    /** Hazelcast calls an update done without its backup, and a near cache may miss an invalidation for good, unless they are told otherwise. */
    @Test
    void configure_countsNothingWithoutABackup_andEndsWhatIsNearCached() {
        ClientConfig client = ShardedPriceIndex.configure(new ClientConfig(), "prices", ShardedPrices.schema(), 10);
        assertThat(client.getProperty("hazelcast.client.operation.fail.on.indeterminate.state"))
                .isEqualTo("true");
        Config member = ShardedPriceIndex.configure(new Config(), "prices", ShardedPrices.schema(), 10);
        assertThat(member.getProperty("hazelcast.operation.fail.on.indeterminate.state"))
                .isEqualTo("true");
        assertThat(member.getMapConfig("prices.offerings").getNearCacheConfig().getTimeToLiveSeconds())
                .isEqualTo(10);
    }

    @Test
    void severalIndexesOfOneCluster_haveTheirOwnFields() throws Exception {
        try (ShardedCluster cluster = new ShardedCluster(2)) {
            PriceIndex schema = PriceIndex.builder().string("kind").build(List.of());
            for (int i = 0; i < 2; i++) {
                cluster.member(ShardedPriceIndex.configure(
                        cluster.memberConfig(i, List.of(cluster.port(0), cluster.port(1)), 0), "second", schema));
            }
            HazelcastInstance client =
                    cluster.client(ShardedPriceIndex.configure(cluster.clientConfig(0), "second", schema));
            ShardedPriceIndex first = ShardedCluster.index(client);
            ShardedPriceIndex second = ShardedPriceIndex.of(client, "second");
            for (int i = 0; i < 20; i++) {
                first.update(new PriceBatch().put(price("o" + i, "p")));
                second.update(new PriceBatch()
                        .put(Price.of("p", "o" + i, Map.of("kind", "k" + i % 2), BigDecimal.ONE)));
            }
            assertThat(first.count(first.query().eq("country", "de"))).isEqualTo(20);
            assertThat(second.count(second.query().eq("kind", "k1"))).isEqualTo(10);
            PriceQuery other = second.query();
            assertThatThrownBy(() -> first.search(other)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> first.search(other.offering("o1"))).isInstanceOf(IllegalArgumentException.class);
            assertThat(first.searchAsync(other).toCompletableFuture()).isCompletedExceptionally();
            assertThatThrownBy(() -> ShardedPriceIndex.of(client, "third"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("not configured: name=third");
        }
    }

    @Test
    void clientOfAnotherConfiguration_isRefusedByType() throws Exception {
        try (ShardedCluster cluster = new ShardedCluster(1)) {
            ShardedPriceIndex right = ShardedCluster.index(cluster.member(0));
            right.update(new PriceBatch().put(price("o", "p")));
            PriceIndex schema =
                    PriceIndex.builder().integer("other").string("country").build(List.of());
            HazelcastInstance client = cluster.client(ShardedPriceIndex.configure(
                    ShardedPriceIndex.configure(cluster.clientConfig(0), ShardedCluster.INDEX, schema),
                    "more",
                    schema));
            ShardedPriceIndex unknown = ShardedPriceIndex.of(client, "more");
            assertThatThrownBy(() -> unknown.search(unknown.query().offering("o")))
                    .isInstanceOf(HazelcastSerializationException.class)
                    .hasMessageContaining("sharded index is not configured here: name=more");
            assertThatThrownBy(() -> unknown.search(unknown.query()))
                    .hasMessageContaining("sharded index is not configured here: name=more");
            ShardedPriceIndex different = ShardedCluster.index(client);
            PriceBatch batch = new PriceBatch().put(Price.of("p", "o", Map.of("other", 1L), BigDecimal.ONE));
            assertThatThrownBy(() -> different.update(batch)).isInstanceOfSatisfying(ShardUpdateException.class, e -> {
                assertThat(e.versions()).isEmpty();
                assertThat(e.failures()).containsOnlyKeys("o");
                assertThat(e.failures().get("o"))
                        .isInstanceOf(InvalidValueException.class)
                        .hasMessageContaining("offering='o'")
                        .hasMessageContaining("other fields");
            });
            assertThatThrownBy(() -> different.prices("o"))
                    .isInstanceOf(HazelcastSerializationException.class)
                    .hasStackTraceContaining("other fields");
            assertThat(right.prices("o")).containsExactly(price("o", "p"));
        }
    }

    @Test
    void batchWithOneWrongPrice_changesNothing() throws Exception {
        try (ShardedCluster cluster = new ShardedCluster(1)) {
            ShardedPriceIndex index = ShardedCluster.index(cluster.member(0));
            PriceBatch batch = new PriceBatch()
                    .put(price("a", "p"))
                    .put(Price.of("p", "b", Map.of("unknown", "x"), BigDecimal.ONE));
            assertThatThrownBy(() -> index.update(batch)).isInstanceOf(UnknownFieldException.class);
            assertThatThrownBy(() ->
                            index.update(new PriceBatch().put(price("a", "p")).put(price("half\ud800", "p"))))
                    .isInstanceOf(InvalidValueException.class);
            assertThat(index.count(index.query())).isZero();
            assertThat(index.update(new PriceBatch())).isEmpty();
            assertThat(index.update(new PriceBatch().remove("a", "p"))).isEqualTo(Map.of("a", 1L));
            assertThat(index.stats().offerings()).isZero();
        }
    }

    @Test
    void resultThatIsTooLong_isRefusedByType() throws Exception {
        try (ShardedCluster cluster = new ShardedCluster(1)) {
            ShardedPriceIndex index = ShardedCluster.index(cluster.member(0));
            String payload = "x".repeat(1 << 20);
            for (int i = 0; i < 36; i++) {
                index.update(
                        new PriceBatch().put(new Price("p" + i, "o", Map.of(), BigDecimal.ONE, "", false, payload)));
            }
            PriceQuery query = index.query().policy(MatchPolicy.ALL).limit(36);
            assertThat(index.search(query)) // which is not sent
                    .isInstanceOfSatisfying(
                            SearchResult.Found.class,
                            found -> assertThat(found.size()).isEqualTo(36));
            ShardedPriceIndex client = ShardedCluster.index(cluster.client(0));
            assertThatThrownBy(() ->
                            client.search(client.query().policy(MatchPolicy.ALL).limit(36)))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("result is too long: offering='o' prices=36");
            assertThatThrownBy(() -> client.search(
                            client.query().offering("o").policy(MatchPolicy.ALL).limit(36)))
                    .isInstanceOf(InvalidValueException.class);
            assertThat(index.search(query.offering("o").limit(3)))
                    .isInstanceOfSatisfying(SearchResult.Found.class, found -> {
                        assertThat(found.matches()).isEqualTo(36);
                        assertThat(found.size()).isEqualTo(3);
                    });
            assertThat(index.prices("o")).hasSize(36);
            PriceBatch tooLong = new PriceBatch();
            for (int i = 0; i < 36; i++) {
                tooLong.put(new Price("q" + i, "o", Map.of(), BigDecimal.ONE, "", false, payload));
            }
            assertThatThrownBy(() -> index.update(tooLong)).isInstanceOf(InvalidValueException.class);
            assertThat(index.price("o", "q0")).isNull();
        }
    }

    @Test
    void halfOfACharacter_isNotAnotherOne() throws Exception {
        try (ShardedCluster cluster = new ShardedCluster(1)) {
            ShardedPriceIndex index = ShardedCluster.index(cluster.member(0));
            index.update(new PriceBatch()
                    .put(Price.of("?", "?", Map.of("country", "?"), BigDecimal.ONE))
                    .put(Price.of("p", "o", Map.of("country", "?"), BigDecimal.ONE)));
            String half = "\ud800";
            assertThat(index.price("?", half)).isNull();
            assertThat(index.price(half, "?")).isNull();
            assertThat(index.prices(half)).isEmpty();
            assertThat(index.count(index.query().eq("country", half))).isZero();
            assertThat(index.count(index.query().offering("o").ne("country", half)))
                    .isEqualTo(1);
            assertThat(index.count(index.query().offering("o").notIn("country", List.of(half, "x"))))
                    .isEqualTo(1);
            PriceQuery query = index.query().offering(half);
            assertThat(index.search(query)).isEqualTo(new SearchResult.NotFound(1));
            assertThat(index.searchAll(List.of(query))).containsExactly(new SearchResult.NotFound(1));
        }
    }

    @Test
    void interruptedSearch_ends() throws Exception {
        try (ShardedCluster cluster = new ShardedCluster(1)) {
            ShardedPriceIndex index = ShardedCluster.index(cluster.member(0));
            PriceQuery query = index.query().offering("o");
            for (ThrowingCallable search : List.<ThrowingCallable>of(
                    () -> index.search(query),
                    () -> index.search(index.query()),
                    () -> index.count(query),
                    () -> index.price("o", "p"),
                    () -> index.prices("o"),
                    index::stats,
                    () -> index.searchAll(List.of(query, query)))) {
                Thread.currentThread().interrupt();
                assertThatThrownBy(search).isInstanceOf(CancellationException.class);
                assertThat(Thread.interrupted()).isTrue();
            }
            assertThat(index.search(index.query().offering("o"))).isEqualTo(new SearchResult.NotFound(1));
        }
    }

    @Test
    void readInterruptedWhileItWaits_endsOnAClient_andReturnsOnAMember() throws Exception {
        try (ShardedCluster cluster = new ShardedCluster(1)) {
            HazelcastInstance member = cluster.member(0);
            for (HazelcastInstance instance : List.of(member, cluster.client(0))) {
                CountDownLatch mayEnd = new CountDownLatch(1);
                Future<Object> busy = occupy(member, "o", mayEnd);
                ShardedPriceIndex index = ShardedCluster.index(instance);
                CompletableFuture<@Nullable Price> result = new CompletableFuture<>();
                CompletableFuture<Boolean> isInterrupted = new CompletableFuture<>();
                Thread thread = new Thread(() -> {
                    result.completeAsync(() -> index.price("o", "p"), Runnable::run);
                    isInterrupted.complete(Thread.currentThread().isInterrupted());
                });
                thread.start();
                while (!result.isDone() && !waits(thread)) {
                    LockSupport.parkNanos(100_000);
                }
                thread.interrupt();
                if (instance.equals(member)) {
                    while (!result.isDone() && thread.isInterrupted()) { // until the wait has seen it
                        LockSupport.parkNanos(100_000);
                    }
                    assertThat(result).isNotDone();
                    assertThat(index.search(index.query().offering("o"))) // on this thread, which waits for no other
                            .isEqualTo(new SearchResult.NotFound(1));
                    mayEnd.countDown();
                    assertThat(result.get()).isNull();
                } else {
                    assertThatThrownBy(result::get).hasCauseInstanceOf(CancellationException.class);
                    mayEnd.countDown();
                }
                assertThat(isInterrupted.get()).isTrue();
                assertThat(busy.get()).isEqualTo(true);
            }
        }
    }

    /** Keeps the thread of an offering busy until a latch is open. */
    private static Future<Object> occupy(HazelcastInstance member, String offering, CountDownLatch mayEnd) {
        IMap<String, Object> map = member.getMap(ShardedCluster.INDEX + ".offerings");
        EntryProcessor<String, Object, Object> processor = entry -> {
            try {
                return mayEnd.await(100, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        };
        return map.submitToKey(offering, processor).toCompletableFuture();
    }

    /** Returns whether a thread waits for the member that has an offering. */
    private static boolean waits(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                        .anyMatch(frame -> frame.getMethodName().equals("executeOnKey"))
                && thread.getState() == Thread.State.WAITING;
    }

    @Test
    void searchEach_ofAnIteratorThatFails_ends_andTakenQueriesGetNoResult() throws Exception {
        try (ShardedCluster cluster = new ShardedCluster(1)) {
            ShardedPriceIndex index = ShardedCluster.index(cluster.member(0));
            PriceQuery query = index.query().offering("o");
            IllegalStateException failure = new IllegalStateException("made up");
            Iterator<PriceQuery> queries = Stream.generate(new AtomicInteger()::incrementAndGet)
                    .map(number -> {
                        if (number == 4) {
                            throw failure;
                        }
                        return query;
                    })
                    .iterator();
            List<SearchResult> results = new ArrayList<>();
            assertThatThrownBy(() -> index.searchEach(queries, 2, results::add)).isSameAs(failure);
            assertThat(results).containsExactly(new SearchResult.NotFound(1), new SearchResult.NotFound(1));
        }
    }

    @Test
    void nullArguments_areNamed() {
        try (ShardedCluster cluster = new ShardedCluster(1)) {
            ShardedPriceIndex index = ShardedCluster.index(cluster.member(0));
            Map<String, ThrowableAssert.ThrowingCallable> calls = Map.of(
                    "query", () -> index.search(nothing()),
                    "batch", () -> index.update(nothing()),
                    "offering", () -> index.prices(nothing()),
                    "id", () -> index.price("o", nothing()));
            calls.forEach((name, call) -> assertThatThrownBy(call)
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage(name));
        }
    }

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // what a caller without these checks may pass
    private static <T> T nothing() {
        return null;
    }

    @Test
    void indexOfAMemberThatHasEnded_failsByType() {
        try (ShardedCluster cluster = new ShardedCluster(1)) {
            HazelcastInstance member = cluster.member(0);
            ShardedPriceIndex index = ShardedCluster.index(member);
            member.getLifecycleService().terminate();
            assertThatThrownBy(() -> index.search(index.query().offering("o")))
                    .isInstanceOf(com.hazelcast.core.HazelcastInstanceNotActiveException.class);
            assertThatThrownBy(() -> index.update(new PriceBatch().put(price("o", "p"))))
                    .isInstanceOfSatisfying(
                            ShardUpdateException.class,
                            e -> assertThat(e.failures().get("o")).isInstanceOf(UnknownOutcomeException.class));
        }
    }

    @Test
    void searchInTooFewMembers_goesOn_andUpdatesAreRefused() throws Exception {
        try (ShardedCluster cluster = new ShardedCluster(2)) {
            HazelcastInstance stays = cluster.member(isProtected(cluster, 0));
            HazelcastInstance leaves = cluster.member(isProtected(cluster, 1));
            ShardedPriceIndex index = ShardedCluster.index(stays);
            ShardedPriceIndex client = ShardedCluster.index(cluster.client(0));
            index.update(new PriceBatch().put(price("a", "p")).put(price("b", "p")));
            leaves.shutdown();
            while (stays.getSplitBrainProtectionService()
                    .getSplitBrainProtection("majority")
                    .hasMinimumSize()) {
                LockSupport.parkNanos(100_000);
            }
            for (ShardedPriceIndex each : List.of(index, client)) {
                assertThatThrownBy(() -> each.update(new PriceBatch().remove("a", "p")))
                        .isInstanceOf(ShardUpdateException.class);
                PriceQuery query = each.query().offering("a");
                assertThat(each.search(query)).isInstanceOf(SearchResult.Found.class);
                assertThat(each.searchAsync(query).toCompletableFuture().get()).isInstanceOf(SearchResult.Found.class);
                assertThat(each.searchAll(List.of(query, each.query().offering("c"))))
                        .satisfiesExactly(
                                one -> assertThat(one).isInstanceOf(SearchResult.Found.class),
                                none -> assertThat(none).isInstanceOf(SearchResult.NotFound.class));
                assertThat(each.count(query)).isEqualTo(1);
                assertThat(each.count(each.query())).isEqualTo(2);
                assertThat(each.price("a", "p")).isEqualTo(price("a", "p"));
                assertThat(each.price("a", "q")).isNull();
            }
        }
    }

    private static Config isProtected(ShardedCluster cluster, int member) {
        Config config = cluster.memberConfig(member, List.of(cluster.port(0), cluster.port(1)), 0);
        config.addSplitBrainProtectionConfig(
                new SplitBrainProtectionConfig("majority", true, 2).setProtectOn(SplitBrainProtectionOn.WRITE));
        config.getMapConfig(ShardedCluster.INDEX + ".offerings").setSplitBrainProtectionName("majority");
        return config;
    }
}
