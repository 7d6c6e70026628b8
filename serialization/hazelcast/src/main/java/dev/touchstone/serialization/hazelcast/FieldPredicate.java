package dev.touchstone.serialization.hazelcast;

import static java.util.Objects.requireNonNull;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.hazelcast.query.Predicate;
import dev.touchstone.serialization.CompactSerialization;
import dev.touchstone.serialization.exception.CompactException;
import dev.touchstone.serialization.hazelcast.predicate.Condition;
import dev.touchstone.serialization.hazelcast.predicate.Constant;
import dev.touchstone.serialization.hazelcast.predicate.Expression;
import dev.touchstone.serialization.hazelcast.predicate.ExpressionException;
import dev.touchstone.serialization.hazelcast.predicate.FieldPath;
import dev.touchstone.serialization.hazelcast.predicate.PredicateFormat;
import dev.touchstone.serialization.hazelcast.predicate.RecordMatcher;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A predicate on the fields of a map's Compact records that is evaluated inside the bytes, on the member that holds the entry: no object is
 * made, and no field is read that the predicate does not name. The map must be in the binary format, which is the default, and this jar and
 * the codec's must be on the members' class path. Immutable for its user, and thread-safe.
 *
 * <p><b>Paths.</b> A field is named by its path: {@code name}, {@code address.city} in a record inside, {@code items[0]} for an item of an
 * array, {@code items[any]} for each, {@code items[any].name} for a field of records in an array. With {@code [any]} an entry fits if one of
 * the values does.
 *
 * <p><b>Meaning.</b> The same entries fit as with Hazelcast's {@code Predicates} of the same names. A value is null where the field is null,
 * where the record is of an older version that lacks the field, where a record on the path is null, and where an item is not there. A null
 * fits {@code isNull} and {@code notEqual} to a constant; no comparison, no range and no pattern fits it. Integers of all widths and
 * floating-point numbers are compared with any number as exactly as they are: neither side is rounded. Equality of floating-point numbers and decimals is that of
 * {@code equals}, so that 1.0 and 1.00 differ as decimals; their order is that of {@code compareTo}, where NaN is the greatest. Strings are
 * compared with strings, characters and names of enum constants.
 *
 * <p><b>Errors.</b> A field that no schema has which the member knows, of whatever type, ends the query with an {@link UnknownFieldException};
 * a constant of a type that the field never has, and a path into a field that is no record or array, with a {@link FieldKindException}. A value
 * that is no record, is damaged or has an unknown schema ends it with a {@link DamagedEntryException} that names its key. A query that left
 * out such entries would give a wrong answer without saying so. Only what is read is checked: damage to other fields stays unseen, and so
 * does a wrong name inside a record that no entry has.
 *
 * <p>Records of several types and versions may be in one map. Hazelcast's indexes are not used: where there is one on the field, Hazelcast's
 * own predicates are the better choice. Both kinds may be combined by {@code Predicates.and}, {@code or} and {@code not}. Evaluation takes
 * constant time for each field of the record itself that is named; the length of the records on the way is added for longer paths.
 *
 * @param <K> the keys of the map
 * @param <V> its values
 */
public final class FieldPredicate<K, V> implements Predicate<K, V>, IdentifiedDataSerializable, HazelcastInstanceAware {
    /*
     * Who calls:   any number of threads of a member.
     * Invariants:  the expression is set before the predicate is published: by the constructor, or by readData.
     *              A matcher is used by the thread that it is kept for.
     * Failure:     an evaluation that throws leaves a matcher as it was; nothing is cached of a schema that could not be matched.
     */
    private static final long serialVersionUID = 1;

    /** Threads whose matchers are kept by one that outlives its query, as a listener's does. */
    private static final int MAX_THREADS = 256;

    /** Characters of a predicate that a message shows. */
    private static final int MAX_SHOWN = 200;

    private transient Expression expression;
    private transient volatile @Nullable Schemata schemata;
    private final transient Map<Thread, RecordMatcher> matchers = new ConcurrentHashMap<>();

