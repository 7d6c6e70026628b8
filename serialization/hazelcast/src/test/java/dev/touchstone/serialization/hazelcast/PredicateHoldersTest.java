package dev.touchstone.serialization.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.aggregation.Aggregators;
import com.hazelcast.config.Config;
import com.hazelcast.core.EntryAdapter;
import com.hazelcast.core.EntryEvent;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.EntryProcessor;
import com.hazelcast.map.IMap;
import com.hazelcast.map.QueryCache;
import com.hazelcast.projection.Projections;
import com.hazelcast.query.Predicate;
import com.hazelcast.query.Predicates;
import com.hazelcast.replicatedmap.ReplicatedMap;
import java.io.Serializable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Predicates in the hands of everything in Hazelcast that takes one, and of users' classes that hold one. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PredicateHoldersTest {
    private final Cluster cluster = new Cluster();
    private final List<Integer> ports = Cluster.freePorts(2);
    private final Map<Cluster.Side, HazelcastInstance> ours = new HashMap<>();

    @BeforeAll
    void start() {
        ours.putAll(cluster.sides(ports));
    }

    @AfterAll
    void stop() {
        cluster.close();
    }

    private HazelcastInstance instance(Cluster.Side side) {
        return Objects.requireNonNull(ours.get(side));
    }

    private CompactMap<Integer, Trade> filled(Cluster.Side side) {
        CompactMap<Integer, Trade> map = CompactMap.of(instance(side), "held-" + UUID.randomUUID(), new Trade.Codec());
        map.setAll(Map.of(1, Trade.of(1), 2, Trade.of(2), 3, Trade.of(3)));
        return map;
    }

    /** Goes by Java's serialization, with what it holds. */
    record Asking(FieldPredicate<Integer, Object> held)
            implements EntryProcessor<Integer, Object, String>, Serializable {
        @Override
        public String process(Map.Entry<Integer, Object> entry) {
            return held.toString();
        }
    }

    /** Likewise. */
    record Holding(FieldPredicate<Integer, Object> held) implements Predicate<Integer, Object> {
        @Override
        public boolean apply(Map.Entry<Integer, Object> entry) {
            return held.apply(entry);
        }
    }

    @ParameterizedTest
    @EnumSource
    void javaSerialization_keepsAPredicate(Cluster.Side side) {
        CompactMap<Integer, Trade> map = filled(side);
        FieldPredicate<Integer, Object> predicate =
                FieldPredicate.and(FieldPredicate.in("number", 1, 3, null), FieldPredicate.like("symbol", "symbol _"));
        assertThat(map.executeOnKey(1, new Asking(predicate))).isEqualTo(predicate.toString());
        assertThat(map.keySet(new Holding(predicate))).containsExactlyInAnyOrder(1, 3);
    }

    @ParameterizedTest
    @EnumSource
    void queriesOfAllKinds_takeAPredicate(Cluster.Side side) throws InterruptedException {
        CompactMap<Integer, Trade> map = filled(side);
        IMap<Integer, Object> theirs = map.map();
        FieldPredicate<Integer, Object> some = FieldPredicate.greaterEqual("number", 2);
        assertThat(theirs.aggregate(Aggregators.longSum("volume"), some)).isEqualTo(5000);
        assertThat(theirs.project(Projections.<Map.Entry<Integer, Object>, String>singleAttribute("symbol"), some))
                .containsExactlyInAnyOrder("symbol 2", "symbol 3");
        assertThat(map.keySet(Predicates.pagingPredicate(some, 1))).hasSize(1);
        assertThat(map.values(Predicates.partitionPredicate(3, some))).contains(Trade.of(3));
        assertThatThrownBy(() -> map.values(Predicates.pagingPredicate(some, 1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> map.entrySet(Predicates.pagingPredicate(some, 1)))
                .isInstanceOf(IllegalArgumentException.class);
        QueryCache<Integer, Object> cache = theirs.getQueryCache("cache", some, true);
        assertThat(cache.keySet(FieldPredicate.equal("number", 3))).containsExactly(3);
        assertThat(cache.size()).isEqualTo(2);

        ReplicatedMap<Integer, Object> replicated = instance(side).getReplicatedMap("replicated-" + UUID.randomUUID());
        BlockingQueue<Integer> told = new LinkedBlockingQueue<>();
        replicated.addEntryListener(
                new EntryAdapter<>() {
                    @Override
                    public void entryAdded(EntryEvent<Integer, Object> event) {
                        told.add(event.getKey());
                    }
                },
                FieldPredicate.equal("number", 3));
        replicated.put(2, Trade.of(2).generic());
        replicated.put(3, Trade.of(3).generic());
        assertThat(told.poll(30, TimeUnit.SECONDS)).isEqualTo(3);
        assertThat(told).isEmpty();
    }

    /** A listener's predicate runs in everybody's writes. */
    @ParameterizedTest
    @EnumSource
    void listenersPredicateThatThrows_doesNotHurtWriters(Cluster.Side side) throws InterruptedException {
        CompactMap<Integer, Trade> map = filled(side);
        BlockingQueue<Integer> told = new LinkedBlockingQueue<>();
        map.addEntryListener(event -> told.add(event.key()), FieldPredicate.equal("number", 7));
        map.addEntryListener(event -> told.add(event.key()), FieldPredicate.equal("nowhereAtAll", 7));
        IMap<Integer, Object> theirs = cluster.client(ports).getMap(map.map().getName());
        for (int key = 10; key < 20; key++) {
            theirs.set(key, "no record");
            assertThat(theirs.put(key, "another")).isEqualTo("no record");
            assertThat(theirs.remove(key)).isEqualTo("another");
        }
        map.set(7, Trade.of(7));
        assertThat(told.poll(30, TimeUnit.SECONDS)).isEqualTo(7);
        assertThat(told).isEmpty();
    }

    /** A member without the class of the keys. */
    record HiddenKey(int number) implements Serializable {}

    @Test
    void classOfKeys_neededByNoMember() {
        String hidden = HiddenKey.class.getName();
        try (Cluster other = new Cluster()) {
            List<Integer> port = Cluster.freePorts(1);
            Config config = Cluster.memberConfig(other.name, port.get(0), port);
            config.setClassLoader(new ClassLoader(getClass().getClassLoader()) {
                @Override
                protected Class<?> loadClass(String name, boolean isResolved) throws ClassNotFoundException {
                    if (name.equals(hidden)) {
                        throw new ClassNotFoundException(name);
                    }
                    return super.loadClass(name, isResolved);
                }
            });
            other.member(config);
            CompactMap<HiddenKey, Trade> map = CompactMap.of(other.client(port), "hidden", new Trade.Codec());
            map.set(new HiddenKey(1), Trade.of(1));
            assertThat(map.entrySet()).containsExactly(Map.entry(new HiddenKey(1), Trade.of(1)));
            assertThat(map.entrySet(FieldPredicate.equal("number", 1)))
                    .containsExactly(Map.entry(new HiddenKey(1), Trade.of(1)));
            assertThat(map.keySet(FieldPredicate.equal("number", 1))).containsExactly(new HiddenKey(1));
            map.map().set(new HiddenKey(2), "no record");
            assertThatThrownBy(() -> map.keySet(FieldPredicate.equal("number", 1)))
                    .isInstanceOf(DamagedEntryException.class)
                    .hasMessageContaining("key=(unreadable here: ");
        }
    }

    /** A predicate inside another one of an embedded member asks all instances of the JVM, some of which are just ending. */
    @Test
    void instancesThatEnd_doNotHurtQueriesOfOthers() throws InterruptedException {
        CompactMap<Integer, Trade> map = filled(Cluster.Side.MEMBER);
        AtomicBoolean isEnding = new AtomicBoolean();
        Thread others = new Thread(() -> {
            for (int i = 0; i < 5; i++) {
                try (Cluster other = new Cluster()) {
                    List<Integer> port = Cluster.freePorts(1);
                    other.member(port.get(0), port);
                    other.client(port);
                }
            }
            isEnding.set(true);
        });
        others.start();
        Predicate<Integer, Object> both =
                Predicates.and(FieldPredicate.greaterEqual("number", 2), Predicates.alwaysTrue());
        int queries = 0;
        while (!isEnding.get()) {
            assertThat(map.map().keySet(both)).isEqualTo(Set.of(2, 3));
            queries++;
        }
        others.join();
        assertThat(queries).isPositive();
    }

    /** Throws an error of some class. */
    record Failing(boolean isOutOfMemory) implements Predicate<Integer, Object> {
        @Override
        public boolean apply(Map.Entry<Integer, Object> entry) {
            if (isOutOfMemory) {
                throw new OutOfMemoryError("made up");
            }
            return 0 < depth(entry.getKey());
        }

        private static int depth(int level) {
            return level == Integer.MIN_VALUE ? 0 : 1 + depth(level - 1); // far more than a stack has room for
        }
    }

    @ParameterizedTest
    @EnumSource
    void errorOfAPredicate_endsItsQueryAlone(Cluster.Side side) {
        CompactMap<Integer, Trade> map = filled(side);
        for (boolean isOutOfMemory : new boolean[] {false, true}) {
            Predicate<Integer, Object> failing = new Failing(isOutOfMemory);
            String name = isOutOfMemory ? "OutOfMemoryError" : "StackOverflowError";
            assertThatThrownBy(() -> map.values(failing)).hasStackTraceContaining(name);
            assertThatThrownBy(() -> map.keySet(Predicates.and(FieldPredicate.equal("number", 1), failing)))
                    .hasStackTraceContaining(name);
            assertThat(map.keySet(FieldPredicate.equal("number", 1))).containsExactly(1);
        }
        assertThat(instance(side).getLifecycleService().isRunning()).isTrue();
    }
}
