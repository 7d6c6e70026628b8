package dev.touchstone.serialization.hazelcast;

import com.hazelcast.config.Config;
import com.hazelcast.config.NearCacheConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.instance.BuildInfoProvider;
import com.hazelcast.map.IMap;
import com.hazelcast.query.Predicates;
import dev.touchstone.serialization.GenericView;
import dev.touchstone.serialization.exception.UnknownSchemaException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Does everything that the bridge can with the Hazelcast of its class path, from a member and from a client. */
final class VersionMain {
    private static final String NEAR = "near";

    private VersionMain() {}

    public static void main(String[] args) {
        try (Cluster cluster = new Cluster()) {
            List<Integer> ports = Cluster.freePorts(1);
            NearCacheConfig near = new NearCacheConfig(NEAR).setCacheLocalEntries(true);
            Config config = Cluster.memberConfig(cluster.name, ports.get(0), ports);
            config.getMapConfig(NEAR).setNearCacheConfig(near);
            HazelcastInstance member = cluster.member(config);
            HazelcastInstance serializers = cluster.serializerClient(ports);
            HazelcastInstance client = cluster.client(
                    Cluster.clientConfig(cluster.name, ports).addNearCacheConfig(new NearCacheConfig(NEAR)));
            check(member, serializers);
            check(client, serializers);
            checkNearCache(member);
            checkNearCache(client);
            System.out.println("passed " + BuildInfoProvider.getBuildInfo().getVersion());
        }
    }

    private static void checkNearCache(HazelcastInstance ours) {
        CompactMap<Integer, Trade> map = CompactMap.of(ours, NEAR, new Trade.Codec());
        map.setAll(Map.of(1, Trade.of(1), 2, Trade.of(2)));
        for (int i = 0; i < 2; i++) {
            equal(map.get(1), Trade.of(1));
            equal(map.getAll(Set.of(1, 2, 3)), Map.of(1, Trade.of(1), 2, Trade.of(2)));
            equal(map.getAsync(3).toCompletableFuture().join(), null);
        }
        equal(map.map().getLocalMapStats().getNearCacheStats().getHits() >= 5, true);
        map.executeOnEntries(new NearCacheWritesTest.Setter(9, false));
        equal(map.get(1), Trade.of(9));
        equal(map.put(1, Trade.of(5)), Trade.of(9));
        equal(map.get(1), Trade.of(5));
        map.clear();
        equal(map.get(1), null);
    }

    private static void check(HazelcastInstance ours, HazelcastInstance serializers) {
        String name = "trades-" + UUID.randomUUID();
        CompactMap<Integer, Trade> map = CompactMap.of(ours, name, new Trade.Codec());
        IMap<Integer, Trade> theirs = serializers.getMap(name);
        map.set(1, Trade.of(1));
        equal(map.put(1, Trade.of(10)), Trade.of(1));
        map.setAll(Map.of(2, Trade.of(2), 3, Trade.of(3)));
        theirs.set(4, Trade.of(4));
        equal(theirs.get(1), Trade.of(10));
        equal(map.get(4), Trade.of(4));
        equal(map.getAll(Set.of(2, 3)), Map.of(2, Trade.of(2), 3, Trade.of(3)));
        equal(map.getAsync(2).toCompletableFuture().join(), Trade.of(2));
        GenericView view = Objects.requireNonNull(
                CompactMap.<Integer, Counter>of(ours, name, new Counter.Codec(Counter.schema("counter")))
                        .getView(4));
        equal(view.value("volume"), 4000L);
        equal(theirs.keySet(Predicates.equal("number", 4)), Set.of(4));
        equal(map.map().keySet(FieldPredicate.equal("number", 4)), Set.of(4));
        equal(map.values(FieldPredicate.equal("number", 3)), List.of(Trade.of(3)));
        FieldPredicate<Integer, Object> composed =
                FieldPredicate.or(FieldPredicate.in("number", 3, 40), FieldPredicate.ilike("symbol", "SYMBOL\\_4"));
        equal(map.keySet(composed), Set.of(3));
        equal(map.keySet(Predicates.and(composed, Predicates.lessThan("number", 3))), Set.of());
        equal(map.entrySet(composed), Map.of(3, Trade.of(3)).entrySet());
        throwing(UnknownFieldException.class, () -> map.keySet(FieldPredicate.isNull("nowhereToBeFound")));
        throwing(FieldKindException.class, () -> map.keySet(FieldPredicate.equal("number", "3")));
        equal(map.executeOnKey(3, new PredicateHoldersTest.Asking(composed)), composed.toString());
        equal(map.putIfAbsent(2, Trade.of(9)), Trade.of(2));
        equal(map.putIfAbsent(9, Trade.of(9), 1, TimeUnit.HOURS, 1, TimeUnit.HOURS), null);
        equal(map.put(9, Trade.of(90), 1, TimeUnit.HOURS, 1, TimeUnit.HOURS), Trade.of(9));
        equal(map.replace(9, Trade.of(91)), Trade.of(90));
        equal(map.remove(9), Trade.of(91));
        equal(map.compute(2, (key, value) -> Trade.of(20)), Trade.of(20));
        map.map().set(5, HazelcastBridge.toData(Counter.record(Counter.schema("nowhere-" + name), 5)));
        throwing(UnknownSchemaException.class, () -> map.get(5));
        throwing(DamagedEntryException.class, () -> map.values(FieldPredicate.equal("number", 3)));
    }

    private static void equal(@Nullable Object actual, @Nullable Object expected) {
        if (!Objects.equals(expected, actual)) {
            throw new AssertionError("expected=" + expected + " actual=" + actual);
        }
    }

    private static void throwing(Class<? extends RuntimeException> expected, Runnable code) {
        try {
            code.run();
        } catch (RuntimeException e) {
            if (expected.isInstance(e)) {
                return;
            }
            throw e;
        }
        throw new AssertionError("not thrown: " + expected.getName());
    }
}