    /** Makes one to be read into. */
    FieldPredicate() {
        this(Expression.and(List.of()));
    }

    private FieldPredicate(Expression expression) {
        this.expression = expression.checked();
    }

    /** The serialization that looks schemas up, and whether a field is known. */
    private record Schemata(CompactSerialization serialization, SchemaCatalog catalog) {}

    private static <K, V> FieldPredicate<K, V> of(String path, Condition condition) {
        return new FieldPredicate<>(new Expression.Leaf(FieldPath.of(requireNonNull(path, "path")), condition));
    }

    /**
     * Returns the predicate that a string is equal to another.
     *
     * @param <K> the keys of the map
     * @param <V> its values
     * @param path names the field
     * @param value the other; null makes this {@link #isNull}
     * @return the predicate
     * @throws IllegalArgumentException if the path is malformed
     */
    public static <K, V> FieldPredicate<K, V> equal(String path, @Nullable String value) {
        return equal(path, (Comparable<?>) value);
    }

    /**
     * Returns the predicate that a number is equal to an integer.
     *
     * @param <K> the keys of the map
     * @param <V> its values
     * @param path names the field
     * @param value the integer
     * @return the predicate
     * @throws IllegalArgumentException if the path is malformed
     */
    public static <K, V> FieldPredicate<K, V> equal(String path, long value) {
        return equal(path, (Comparable<?>) value);
    }

    /**
     * Returns the predicate that a boolean is equal to another.
     *
     * @param <K> the keys of the map
     * @param <V> its values
     * @param path names the field
     * @param value the other
     * @return the predicate
     * @throws IllegalArgumentException if the path is malformed
     */
    public static <K, V> FieldPredicate<K, V> equal(String path, boolean value) {
        return equal(path, (Comparable<?>) value);
    }

    /**
     * Returns the predicate that a value is equal to another.
     *
     * @param <K> the keys of the map
     * @param <V> its values
     * @param path names the field
     * @param value a number, string, boolean, character, enum constant, or a local or offset date or time; null makes this {@link #isNull}
     * @return the predicate
     * @throws IllegalArgumentException if the path is malformed, or no field has values of this type
     */
    public static <K, V> FieldPredicate<K, V> equal(String path, @Nullable Comparable<?> value) {
        return of(path, Condition.oneOf(value));
    }

    /**
     * Returns the predicate that a value is not equal to another; a null is not equal to a constant.
     *
     * @param <K> the keys of the map
     * @param <V> its values
     * @param path names the field
     * @param value as of {@link #equal(String, Comparable)}; null makes this {@link #isNotNull}
     * @return the predicate
     * @throws IllegalArgumentException if the path is malformed, or no field has values of this type
     */
    public static <K, V> FieldPredicate<K, V> notEqual(String path, @Nullable Comparable<?> value) {
        return not(equal(path, value));
    }

    /**
     * Returns the predicate that a value is null, in whatever way.
     *
     * @param <K> the keys of the map
     * @param <V> its values
     * @param path names the field, which may be of any kind
     * @return the predicate
     * @throws IllegalArgumentException if the path is malformed
     */
    public static <K, V> FieldPredicate<K, V> isNull(String path) {
        return equal(path, (Comparable<?>) null);
    }

    /**
     * Returns the predicate that no value is null: the opposite of {@link #isNull}.
     *
     * @param <K> the keys of the map
     * @param <V> its values
     * @param path names the field, which may be of any kind
     * @return the predicate
     * @throws IllegalArgumentException if the path is malformed
     */
    public static <K, V> FieldPredicate<K, V> isNotNull(String path) {
        return not(isNull(path));
    }

    /**
     * Returns the predicate that a value is greater than a constant.
     *
     * @param <K> the keys of the map
     * @param <V> its values
     * @param path names the field
     * @param value as of {@link #equal(String, Comparable)}, but not null
     * @return the predicate
     * @throws IllegalArgumentException if the path is malformed, or no field has values of this type
     */
    public static <K, V> FieldPredicate<K, V> greaterThan(String path, Comparable<?> value) {
        return range(path, requireNonNull(value, "value"), false, null, false);
    }

