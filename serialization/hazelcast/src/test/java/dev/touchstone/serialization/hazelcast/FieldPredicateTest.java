package dev.touchstone.serialization.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.nio.serialization.genericrecord.GenericRecordBuilder;
import com.hazelcast.query.Predicate;
import com.hazelcast.query.Predicates;
import dev.touchstone.serialization.schema.Schema;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The same answers as Hazelcast's predicates, from the bytes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FieldPredicateTest {
    private static final int ENTRIES = 300;

    private final Cluster cluster = new Cluster();
    private final List<Integer> ports = Cluster.freePorts(2);
    private final Map<CompactMapTest.Side, HazelcastInstance> ours = new HashMap<>();

    @BeforeAll
    void start() {
        ours.put(CompactMapTest.Side.MEMBER, cluster.member(ports.get(0), ports));
        cluster.member(ports.get(1), ports);
        ours.put(CompactMapTest.Side.CLIENT, cluster.client(ports));
    }

    @AfterAll
    void stop() {
        cluster.close();
    }

    private CompactMap<Integer, Trade> filled(CompactMapTest.Side side) {
        CompactMap<Integer, Trade> map = CompactMap.of(
                Objects.requireNonNull(ours.get(side)), "queried-" + UUID.randomUUID(), new Trade.Codec());
        Map<Integer, Trade> trades = new HashMap<>();
        IntStream.range(0, ENTRIES).forEach(i -> trades.put(i, Trade.of(i)));
        map.setAll(trades);
        return map;
    }

    private static void checkSame(
            CompactMap<Integer, Trade> map, FieldPredicate<Integer, Object> ours, Predicate<Integer, Object> theirs) {
        assertThat(map.map().keySet(ours))
                .as(ours.toString())
                .isNotEmpty()
                .hasSizeLessThan(ENTRIES)
                .isEqualTo(map.map().keySet(theirs));
    }

    @ParameterizedTest
    @EnumSource
    void eachCondition_fitsTheSameAsHazelcasts(CompactMapTest.Side side) {
        CompactMap<Integer, Trade> map = filled(side);
        checkSame(map, FieldPredicate.equal("symbol", "symbol 4"), Predicates.equal("symbol", "symbol 4"));
        checkSame(map, FieldPredicate.equal("number", 17), Predicates.equal("number", 17));
        checkSame(map, FieldPredicate.equal("volume", 17_000), Predicates.equal("volume", 17_000L));
        checkSame(map, FieldPredicate.equal("rating", 3), Predicates.equal("rating", 3));
        checkSame(map, FieldPredicate.equal("isOpen", true), Predicates.equal("isOpen", true));
        checkSame(map, FieldPredicate.between("volume", 5000, 9999), Predicates.between("volume", 5000L, 9999L));
        checkSame(map, FieldPredicate.between("price", 1.25, 2.5), Predicates.between("price", 1.25, 2.5));
        checkSame(
                map,
                FieldPredicate.between("symbol", "symbol 2", "symbol 4"),
                Predicates.between("symbol", "symbol 2", "symbol 4"));
        assertThat(map.map().keySet(FieldPredicate.equal("symbol", "none"))).isEmpty();
        assertThat(map.map().keySet(FieldPredicate.equal("noField", 1))).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void values_areDecodedByUs(CompactMapTest.Side side) {
        CompactMap<Integer, Trade> map = filled(side);
        assertThat(map.values(FieldPredicate.between("number", 10, 12)))
                .containsExactlyInAnyOrder(Trade.of(10), Trade.of(11), Trade.of(12));
    }

    /** Hazelcast tells the instance to a predicate that it was given, but not to one inside of that. */
    @ParameterizedTest
    @EnumSource
    void insideAnotherPredicate_fitsTheSame(CompactMapTest.Side side) {
        CompactMap<Integer, Trade> map = filled(side);
        FieldPredicate<Integer, Object> open = FieldPredicate.equal("isOpen", true);
        Predicate<Integer, Object> both = Predicates.and(open, Predicates.lessThan("number", 5));
        if (side == CompactMapTest.Side.MEMBER) {
            assertThatThrownBy(() -> map.map().keySet(both))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("setHazelcastInstance");
            open.setHazelcastInstance(Objects.requireNonNull(ours.get(side)));
        }
        assertThat(map.map().keySet(both)).containsExactlyInAnyOrder(0, 2, 4);
    }

    @ParameterizedTest
    @EnumSource
    void otherTypesAndVersions_areComparedByTheirOwnSchema(CompactMapTest.Side side) {
        CompactMap<Integer, Trade> map = filled(side);
        map.map()
                .set(
                        1000,
                        GenericRecordBuilder.compact("elsewhere")
                                .setInt8("number", (byte) 17)
                                .build());
        map.map()
                .set(
                        1001,
                        GenericRecordBuilder.compact("without")
                                .setInt8("x", (byte) 17)
                                .build());
        assertThat(map.map().keySet(FieldPredicate.equal("number", 17))).containsExactlyInAnyOrder(17, 1000);
    }

    @ParameterizedTest
    @EnumSource
    void damagedEntry_endsTheQueryAndIsNamed(CompactMapTest.Side side) {
        CompactMap<Integer, Trade> map = filled(side);
        byte[] record = Objects.requireNonNull(map.getBytes(17));
        map.map().set(17, HazelcastBridge.toData(Arrays.copyOf(record, 30)));
        checkNamed(map, FieldPredicate.equal("symbol", "symbol 4"), "key=17 field=symbol");
        map.set(17, Trade.of(17));
        assertThat(map.values(FieldPredicate.equal("number", 17))).containsExactly(Trade.of(17));
    }

    @ParameterizedTest
    @EnumSource
    void unknownSchemaOrKind_endsTheQueryAndIsNamed(CompactMapTest.Side side) {
        CompactMap<Integer, Trade> map = filled(side);
        checkNamed(map, FieldPredicate.equal("symbol", 4), "field=symbol: field cannot be compared so: kind=STRING");
        Schema nowhere = Counter.schema("nowhere-" + UUID.randomUUID());
        map.map().set(17, HazelcastBridge.toData(Counter.record(nowhere, 1)));
        checkNamed(map, FieldPredicate.equal("number", 4), "key=17 field=number: unknown schema");
        map.map().set(17, "no record");
        checkNamed(map, FieldPredicate.equal("number", 4), "key=17 field=number");
    }

    private static void checkNamed(CompactMap<Integer, Trade> map, Predicate<Integer, Object> predicate, String what) {
        assertThatThrownBy(() -> map.values(predicate))
                .isInstanceOf(DamagedEntryException.class)
                .hasMessageContaining(what);
    }
}
