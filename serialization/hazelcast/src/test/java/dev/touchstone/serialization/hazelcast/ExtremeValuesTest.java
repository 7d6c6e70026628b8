package dev.touchstone.serialization.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import com.hazelcast.nio.serialization.genericrecord.GenericRecordBuilder;
import com.hazelcast.query.Predicate;
import com.hazelcast.query.Predicates;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The ends of each kind of value, and texts of all alphabets, as values, keys and constants: beside Hazelcast's own answers. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("sweep")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ExtremeValuesTest {
    private static final int ENTRIES = 200;

    private static final List<String> TEXTS = List.of(
            "",
            "a",
            "A",
            "?",
            "a?b",
            "\ud801\udc00",
            "\ud801\udc28",
            "\u00e9",
            "\u00c9",
            "\u1e9e",
            "ss",
            "\u017f",
            "s",
            "S",
            "\u212a",
            "k",
            "K",
            "\u03a3",
            "\u03c3",
            "\u03c2",
            "\u4e2d\u6587",
            "\u0130",
            "\u0131",
            "i",
            "I",
            "\u0000",
            "\r",
            "\n",
            "\u0085",
            "\u2028",
            "\\",
            "%",
            "_",
            "\uffff",
            "\ue000",
            "\u01c4",
            "\u01c5",
            "\u01c6",
            "\u212b",
            "\u00e5",
            "\u2126",
            "\u03c9",
            "\u00b5",
            "\u03bc",
            "\ufb01");

    private static final List<Long> INTEGERS = List.of(
            0L,
            1L,
            -1L,
            127L,
            -128L,
            128L,
            255L,
            256L,
            32767L,
            65536L,
            (long) Integer.MAX_VALUE,
            (long) Integer.MIN_VALUE,
            (1L << 32) + 1,
            1L << 53,
            (1L << 53) + 1,
            Long.MAX_VALUE,
            Long.MIN_VALUE);

    private static final List<Double> NUMBERS = List.of(
            0.0,
            -0.0,
            1.0,
            1.5,
            (double) 1.1f,
            1.1,
            Double.NaN,
            Double.POSITIVE_INFINITY,
            Double.NEGATIVE_INFINITY,
            Double.MIN_VALUE,
            Double.MAX_VALUE,
            0x1p53,
            (double) Float.MAX_VALUE,
            (double) Float.MIN_VALUE);

    private static final List<BigDecimal> DECIMALS = List.of(
            new BigDecimal("1"),
            new BigDecimal("1.0"),
            new BigDecimal("1e2147483647"),
            new BigDecimal("1e-2147483647"),
            new BigDecimal("-1e2147483647"),
            new BigDecimal("0e2147483647"),
            new BigDecimal("0E-2147483647"),
            new BigDecimal("9223372036854775808"),
            new BigDecimal("100"),
            new BigDecimal("1E+2"),
            BigDecimal.ZERO,
            new BigDecimal("0.0"));

    private static final List<LocalDate> DATES = List.of(
            LocalDate.of(1582, 10, 4),
            LocalDate.of(1582, 10, 15),
            LocalDate.of(9999, 12, 31),
            LocalDate.of(1, 1, 1),
            LocalDate.of(-1, 1, 1),
            LocalDate.of(0, 2, 29),
            LocalDate.MAX,
            LocalDate.MIN);

    private static final List<LocalTime> TIMES =
            List.of(LocalTime.MIN, LocalTime.MAX, LocalTime.NOON, LocalTime.of(0, 0, 0, 1));

    private static final List<ZoneOffset> OFFSETS =
            List.of(ZoneOffset.UTC, ZoneOffset.MAX, ZoneOffset.MIN, ZoneOffset.ofHoursMinutesSeconds(1, 2, 3));

    private final Cluster cluster = new Cluster();
    private final Map<Cluster.Side, HazelcastInstance> ours = new HashMap<>();
    private final long seed = Long.getLong("seed", System.nanoTime());
    private final Random random = new Random(seed);

    @BeforeAll
    void start() {
        ours.putAll(cluster.sides(Cluster.freePorts(2)));
        System.out.println("extremes.seed=" + seed);
        IMap<Integer, Object> map = instance(Cluster.Side.CLIENT).getMap("extremes");
        for (int key = 0; key < ENTRIES; key++) {
            map.set(key, extreme());
        }
    }

    @AfterAll
    void stop() {
        cluster.close();
    }

    private HazelcastInstance instance(Cluster.Side side) {
        return Objects.requireNonNull(ours.get(side));
    }

    private <T> T any(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    private GenericRecord extreme() {
        long integer = any(INTEGERS);
        double number = any(NUMBERS);
        LocalDateTime timestamp = LocalDateTime.of(any(DATES), any(TIMES));
        return GenericRecordBuilder.compact("extreme")
                .setInt8("int8", (byte) integer)
                .setInt16("int16", (short) integer)
                .setInt32("int32", (int) integer)
                .setInt64("int64", integer)
                .setFloat32("float32", (float) number)
                .setFloat64("float64", number)
                .setString("text", random.nextBoolean() ? any(TEXTS) : any(TEXTS) + any(TEXTS))
                .setArrayOfString("texts", new String[] {any(TEXTS), null, any(TEXTS)})
                .setArrayOfInt64("integers", new long[] {any(INTEGERS), any(INTEGERS)})
                .setArrayOfFloat64("numbers", new double[] {any(NUMBERS), any(NUMBERS)})
                .setDecimal("decimal", any(DECIMALS))
                .setArrayOfDecimal("decimals", new BigDecimal[] {any(DECIMALS), null})
                .setDate("date", timestamp.toLocalDate())
                .setTime("time", timestamp.toLocalTime())
                .setTimestamp("timestamp", timestamp)
                .setTimestampWithTimezone("zoned", timestamp.atOffset(any(OFFSETS)))
                .build();
    }

    /** The fields with the constants that Hazelcast, too, can compare them with. */
    private static Map<String, List<? extends Comparable<?>>> constants() {
        List<LocalDateTime> timestamps = new ArrayList<>();
        List<OffsetDateTime> zoned = new ArrayList<>();
        for (LocalDate date : DATES) {
            for (LocalTime time : TIMES) {
                timestamps.add(LocalDateTime.of(date, time));
                OFFSETS.forEach(offset -> zoned.add(OffsetDateTime.of(date, time, offset)));
            }
        }
        List<Comparable<?>> numbers = new ArrayList<>(NUMBERS);
        for (long integer : INTEGERS) {
            if (Math.abs(integer)
                    <= 1L << 53) { // Hazelcast rounds those beyond where the other side is of another type
                numbers.add(integer);
            }
        }
        Map<String, List<? extends Comparable<?>>> constants = new LinkedHashMap<>();
        for (String path : List.of(
                "int8",
                "int16",
                "int32",
                "int64",
                "integers[any]",
                "integers[0]",
                "float32",
                "float64",
                "numbers[any]")) {
            constants.put(path, numbers);
        }
        constants.put("decimal", DECIMALS);
        constants.put("decimals[any]", DECIMALS);
        constants.put("text", TEXTS);
        constants.put("texts[any]", TEXTS);
        constants.put("texts[1]", TEXTS);
        constants.put("date", DATES);
        constants.put("time", TIMES);
        constants.put("timestamp", timestamps);
        constants.put("zoned", zoned);
        return constants;
    }

    private static Map<FieldPredicate<Integer, Object>, Predicate<Integer, Object>> pairs(
            String path, Comparable<?> constant, Comparable<?> other) {
        Map<FieldPredicate<Integer, Object>, Predicate<Integer, Object>> pairs = new LinkedHashMap<>();
        pairs.put(FieldPredicate.equal(path, constant), Predicates.equal(path, constant));
        pairs.put(FieldPredicate.notEqual(path, constant), Predicates.notEqual(path, constant));
        pairs.put(FieldPredicate.greaterThan(path, constant), Predicates.greaterThan(path, constant));
        pairs.put(FieldPredicate.greaterEqual(path, constant), Predicates.greaterEqual(path, constant));
        pairs.put(FieldPredicate.lessThan(path, constant), Predicates.lessThan(path, constant));
        pairs.put(FieldPredicate.lessEqual(path, constant), Predicates.lessEqual(path, constant));
        pairs.put(FieldPredicate.in(path, constant, other), Predicates.in(path, constant, other));
        if (constant instanceof String text) {
            for (String pattern : List.of(text, text + "%", text + "_", "_" + text)) {
                pairs.put(FieldPredicate.like(path, pattern), Predicates.like(path, pattern));
                pairs.put(FieldPredicate.ilike(path, pattern), Predicates.ilike(path, pattern));
            }
        }
        return pairs;
    }

    @ParameterizedTest
    @EnumSource
    void extremes_fitTheSameAsHazelcasts(Cluster.Side side) {
        IMap<Integer, Object> map = instance(side).getMap("extremes");
        int checked = 0;
        for (Map.Entry<String, List<? extends Comparable<?>>> field :
                constants().entrySet()) {
            for (Comparable<?> constant : field.getValue()) {
                Comparable<?> other = any(field.getValue());
                for (Map.Entry<FieldPredicate<Integer, Object>, Predicate<Integer, Object>> pair :
                        pairs(field.getKey(), constant, other).entrySet()) {
                    assertThat(map.keySet(pair.getKey()))
                            .as("seed=%d predicate=%s", seed, pair.getKey())
                            .isEqualTo(map.keySet(pair.getValue()));
                    checked++;
                }
            }
        }
        System.out.println(side + ": predicates compared=" + checked);
    }

    /** Hazelcast compares 2^63 with the greatest long by rounding, refuses to order integers and decimals, and takes no decimal as an integer. */
    @ParameterizedTest
    @EnumSource
    void numbersOfOtherKinds_areExactWhereHazelcastRoundsOrRefuses(Cluster.Side side) {
        CompactMap<Integer, Trade> map = CompactMap.of(instance(side), "exact-" + UUID.randomUUID(), new Trade.Codec());
        map.set(1, new Trade(1, "", Long.MAX_VALUE, 0x1p63, true, null));
        assertThat(map.keySet(FieldPredicate.equal("volume", 0x1p63))).isEmpty();
        assertThat(map.keySet(FieldPredicate.equal("price", Long.MAX_VALUE))).isEmpty();
        assertThat(map.keySet(FieldPredicate.greaterThan("price", Long.MAX_VALUE)))
                .containsExactly(1);
        assertThat(map.keySet(FieldPredicate.equal("volume", BigInteger.valueOf(Long.MAX_VALUE))))
                .containsExactly(1);
        assertThat(map.keySet(FieldPredicate.equal("price", new BigDecimal("9223372036854775808"))))
                .containsExactly(1);
        assertThat(map.keySet(FieldPredicate.lessThan("number", new BigDecimal("1.5"))))
                .containsExactly(1);
        assertThat(map.keySet(FieldPredicate.lessThan("number", new BigDecimal("1e2147483647"))))
                .containsExactly(1);
    }

    /** Half of a surrogate pair is written as a question mark by Hazelcast and by us; a constant means what a record would have. */
    @ParameterizedTest
    @EnumSource
    void halfOfASurrogatePair_isAQuestionMarkEverywhere(Cluster.Side side) {
        CompactMap<Integer, Trade> map =
                CompactMap.of(instance(side), "halves-" + UUID.randomUUID(), new Trade.Codec());
        map.set(1, new Trade(1, "a\ud800b", 0, 0, true, null));
        map.map().set(2, new Trade(2, "a\udc00b", 0, 0, true, null).generic());
        map.set(3, new Trade(3, "a\ud83d\ude07b", 0, 0, true, null));
        assertThat(Objects.requireNonNull(map.get(1)).symbol()).isEqualTo("a?b");
        assertThat(Objects.requireNonNull(map.get(2)).symbol()).isEqualTo("a?b");
        Set<Integer> both = Set.of(1, 2);
        for (String text : List.of("a\ud800b", "a\udc00b", "a?b")) {
            assertThat(map.keySet(FieldPredicate.equal("symbol", text))).isEqualTo(both);
            assertThat(map.keySet(FieldPredicate.in("symbol", text, "none"))).isEqualTo(both);
            assertThat(map.keySet(FieldPredicate.between("symbol", text, text))).isEqualTo(both);
            assertThat(map.keySet(FieldPredicate.like("symbol", text))).isEqualTo(both);
            assertThat(map.keySet(FieldPredicate.notEqual("symbol", text))).isEqualTo(Set.of(3));
        }
        assertThat(map.keySet(FieldPredicate.like("symbol", "a_b"))).isEqualTo(Set.of(1, 2, 3));
        assertThat(map.replace(1, new Trade(1, "a?b", 0, 0, true, null), Trade.of(1)))
                .isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void textsOfAllAlphabets_areKeysAndValues(Cluster.Side side) {
        CompactMap<String, Trade> map = CompactMap.of(instance(side), "texts-" + side, new Trade.Codec());
        Map<String, Trade> expected = new HashMap<>();
        for (String text : TEXTS) {
            Trade trade = new Trade(text.length(), text, Long.MIN_VALUE, Double.NaN, true, Integer.MIN_VALUE);
            map.set(text, trade);
            expected.put(text, trade);
        }
        assertThat(map.getAll(expected.keySet())).isEqualTo(expected);
        assertThat(map.entrySet()).isEqualTo(expected.entrySet());
        assertThat(map.keySet(FieldPredicate.equal("price", Double.NaN))).isEqualTo(expected.keySet());
        for (String text : TEXTS) {
            Trade trade = Objects.requireNonNull(expected.get(text));
            assertThat(map.get(text)).isEqualTo(trade);
            assertThat(map.values(FieldPredicate.equal("symbol", text))).containsExactly(trade);
            assertThat(map.replace(text, trade, Trade.of(1))).isTrue();
            assertThat(map.remove(text, Trade.of(1))).isTrue();
        }
        assertThat(map.isEmpty()).isTrue();
    }

    @Test
    void decimalThatMembersWouldRefuse_isRefusedAtOnce() {
        BigInteger longest = BigInteger.ONE.shiftLeft(8 * (1 << 16) - 2);
        assertThat(FieldPredicate.equal("volume", longest)).isNotNull();
        assertThatThrownBy(() -> FieldPredicate.equal("volume", longest.shiftLeft(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("decimal is too long");
    }
}