    /**
     * Returns the predicate that a value is greater than a constant or equal to it.
     *
     * @param <K> the keys of the map
     * @param <V> its values
     * @param path names the field
     * @param value as of {@link #equal(String, Comparable)}, but not null
     * @return the predicate
     * @throws IllegalArgumentException if the path is malformed, or no field has values of this type
     */
    public static <K, V> FieldPredicate<K, V> greaterEqual(String path, Comparable<?> value) {
        return range(path, requireNonNull(value, "value"), true, null, false);
    }

    /**
     * Returns the predicate that a value is less than a constant.
     *
     * @param <K> the keys of the map
     * @param <V> its values
     * @param path names the field
     * @param value as of {@link #equal(String, Comparable)}, but not null
     * @return the predicate
     * @throws IllegalArgumentException if the path is malformed, or no field has values of this type
     */
    public static <K, V> FieldPredicate<K, V> lessThan(String path, Comparable<?> value) {
        return range(path, null, false, requireNonNull(value, "value"), false);
    }

    /**
     * Returns the predicate that a value is less than a constant or equal to it.
     *
     * @param <K> the keys of the map
     * @param <V> its values
     * @param path names the field
     * @param value as of {@link #equal(String, Comparable)}, but not null
     * @return the predicate
     * @throws IllegalArgumentException if the path is malformed, or no field has values of this type
     */
    public static <K, V> FieldPredicate<K, V> lessEqual(String path, Comparable<?> value) {
        return range(path, null, false, requireNonNull(value, "value"), true);
    }

    /**
     * Returns the predicate that a number is between two integers, both included.
     *
     * @param <K> the keys of the map
     * @param <V> its values
     * @param path names the field
     * @param from the least
     * @param to the greatest
     * @return the predicate
     * @throws IllegalArgumentException if the path is malformed
     */
    public static <K, V> FieldPredicate<K, V> between(String path, long from, long to) {
        return range(path, from, true, to, true);
    }

    /**
     * Returns the predicate that a number is between two others, both included.
     *
     * @param <K> the keys of the map
     * @param <V> its values
     * @param path names the field
     * @param from the least
     * @param to the greatest
     * @return the predicate
     * @throws IllegalArgumentException if the path is malformed
     */
    public static <K, V> FieldPredicate<K, V> between(String path, double from, double to) {
        return range(path, from, true, to, true);
    }

    /**
     * Returns the predicate that a string is between two others, both included, in the order of {@link String#compareTo}.
     *
     * @param <K> the keys of the map
     * @param <V> its values
     * @param path names the field
     * @param from the least
     * @param to the greatest
     * @return the predicate
     * @throws IllegalArgumentException if the path is malformed
     */
    public static <K, V> FieldPredicate<K, V> between(String path, String from, String to) {
        return range(path, requireNonNull(from, "from"), true, requireNonNull(to, "to"), true);
    }

    /**
     * Returns the predicate that a value is between two others, both included.
     *
     * @param <K> the keys of the map
     * @param <V> its values
     * @param path names the field
     * @param from the least, as of {@link #equal(String, Comparable)}, but not null
     * @param to the greatest, of the same type
     * @return the predicate
     * @throws IllegalArgumentException if the path is malformed, or no field has values of this type
     */
    public static <K, V> FieldPredicate<K, V> between(String path, Comparable<?> from, Comparable<?> to) {
        return range(path, requireNonNull(from, "from"), true, requireNonNull(to, "to"), true);
    }

    private static <K, V> FieldPredicate<K, V> range(
            String path,
            @Nullable Comparable<?> from,
            boolean isFromIncluded,
            @Nullable Comparable<?> to,
            boolean isToIncluded) {
        return of(path, new Condition.Range(Constant.of(from), isFromIncluded, Constant.of(to), isToIncluded));
    }

