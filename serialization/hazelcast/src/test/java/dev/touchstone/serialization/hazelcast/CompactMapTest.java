package dev.touchstone.serialization.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.client.HazelcastClientNotActiveException;
import com.hazelcast.config.IndexType;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import com.hazelcast.nio.serialization.genericrecord.GenericRecordBuilder;
import com.hazelcast.query.Predicates;
import dev.touchstone.serialization.CompactSerialization;
import dev.touchstone.serialization.GenericView;
import dev.touchstone.serialization.exception.UnknownSchemaException;
import dev.touchstone.serialization.hazelcast.samples.CityMap;
import dev.touchstone.serialization.schema.FieldKind;
import dev.touchstone.serialization.schema.Schema;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A map from a client and from a member, beside Hazelcast's own readers and writers. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CompactMapTest {
    private static final int ENTRIES = 200;

    private final Cluster cluster = new Cluster();
    private final List<Integer> ports = Cluster.freePorts(2);
    private final Map<Cluster.Side, HazelcastInstance> ours = new HashMap<>();
    private @Nullable HazelcastInstance serializers;
    private @Nullable HazelcastInstance generics;

    @BeforeAll
    void start() {
        ours.putAll(cluster.sides(ports));
        serializers = cluster.serializerClient(ports);
        generics = cluster.client(ports);
    }

    @AfterAll
    void stop() {
        cluster.close();
    }

    private <V> IMap<Integer, V> theirs(@Nullable HazelcastInstance instance, CompactMap<Integer, ?> map) {
        return Objects.requireNonNull(instance).getMap(map.map().getName());
    }

    private HazelcastInstance instance(Cluster.Side side) {
        return Objects.requireNonNull(ours.get(side));
    }

    private CompactMap<Integer, Trade> trades(Cluster.Side side) {
        return CompactMap.of(instance(side), "trades-" + UUID.randomUUID(), new Trade.Codec());
    }

    @ParameterizedTest
    @EnumSource
    void set_eachWay_isReadByAnExplicitSerializer(Cluster.Side side) {
        CompactMap<Integer, Trade> map = trades(side);
        map.set(1, Trade.of(1));
        assertThat(map.put(2, Trade.of(2))).isNull();
        map.setAll(Map.of(3, Trade.of(3), 4, Trade.of(4)));
        map.setAsync(5, Trade.of(5)).toCompletableFuture().join();
        map.setBytes(6, CompactSerialization.builder().build().encode(Trade.of(6), new Trade.Codec()));
        IMap<Integer, Trade> theirs = theirs(serializers, map);
        for (int i = 1; i <= 6; i++) {
            assertThat(theirs.get(i)).isEqualTo(Trade.of(i));
        }
        assertThat(map.put(6, Trade.of(60))).isEqualTo(Trade.of(6));
        assertThat(theirs.get(6)).isEqualTo(Trade.of(60));
    }

    @ParameterizedTest
    @EnumSource
    void set_byUs_isAGenericRecordForWhoHasNoSerializer(Cluster.Side side) {
        CompactMap<Integer, Trade> map = trades(side);
        for (int i = 0; i < ENTRIES; i++) {
            map.set(i, Trade.of(i));
        }
        IMap<Integer, GenericRecord> theirs = theirs(generics, map);
        for (int i = 0; i < ENTRIES; i++) {
            GenericRecord read = Objects.requireNonNull(theirs.get(i));
            assertThat(Trade.of(read)).isEqualTo(Trade.of(i));
            assertThat(read).isEqualTo(Trade.of(i).generic());
        }
    }

    @ParameterizedTest
    @EnumSource
    void get_ofTheirValues_isEqual(Cluster.Side side) {
        CompactMap<Integer, Trade> map = trades(side);
        theirs(serializers, map).set(1, Trade.of(1));
        theirs(generics, map).set(2, Trade.of(2).generic());
        assertThat(map.get(1)).isEqualTo(Trade.of(1));
        assertThat(map.get(2)).isEqualTo(Trade.of(2));
        assertThat(map.get(3)).isNull();
        assertThat(map.getView(3)).isNull();
        assertThat(map.getBytes(3)).isNull();
        assertThat(map.getAsync(1).toCompletableFuture().join()).isEqualTo(Trade.of(1));
        assertThat(map.getAll(Set.of(1, 2, 3))).isEqualTo(Map.of(1, Trade.of(1), 2, Trade.of(2)));
        GenericView view = Objects.requireNonNull(map.getView(1));
        assertThat(view.value("volume")).isEqualTo(1000L);
        assertThat(map.getBytes(1))
                .isEqualTo(CompactSerialization.builder().build().encode(Trade.of(1), new Trade.Codec()));
    }

    @ParameterizedTest
    @EnumSource
    void predicates_ofHazelcast_seeOurValuesWithAndWithoutAnIndex(Cluster.Side side) {
        CompactMap<Integer, Trade> map = trades(side);
        IMap<Integer, Object> theirs = theirs(serializers, map);
        theirs.addIndex(IndexType.SORTED, "volume");
        for (int i = 0; i < ENTRIES; i++) {
            map.set(i, Trade.of(i));
        }
        assertThat(theirs.values(Predicates.equal("symbol", "symbol 3")))
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, ENTRIES)
                        .mapToObj(Trade::of)
                        .filter(trade -> "symbol 3".equals(trade.symbol()))
                        .toList());
        assertThat(theirs.keySet(Predicates.between("volume", 5000, 7000))).containsExactlyInAnyOrder(5, 6, 7);
    }

    @ParameterizedTest
    @EnumSource
    void recordsInside_withTheirSchemas_areReadByAll(Cluster.Side side) {
        CompactSerialization serialization = CompactSerialization.builder()
                .codec(new Basket.Codec())
                .codec(new Trade.Codec())
                .schemas(CompactMap.schemas(instance(side)))
                .build();
        CompactMap<Integer, Basket> map =
                CompactMap.of(instance(side), "baskets-" + side, new Basket.Codec(), serialization);
        Basket basket = new Basket(null, List.of(Trade.of(1), Trade.of(2)));
        map.set(1, basket);
        assertThat(map.get(1)).isEqualTo(basket);
        GenericRecord theirs =
                Objects.requireNonNull(this.<GenericRecord>theirs(generics, map).get(1));
        assertThat(theirs.getArrayOfGenericRecord("others"))
                .containsExactly(Trade.of(1).generic(), Trade.of(2).generic());
    }

    @ParameterizedTest
    @EnumSource
    void recordsInside_withoutTheirSchema_areRefusedBeforeTheyGoOut(Cluster.Side side) {
        CompactMap<Integer, Basket> map = CompactMap.of(
                instance(side),
                "refused-" + side,
                new Basket.Codec(),
                CompactSerialization.builder().codec(new Basket.Codec()).build());
        assertThatThrownBy(() -> map.set(1, new Basket(Trade.of(1), List.of())))
                .isInstanceOf(UnknownSchemaException.class)
                .hasMessageContaining(Long.toHexString(Trade.Codec.SCHEMA.id()));
        assertThat(map.map().isEmpty()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void schemasOfOthers_areLookedUpInTheCluster(Cluster.Side side) {
        CompactMap<Integer, Trade> map = trades(side);
        String typeName = "other-" + side;
        IMap<Integer, Object> theirs = theirs(generics, map);
        theirs.set(
                1,
                GenericRecordBuilder.compact(typeName).setInt16("x", (short) 7).build());
        GenericView view = Objects.requireNonNull(map.getView(1));
        assertThat(view.schema())
                .isEqualTo(Schema.builder(typeName).field("x", FieldKind.INT16).build());
        assertThat(view.value("x")).isEqualTo((short) 7);
    }

    @ParameterizedTest
    @EnumSource
    void versionsOfOthers_areReadByOurCodec(Cluster.Side side) {
        CompactMap<Integer, Trade> map = trades(side);
        GenericRecord older = GenericRecordBuilder.compact(Trade.TYPE)
                .setInt32("number", 4)
                .setString("symbol", "x")
                .setInt64("volume", 5)
                .setFloat64("price", 0.5)
                .setBoolean("isOpen", true)
                .build();
        theirs(generics, map).set(4, older);
        assertThat(map.get(4)).isEqualTo(new Trade(4, "x", 5, 0.5, true, null));
    }

    @ParameterizedTest
    @EnumSource
    void unknownSchema_isATypedError(Cluster.Side side) {
        CompactMap<Integer, Trade> map = trades(side);
        Schema nowhere = Schema.builder("nowhere-" + UUID.randomUUID())
                .field("number", FieldKind.INT32)
                .build();
        map.map().set(1, HazelcastBridge.toData(Counter.record(nowhere, 1)));
        assertThatThrownBy(() -> map.get(1))
                .isInstanceOfSatisfying(
                        UnknownSchemaException.class,
                        e -> assertThat(e.schemaId()).isEqualTo(nowhere.id()));
        assertThatThrownBy(() -> map.setBytes(2, Counter.record(nowhere, 1)))
                .isInstanceOf(UnknownSchemaException.class);
        assertThat(map.map().containsKey(2)).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void sample_findsItsCities(Cluster.Side side) {
        assertThat(CityMap.between(instance(side), 100_000, 600_000))
                .extracting(CityMap.City::name)
                .containsExactlyInAnyOrder("Lisboa", "Porto");
    }

    @Test
    void clientThatWasShutDown_isRefused() {
        HazelcastInstance client = cluster.client(ports);
        CompactMap<Integer, Trade> map = CompactMap.of(client, "trades", new Trade.Codec());
        client.shutdown();
        assertThatThrownBy(() -> map.get(1)).isInstanceOf(HazelcastClientNotActiveException.class);
        assertThatThrownBy(() -> CompactMap.schemas(client)).isInstanceOf(HazelcastClientNotActiveException.class);
    }

    @Test
    void anotherImplementation_isRefused() {
        HazelcastInstance other = (HazelcastInstance) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {HazelcastInstance.class}, (proxy, method, args) -> null);
        assertThatThrownBy(() -> CompactMap.of(other, "trades", new Trade.Codec()))
                .isInstanceOf(HazelcastBridgeException.class)
                .hasMessageContaining("neither a member nor a client");
    }
}
