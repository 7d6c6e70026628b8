package dev.touchstone.serialization.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import com.hazelcast.nio.serialization.genericrecord.GenericRecordBuilder;
import com.hazelcast.query.Predicate;
import com.hazelcast.query.Predicates;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * Predicates and maps are made at random, and both sides must find the same entries: all kinds of fields, nulls, older versions, records inside,
 * items of arrays. A failure names the seed; {@code -Dparity.seed} repeats it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PredicateParityTest {
    private static final int ENTRIES = 120;

    private final Cluster cluster = new Cluster();
    private @Nullable HazelcastInstance member;
    private @Nullable HazelcastInstance client;
    private Random random = new Random(0);

    /** Ours and theirs of the same meaning. */
    private record Pair(FieldPredicate<Integer, Object> ours, Predicate<Integer, Object> theirs) {}

    /** A path, with a source of constants that its field is compared with. */
    private record Field(String path, Supplier<Comparable<?>> constants, boolean isText, boolean isOrdered) {}

    @BeforeAll
    void start() {
        List<Integer> ports = Cluster.freePorts(1);
        member = cluster.member(ports.get(0), ports);
        client = cluster.client(ports);
    }

    @AfterAll
    void stop() {
        cluster.close();
    }

    @Test
    void randomPredicates_findTheSameEntriesAsHazelcasts() {
        check(Long.getLong("seed", System.nanoTime()), 600);
    }

    @Tag("slow")
    @Test
    void manyRandomMaps_findTheSameEntriesAsHazelcasts() {
        for (int i = 0; i < 20; i++) {
            check(System.nanoTime(), 2000);
        }
    }

    private void check(long seed, int predicates) {
        random = new Random(seed);
        IMap<Integer, Object> map = Objects.requireNonNull(client).getMap("parity-" + seed);
        for (int key = 0; key < ENTRIES; key++) {
            map.set(key, parent(random.nextInt(4) == 0));
        }
        IMap<Integer, Object> local = Objects.requireNonNull(member).getMap(map.getName());
        int some = 0;
        for (int i = 0; i < predicates; i++) {
            Pair pair = i % 5 == 4 ? mixed() : pair(i % 5);
            IMap<Integer, Object> asked = i % 2 == 0 ? map : local;
            var theirs = asked.keySet(pair.theirs);
            assertThat(asked.keySet(pair.ours))
                    .as("seed=%d predicate=%s", seed, pair.ours)
                    .isEqualTo(theirs);
            some += theirs.isEmpty() || theirs.size() == ENTRIES ? 0 : 1;
        }
        System.out.println("seed=" + seed + " predicates=" + predicates + " with some of the entries=" + some);
        assertThat(some).as("predicates that find some entries, seed=%d", seed).isGreaterThan(predicates / 4);
        map.destroy();
    }

    /** Returns a predicate of ours inside one of Hazelcast's, but not below a negation: Hazelcast rewrites negations of its own predicates only. */
    private Pair mixed() {
        Pair left = pair(2);
        Pair right = pair(2);
        return random.nextBoolean()
                ? new Pair(FieldPredicate.and(left.ours, right.ours), Predicates.and(left.ours, right.theirs))
                : new Pair(FieldPredicate.or(left.ours, right.ours), Predicates.or(left.theirs, right.ours));
    }

    private Pair pair(int depth) {
        int choice = depth == 0 ? 3 : random.nextInt(5);
        if (choice == 0) {
            Pair part = pair(depth - 1);
            return new Pair(FieldPredicate.not(part.ours), Predicates.not(part.theirs));
        }
        if (choice < 3) {
            Pair left = pair(depth - 1);
            Pair right = pair(depth - 1);
            return choice == 1
                    ? new Pair(FieldPredicate.and(left.ours, right.ours), Predicates.and(left.theirs, right.theirs))
                    : new Pair(FieldPredicate.or(left.ours, right.ours), Predicates.or(left.theirs, right.theirs));
        }
        return leaf();
    }

    private Pair leaf() {
        List<Field> fields = fields();
        Field field = fields.get(random.nextInt(fields.size()));
        String path = field.path;
        Comparable<?> one = field.constants.get();
        Comparable<?> other = field.constants.get();
        if (field.isText && random.nextInt(3) == 0) {
            String pattern = text(random.nextInt(5));
            return random.nextBoolean()
                    ? new Pair(FieldPredicate.like(path, pattern), Predicates.like(path, pattern))
                    : new Pair(FieldPredicate.ilike(path, pattern), Predicates.ilike(path, pattern));
        }
        return switch (random.nextInt(field.isOrdered ? 9 : 4)) {
            case 0 -> new Pair(FieldPredicate.equal(path, one), Predicates.equal(path, one));
            case 1 -> new Pair(FieldPredicate.notEqual(path, one), Predicates.notEqual(path, one));
            case 2 -> new Pair(FieldPredicate.isNull(path), Predicates.equal(path, null));
            case 3 ->
                random.nextBoolean()
                        ? new Pair(FieldPredicate.in(path, one, other), Predicates.in(path, one, other))
                        : new Pair(FieldPredicate.in(path, one, null, other), Predicates.in(path, one, null, other));
            case 4 -> new Pair(FieldPredicate.greaterThan(path, one), Predicates.greaterThan(path, one));
            case 5 -> new Pair(FieldPredicate.greaterEqual(path, one), Predicates.greaterEqual(path, one));
            case 6 -> new Pair(FieldPredicate.lessThan(path, one), Predicates.lessThan(path, one));
            case 7 -> new Pair(FieldPredicate.lessEqual(path, one), Predicates.lessEqual(path, one));
            default -> new Pair(FieldPredicate.between(path, one, other), Predicates.between(path, one, other));
        };
    }

    /** Few values of each kind, so that many are equal. */
    private List<Field> fields() {
        List<Field> fields = new ArrayList<>();
        scalars("", fields);
        scalars("child.", fields);
        scalars("children[any].", fields);
        scalars("children[1].", fields);
        scalars("child.child.", fields);
        for (String item : List.of("[any]", "[0]", "[1]", "[7]")) {
            fields.add(new Field("booleans" + item, random::nextBoolean, false, true));
            fields.add(new Field("bytes" + item, () -> (long) random.nextInt(4), false, true));
            fields.add(new Field("shorts" + item, () -> random.nextInt(4), false, true));
            fields.add(new Field("ints" + item, () -> random.nextInt(4), false, true));
            fields.add(new Field("longs" + item, () -> (long) random.nextInt(4), false, true));
            fields.add(new Field("floats" + item, this::real, false, true));
            fields.add(new Field("doubles" + item, this::real, false, true));
            fields.add(new Field("strings" + item, () -> text(2), true, true));
            fields.add(new Field("decimals" + item, this::decimal, false, true));
            fields.add(new Field("dates" + item, this::date, false, true));
            fields.add(new Field("nullableInts" + item, () -> random.nextInt(4), false, true));
            fields.add(new Field("child.strings" + item, () -> text(2), true, true));
            fields.add(new Field("children[any].ints" + item, () -> random.nextInt(4), false, true));
        }
        return fields;
    }

    private void scalars(String prefix, List<Field> fields) {
        fields.add(new Field(prefix + "flag", random::nextBoolean, false, true));
        fields.add(new Field(prefix + "int8", () -> (long) random.nextInt(4), false, true));
        fields.add(new Field(prefix + "int16", () -> random.nextInt(4), false, true));
        fields.add(new Field(
                prefix + "int32",
                () -> random.nextBoolean() ? random.nextInt(4) : (Comparable<?>) real(),
                false,
                true));
        fields.add(new Field(
                prefix + "int64",
                () -> random.nextBoolean() ? random.nextInt(4) : (Comparable<?>) 0x1p53,
                false,
                true));
        fields.add(
                new Field(prefix + "float32", () -> random.nextBoolean() ? real() : (Comparable<?>) 1.1, false, true));
        fields.add(
                new Field(prefix + "float64", () -> random.nextBoolean() ? real() : (Comparable<?>) 1L, false, true));
        fields.add(new Field(prefix + "text", () -> text(2), true, true));
        fields.add(new Field(
                prefix + "decimal", () -> random.nextBoolean() ? decimal() : (Comparable<?>) 1L, false, true));
        fields.add(new Field(prefix + "time", this::time, false, true));
        fields.add(new Field(prefix + "date", this::date, false, true));
        fields.add(new Field(prefix + "timestamp", this::timestamp, false, true));
        fields.add(new Field(prefix + "zoned", this::zoned, false, true));
        fields.add(new Field(prefix + "nullableFlag", random::nextBoolean, false, true));
        fields.add(new Field(prefix + "nullableInt8", () -> (long) random.nextInt(4), false, true));
        fields.add(new Field(prefix + "nullableInt16", () -> random.nextInt(4), false, true));
        fields.add(new Field(prefix + "nullableInt32", () -> random.nextInt(4), false, true));
        fields.add(new Field(prefix + "nullableInt64", () -> (long) random.nextInt(4), false, true));
        fields.add(new Field(prefix + "nullableFloat32", this::real, false, true));
        fields.add(new Field(prefix + "nullableFloat64", this::real, false, true));
    }

    private double real() {
        double[] values = {0.0, -0.0, 1.0, 1.5, -2.25, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
        return values[random.nextInt(values.length)];
    }

    private float single() {
        return random.nextInt(4) == 0 ? 1.1f : (float) real();
    }

    private String text(int length) {
        String[] parts = {"a", "b", "A", "B", "%", "_", "\\", "\u00e9", "\u00c9", "\ud83d\ude07", "\n", "\u0131"};
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append(parts[random.nextInt(parts.length)]);
        }
        return text.toString();
    }

    private BigDecimal decimal() {
        return new BigDecimal(new String[] {"1", "1.0", "1.5", "-3", "1E+3", "0"}[random.nextInt(6)]);
    }

    private LocalTime time() {
        return LocalTime.of(random.nextInt(3), 0);
    }

    private LocalDate date() {
        return LocalDate.of(new int[] {1582, 2026, 9999}[random.nextInt(3)], 10, 10);
    }

    private LocalDateTime timestamp() {
        return LocalDateTime.of(date(), time());
    }

    private OffsetDateTime zoned() {
        return OffsetDateTime.of(timestamp(), ZoneOffset.ofHours(random.nextInt(2)));
    }

    private <T> @Nullable T orNull(Supplier<T> value) {
        return random.nextInt(4) == 0 ? null : value.get();
    }

    private GenericRecord parent(boolean isOlder) {
        return record("parent", isOlder, 2);
    }

    private GenericRecord record(String type, boolean isOlder, int depth) {
        GenericRecordBuilder record = GenericRecordBuilder.compact(type);
        if (isOlder) {
            return record.setInt32("int32", random.nextInt(4))
                    .setString("text", orNull(() -> text(2)))
                    .build();
        }
        record.setBoolean("flag", random.nextBoolean())
                .setInt8("int8", (byte) random.nextInt(4))
                .setInt16("int16", (short) random.nextInt(4))
                .setInt32("int32", random.nextInt(4))
                .setInt64("int64", random.nextInt(4))
                .setFloat32("float32", single())
                .setFloat64("float64", real())
                .setString("text", orNull(() -> text(2)))
                .setDecimal("decimal", orNull(this::decimal))
                .setTime("time", orNull(this::time))
                .setDate("date", orNull(this::date))
                .setTimestamp("timestamp", orNull(this::timestamp))
                .setTimestampWithTimezone("zoned", orNull(this::zoned))
                .setNullableBoolean("nullableFlag", orNull(random::nextBoolean))
                .setNullableInt8("nullableInt8", orNull(() -> (byte) random.nextInt(4)))
                .setNullableInt16("nullableInt16", orNull(() -> (short) random.nextInt(4)))
                .setNullableInt32("nullableInt32", orNull(() -> random.nextInt(4)))
                .setNullableInt64("nullableInt64", orNull(() -> (long) random.nextInt(4)))
                .setNullableFloat32("nullableFloat32", orNull(this::single))
                .setNullableFloat64("nullableFloat64", orNull(this::real));
        arrays(record);
        record.setGenericRecord("child", orNull(() -> depth == 0 ? null : child(depth)));
        int children = random.nextInt(4);
        record.setArrayOfGenericRecord(
                "children",
                depth == 0 || children == 3
                        ? null
                        : array(children, i -> orNull(() -> child(depth)), new GenericRecord[0]));
        return record.build();
    }

    /** Records in one array must be of one schema in Hazelcast. */
    private GenericRecord child(int depth) {
        return record("child" + depth, false, depth - 1);
    }

    private void arrays(GenericRecordBuilder record) {
        int size = random.nextInt(4);
        if (size == 3) {
            record.setArrayOfBoolean("booleans", null)
                    .setArrayOfInt8("bytes", null)
                    .setArrayOfInt16("shorts", null)
                    .setArrayOfInt32("ints", null)
                    .setArrayOfInt64("longs", null)
                    .setArrayOfFloat32("floats", null)
                    .setArrayOfFloat64("doubles", null);
        } else {
            boolean[] booleans = new boolean[size];
            byte[] bytes = new byte[size];
            short[] shorts = new short[size];
            int[] ints = new int[size];
            long[] longs = new long[size];
            float[] floats = new float[size];
            double[] doubles = new double[size];
            for (int i = 0; i < size; i++) {
                booleans[i] = random.nextBoolean();
                bytes[i] = (byte) random.nextInt(4);
                shorts[i] = (short) random.nextInt(4);
                ints[i] = random.nextInt(4);
                longs[i] = random.nextInt(4);
                floats[i] = single();
                doubles[i] = real();
            }
            record.setArrayOfBoolean("booleans", booleans)
                    .setArrayOfInt8("bytes", bytes)
                    .setArrayOfInt16("shorts", shorts)
                    .setArrayOfInt32("ints", ints)
                    .setArrayOfInt64("longs", longs)
                    .setArrayOfFloat32("floats", floats)
                    .setArrayOfFloat64("doubles", doubles);
        }
        record.setArrayOfString("strings", array(size, i -> orNull(() -> text(2)), new String[0]))
                .setArrayOfDecimal("decimals", array(size, i -> orNull(this::decimal), new BigDecimal[0]))
                .setArrayOfDate("dates", array(size, i -> orNull(this::date), new LocalDate[0]))
                .setArrayOfNullableInt32(
                        "nullableInts", array(size, i -> orNull(() -> random.nextInt(4)), new Integer[0]));
    }

    private static <T> T[] array(int size, Function<Integer, @Nullable T> item, T[] type) {
        List<@Nullable T> items = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            items.add(item.apply(i));
        }
        return items.toArray(type);
    }
}