    /**
     * Returns the predicate that a value is equal to one of some others.
     *
     * @param <K> the keys of the map
     * @param <V> its values
     * @param path names the field
     * @param values each as of {@link #equal(String, Comparable)}; without any, nothing fits
     * @return the predicate
     * @throws IllegalArgumentException if the path is malformed, no field has values of such a type, or there are more than 99,999 values
     */
    public static <K, V> FieldPredicate<K, V> in(String path, @Nullable Comparable<?>... values) {
        return of(path, Condition.oneOf(values));
    }

    /**
     * Returns the predicate that a string matches a pattern, in which {@code %} stands for any text and {@code _} for one character; a
     * backslash before either takes this meaning away. Takes at most the product of both lengths.
     *
     * @param <K> the keys of the map
     * @param <V> its values
     * @param path names the field
     * @param pattern the pattern, for the whole string
     * @return the predicate
     * @throws IllegalArgumentException if the path is malformed
     */
    public static <K, V> FieldPredicate<K, V> like(String path, String pattern) {
        return of(path, new Condition.Like(requireNonNull(pattern, "pattern"), false));
    }

    /**
     * Returns the predicate that a string matches a pattern, with upper and lower case taken as equal; otherwise as {@link #like}.
     *
     * @param <K> the keys of the map
     * @param <V> its values
     * @param path names the field
     * @param pattern the pattern, for the whole string
     * @return the predicate
     * @throws IllegalArgumentException if the path is malformed
     */
    public static <K, V> FieldPredicate<K, V> ilike(String path, String pattern) {
        return of(path, new Condition.Like(requireNonNull(pattern, "pattern"), true));
    }

    /**
     * Returns the predicate that all of some predicates fit. They are evaluated in their order, up to the first that does not.
     *
     * @param <K> the keys of the map
     * @param <V> its values
     * @param predicates without any, everything fits
     * @return the predicate
     * @throws IllegalArgumentException if they are nested deeper than 64, or are more than 100,000 with their constants
     */
    @SafeVarargs
    public static <K, V> FieldPredicate<K, V> and(FieldPredicate<K, V>... predicates) {
        List<Expression> parts = new ArrayList<>();
        for (FieldPredicate<K, V> predicate : predicates) {
            parts.add(predicate.expression);
        }
        return new FieldPredicate<>(Expression.and(List.copyOf(parts)));
    }

    /**
     * Returns the predicate that one of some predicates fits. They are evaluated in their order, up to the first that does.
     *
     * @param <K> the keys of the map
     * @param <V> its values
     * @param predicates without any, nothing fits
     * @return the predicate
     * @throws IllegalArgumentException if they are nested deeper than 64, or are more than 100,000 with their constants
     */
    @SafeVarargs
    public static <K, V> FieldPredicate<K, V> or(FieldPredicate<K, V>... predicates) {
        List<Expression> parts = new ArrayList<>();
        for (FieldPredicate<K, V> predicate : predicates) {
            parts.add(predicate.expression);
        }
        return new FieldPredicate<>(Expression.or(List.copyOf(parts)));
    }

    /**
     * Returns the negation of a predicate, as Hazelcast's queries make it: that of a comparison is the opposite comparison, so that a null, or an
     * array without items, fits neither; that of {@link #and} is an {@link #or} of negations, and the other way round; what fits any other
     * predicate does not fit its negation.
     *
     * @param <K> the keys of the map
     * @param <V> its values
     * @param predicate the other
     * @return the predicate
     * @throws IllegalArgumentException if they are nested deeper than 64
     */
    public static <K, V> FieldPredicate<K, V> not(FieldPredicate<K, V> predicate) {
        return new FieldPredicate<>(Expression.not(predicate.expression));
    }

