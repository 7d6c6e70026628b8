package dev.touchstone.serialization.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import com.hazelcast.nio.serialization.genericrecord.GenericRecordBuilder;
import com.hazelcast.query.Predicate;
import com.hazelcast.query.Predicates;
import dev.touchstone.serialization.schema.FieldKind;
import dev.touchstone.serialization.schema.Schema;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The same answers as Hazelcast's predicates, from the bytes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FieldPredicateTest {
    private static final int ENTRIES = 300;

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

    private CompactMap<Integer, Trade> filled(Cluster.Side side) {
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
    void eachCondition_fitsTheSameAsHazelcasts(Cluster.Side side) {
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
    }

    @ParameterizedTest
    @EnumSource
    void values_areDecodedByUs(Cluster.Side side) {
        CompactMap<Integer, Trade> map = filled(side);
        assertThat(map.values(FieldPredicate.between("number", 10, 12)))
                .containsExactlyInAnyOrder(Trade.of(10), Trade.of(11), Trade.of(12));
    }

    /** Hazelcast tells the instance to a predicate that it was given, but not to one inside of that. */
    @ParameterizedTest
    @EnumSource
    void insideAnotherPredicate_fitsTheSame(Cluster.Side side) {
        CompactMap<Integer, Trade> map = filled(side);
        FieldPredicate<Integer, Object> open = FieldPredicate.equal("isOpen", true);
        Predicate<Integer, Object> both = Predicates.and(open, Predicates.lessThan("number", 5));
        assertThat(map.map().keySet(both)).containsExactlyInAnyOrder(0, 2, 4);
    }

    @ParameterizedTest
    @EnumSource
    void otherTypesAndVersions_areComparedByTheirOwnSchema(Cluster.Side side) {
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
    void damagedEntry_endsTheQueryAndIsNamed(Cluster.Side side) {
        CompactMap<Integer, Trade> map = filled(side);
        byte[] record = Objects.requireNonNull(map.getBytes(17));
        map.map().set(17, HazelcastBridge.toData(Arrays.copyOf(record, 30)));
        checkNamed(map, FieldPredicate.equal("symbol", "symbol 4"), "key=17 predicate=symbol = 'symbol 4'");
        map.set(17, Trade.of(17));
        assertThat(map.values(FieldPredicate.equal("number", 17))).containsExactly(Trade.of(17));
    }

    @ParameterizedTest
    @EnumSource
    void unknownSchema_endsTheQueryAndIsNamed(Cluster.Side side) {
        CompactMap<Integer, Trade> map = filled(side);
        Schema nowhere = Counter.schema("nowhere-" + UUID.randomUUID());
        map.map().set(17, HazelcastBridge.toData(Counter.record(nowhere, 1)));
        checkNamed(map, FieldPredicate.equal("number", 4), "key=17 predicate=number = 4: unknown schema");
        map.map().set(17, "no record");
        checkNamed(map, FieldPredicate.equal("number", 4), "key=17 predicate=number = 4");
    }

    private static void checkNamed(CompactMap<Integer, Trade> map, Predicate<Integer, Object> predicate, String what) {
        assertThatThrownBy(() -> map.values(predicate))
                .isInstanceOf(DamagedEntryException.class)
                .hasMessageContaining(what);
    }

    private static void checkRefused(
            CompactMap<Integer, Trade> map,
            Predicate<Integer, Object> predicate,
            Class<? extends RuntimeException> type,
            String what) {
        assertThatThrownBy(() -> map.map().keySet(predicate)).isInstanceOf(type).hasMessageContaining(what);
        assertThatThrownBy(() -> map.values(predicate)).isInstanceOf(type).hasMessageContaining(what);
    }

    @ParameterizedTest
    @EnumSource
    void unknownField_isATypedErrorThatNamesIt(Cluster.Side side) {
        CompactMap<Integer, Trade> map = filled(side);
        checkRefused(
                map,
                FieldPredicate.equal("nowhereToBeFound", 1),
                UnknownFieldException.class,
                "unknown field: field=nowhereToBeFound part=nowhereToBeFound type=trade");
        checkRefused(
                map,
                FieldPredicate.and(FieldPredicate.equal("number", -1), FieldPredicate.isNull("nowhereToBeFound")),
                UnknownFieldException.class,
                "nowhereToBeFound");
        checkRefused(
                map,
                Predicates.and(FieldPredicate.isNull("nowhereToBeFound"), Predicates.lessThan("number", 5)),
                UnknownFieldException.class,
                "nowhereToBeFound");
        checkRefused(
                map, FieldPredicate.isNull("nowhereToBeFound[0]"), UnknownFieldException.class, "nowhereToBeFound");
    }

    @ParameterizedTest
    @EnumSource
    void fieldOfANewerVersion_isNullInOlderRecords(Cluster.Side side) {
        CompactMap<Integer, Trade> map = filled(side);
        GenericRecord older = GenericRecordBuilder.compact(Trade.TYPE)
                .setInt32("number", 1000)
                .build();
        map.map().set(1000, older);
        FieldPredicate<Integer, Object> isOld = FieldPredicate.equal("number", 1000);
        assertThat(map.map().keySet(isOld)).containsExactly(1000);
        assertThat(map.map().keySet(FieldPredicate.and(isOld, FieldPredicate.equal("isOpen", true))))
                .isEmpty();
        assertThat(map.map().keySet(FieldPredicate.and(isOld, FieldPredicate.isNull("isOpen"))))
                .containsExactly(1000);
    }

    /** Nobody has written a record of the codec's own version yet: its fields are known all the same. */
    @ParameterizedTest
    @EnumSource
    void fieldOfTheCodecAlone_isKnown(Cluster.Side side) {
        String type = "alone-" + UUID.randomUUID();
        String field = "only-" + UUID.randomUUID();
        Schema newer = Schema.builder(type).field(field, FieldKind.INT32).build();
        CompactMap<Integer, Counter> map =
                CompactMap.of(Objects.requireNonNull(ours.get(side)), type, new Counter.Codec(newer));
        map.map()
                .set(1, GenericRecordBuilder.compact(type).setInt32("number", 1).build());
        assertThatThrownBy(() -> map.map().keySet(FieldPredicate.equal(field, 1)))
                .isInstanceOf(UnknownFieldException.class);
        assertThat(map.keySet(FieldPredicate.equal(field, 1))).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void unfitKind_isATypedErrorThatNamesFieldKindAndType(Cluster.Side side) {
        CompactMap<Integer, Trade> map = filled(side);
        String of = "field cannot be compared with the constant: field=";
        Class<FieldKindException> type = FieldKindException.class;
        checkRefused(
                map, FieldPredicate.equal("symbol", 4), type, of + "symbol kind=STRING type=trade constantType=Long");
        checkRefused(
                map,
                FieldPredicate.equal("number", "4"),
                type,
                of + "number kind=INT32 type=trade constantType=String");
        checkRefused(
                map,
                FieldPredicate.in("price", 1.5, true),
                type,
                "kind=FLOAT64 type=trade constantType=Double, Boolean");
        checkRefused(map, FieldPredicate.like("number", "4%"), type, "kind=INT32 type=trade constantType=String");
        checkRefused(map, FieldPredicate.greaterThan("isOpen", LocalDate.EPOCH), type, "constantType=LocalDate");
        checkRefused(
                map,
                FieldPredicate.isNull("number.a"),
                type,
                "path goes on behind a field that holds no record: field=number.a part=number kind=INT32");
        checkRefused(
                map,
                FieldPredicate.isNull("symbol[any]"),
                type,
                "items of a field that is no array: field=symbol[any] part=symbol kind=STRING");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".",
                "a.",
                ".a",
                "a..b",
                "a[",
                "a]",
                "a[]",
                "a[x]",
                "a[-1]",
                "a[any",
                "a[99999999999]",
                "[0]",
                "a[0]b"
            })
    void malformedPath_isRefusedAtOnce(String path) {
        assertThatThrownBy(() -> FieldPredicate.isNull(path))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("path is malformed: path=" + path);
    }

    @Test
    void constantOfNoKind_isRefusedAtOnce() {
        assertThatThrownBy(() -> FieldPredicate.equal("f", UUID.randomUUID()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("type=java.util.UUID");
    }

    /** Nothing is rounded. */
    @ParameterizedTest
    @EnumSource
    void constantThatIsNoInteger_isComparedExactly(Cluster.Side side) {
        CompactMap<Integer, Trade> map = filled(side);
        assertThat(map.keySet(FieldPredicate.equal("number", 3.7))).isEmpty();
        assertThat(map.keySet(FieldPredicate.equal("number", 4294967299L))).isEmpty();
        assertThat(map.keySet(FieldPredicate.lessThan("number", 1.5))).containsExactlyInAnyOrder(0, 1);
        assertThat(map.keySet(FieldPredicate.between("number", 0.5, 1.5))).containsExactly(1);
        assertThat(map.keySet(FieldPredicate.in("number", 1.0, 2.5, new BigDecimal("3.0"))))
                .containsExactlyInAnyOrder(1, 3);
        assertThat(map.keySet(FieldPredicate.greaterThan("number", 1e300))).isEmpty();
        assertThat(map.keySet(FieldPredicate.greaterEqual("number", -1e300))).hasSize(ENTRIES);
        assertThat(map.keySet(FieldPredicate.greaterThan("number", Double.NaN))).isEmpty();
        assertThat(map.keySet(FieldPredicate.lessThan("number", Double.NaN))).hasSize(ENTRIES);
        assertThat(map.keySet(FieldPredicate.greaterThan("volume", Long.MAX_VALUE)))
                .isEmpty();
        assertThat(map.keySet(FieldPredicate.lessThan("volume", Long.MIN_VALUE)))
                .isEmpty();
        map.set(-1, new Trade(-1, null, 0, 0x1p53, false, null));
        long above = (1L << 53) + 1; // and nearest to the price above
        FieldPredicate<Integer, Object> isIt = FieldPredicate.lessThan("number", 0);
        assertThat(map.keySet(FieldPredicate.equal("price", above - 1))).containsExactly(-1);
        assertThat(map.keySet(FieldPredicate.equal("price", above))).isEmpty();
        assertThat(map.keySet(FieldPredicate.in("price", above, -1))).isEmpty();
        assertThat(map.keySet(FieldPredicate.greaterEqual("price", above))).isEmpty();
        assertThat(map.keySet(FieldPredicate.and(isIt, FieldPredicate.lessThan("price", above))))
                .containsExactly(-1);
        assertThat(map.keySet(FieldPredicate.greaterThan("price", new BigDecimal("9007199254740991.5"))))
                .containsExactly(-1);
        assertThat(map.keySet(FieldPredicate.greaterThan("price", new BigDecimal("1E+400"))))
                .isEmpty();
        map.delete(-1);
        assertThat(map.keySet(FieldPredicate.lessThan("number", new BigDecimal("1E-2147483647"))))
                .containsExactly(0);
        assertThat(map.keySet(FieldPredicate.lessThan("number", new BigDecimal("1E+2147483647"))))
                .hasSize(ENTRIES);
    }

    /** A pattern that a regular expression would take ages for. */
    @Test
    void pattern_isMatchedInBoundedTime() {
        CompactMap<Integer, Trade> map = filled(Cluster.Side.MEMBER);
        map.set(1, new Trade(1, "a".repeat(10_000), 1, 1, true, null));
        assertThat(map.keySet(FieldPredicate.like("symbol", "%a".repeat(1000) + "b")))
                .isEmpty();
        assertThat(map.keySet(FieldPredicate.ilike("symbol", "%A".repeat(1000))))
                .containsExactly(1);
    }

    @Test
    void predicateOfALongLife_isUsedByManyThreads() throws InterruptedException {
        CompactMap<Integer, Trade> map = filled(Cluster.Side.CLIENT);
        FieldPredicate<Integer, Object> predicate = FieldPredicate.equal("number", 17);
        IMap<Integer, Object> local = Objects.requireNonNull(ours.get(Cluster.Side.MEMBER))
                .getMap(map.map().getName());
        List<Thread> threads = new ArrayList<>();
        List<Object> found = Collections.synchronizedList(new ArrayList<>());
        for (int i = 0; i < 8; i++) {
            Thread thread = new Thread(() -> {
                for (int j = 0; j < 20; j++) {
                    found.add(local.keySet(predicate));
                }
            });
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(found).hasSize(160).containsOnly(Set.of(17));
    }

    /** A predicate of a release to come. */
    private static final class Future implements Predicate<Integer, Object>, IdentifiedDataSerializable {
        private static final long serialVersionUID = 1;

        @Override
        public boolean apply(Map.Entry<Integer, Object> entry) {
            throw new AssertionError("a predicate of another version is only sent");
        }

        @Override
        public int getFactoryId() {
            return Wire.FACTORY;
        }

        @Override
        public int getClassId() {
            return Wire.FIELD_PREDICATE;
        }

        @Override
        public void writeData(ObjectDataOutput out) throws IOException {
            out.writeByte(2);
        }

        @Override
        public void readData(ObjectDataInput in) {}
    }

    @Test
    void predicateOfANewerClient_isATypedErrorThere() {
        CompactMap<Integer, Trade> map = filled(Cluster.Side.CLIENT);
        assertThatThrownBy(() -> map.keySet(new Future()))
                .isInstanceOf(PredicateFormatException.class)
                .hasMessageContaining("unknown version of a predicate: version=2 expected=1");
    }
}