    /**
     * Returns whether an entry fits; Hazelcast calls it on the member. An entry without a value fits nothing.
     *
     * @throws UnknownFieldException if a field is in no schema that the member knows
     * @throws FieldKindException if the predicate cannot be applied to the kind of a field
     * @throws DamagedEntryException if the value is no record, is damaged, or its schema is unknown
     */
    @Override
    public boolean apply(Map.Entry<K, V> entry) {
        byte[] record = HazelcastBridge.valueBytes(entry);
        if (record == null) {
            return false;
        }
        try {
            return matcher().matches(record);
        } catch (ExpressionException e) {
            throw e.reason() == ExpressionException.Reason.UNKNOWN_FIELD
                    ? new UnknownFieldException(String.valueOf(e.getMessage()), null)
                    : new FieldKindException(String.valueOf(e.getMessage()), null);
        } catch (CompactException e) {
            throw new DamagedEntryException(
                    "entry cannot be compared: key=" + keyOf(entry) + " predicate=" + shortened(toString()) + ": "
                            + e.getMessage(),
                    e);
        }
    }

    /** Returns the key for a message; the member need not have its class. */
    private static String keyOf(Map.Entry<?, ?> entry) {
        try {
            return shortened(String.valueOf(entry.getKey()));
        } catch (RuntimeException | LinkageError e) {
            return "(unreadable here: " + shortened(String.valueOf(e.getMessage())) + ")";
        }
    }

    private static String shortened(String text) {
        return text.length() <= MAX_SHOWN ? text : text.substring(0, MAX_SHOWN) + "...";
    }

    private RecordMatcher matcher() {
        Thread thread = Thread.currentThread();
        RecordMatcher own = matchers.get(thread);
        if (own == null) {
            if (matchers.size() >= MAX_THREADS) {
                matchers.clear();
            }
            Schemata known = known();
            own = new RecordMatcher(expression, known.serialization, known.catalog::hasField);
            matchers.put(thread, own);
        }
        return own;
    }

    private Schemata known() {
        Schemata known = schemata;
        if (known == null) {
            // Inside a predicate of Hazelcast's on an embedded member, which tells the instance to the outer one alone.
            known = schemata(HazelcastBridge.catalogOfThisJvm());
            schemata = known;
        }
        return known;
    }

    private static Schemata schemata(SchemaCatalog catalog) {
        return new Schemata(CompactSerialization.builder().schemas(catalog).build(), catalog);
    }

    /**
     * Sets the instance whose schemas are used. Hazelcast calls it on the members; nobody else need. A predicate that was not told uses the
     * schemas of all instances in its JVM.
     *
     * @param instance the member or client
     * @throws HazelcastBridgeException if it is neither
     */
    @Override
    public void setHazelcastInstance(HazelcastInstance instance) {
        schemata = schemata(HazelcastBridge.of(instance));
        matchers.clear();
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
        PredicateFormat.write(expression, out);
    }

    /**
     * Reads the predicate that another instance wrote.
     *
     * @throws PredicateFormatException if it is of another version, damaged, or beyond a limit
     */
    @Override
    public void readData(ObjectDataInput in) {
        try {
            expression = PredicateFormat.read(in);
        } catch (ExpressionException e) {
            throw new PredicateFormatException(String.valueOf(e.getMessage()), e.getCause());
        }
    }

    /** Has Java's serialization, as of another predicate or a processor that holds this one, write the form that members are sent. */
    private Object writeReplace() throws IOException {
        return new Written(HazelcastBridge.written(this));
    }

    /** A predicate in Java's serialization. */
    @SuppressWarnings("ArrayRecordComponent") // nobody compares them
    private record Written(byte[] bytes) implements Serializable {
        private Object readResolve() throws IOException {
            FieldPredicate<Object, Object> predicate = new FieldPredicate<>();
            HazelcastBridge.read(predicate, bytes);
            return predicate;
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof FieldPredicate<?, ?> predicate && expression.equals(predicate.expression);
    }

    @Override
    public int hashCode() {
        return expression.hashCode();
    }

    @Override
    public String toString() {
        return expression.toString();
    }
}
