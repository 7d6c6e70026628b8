package dev.touchstone.serialization.hazelcast;

import static java.util.Objects.requireNonNull;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.hazelcast.query.Predicate;
import dev.touchstone.serialization.CompactException;
import dev.touchstone.serialization.CompactSerialization;
import dev.touchstone.serialization.hazelcast.FieldViews.FieldView;
import dev.touchstone.serialization.schema.FieldKind;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Compares one field of each value with a constant, inside the bytes, on the member that holds the entry: no object is made and no other
 * field is read. For maps of Compact records in the binary format, which is the default; this jar and the codec's must be on the members'
 * class path. Immutable for its user, and thread-safe.
 *
 * <p>A field is one of the record itself, not of a record inside it. A null, and a record without the field, fit nothing. Records of several
 * types and versions may be in one map. Hazelcast's indexes are not used: where there is one on the field, {@code Predicates} of Hazelcast's
 * own are the better choice.
 *
 * <p>A value that cannot be compared, since its bytes are damaged, its schema is unknown or its field is of another kind, ends the query with
 * a {@link DamagedEntryException} that names its key: a query that left out such entries would give a wrong answer without saying so.
 * Damage to other fields than the one that is compared stays unseen.
 *
 * @param <K> the keys of the map
 * @param <V> its values
 */
public final class FieldPredicate<K, V> implements Predicate<K, V>, IdentifiedDataSerializable, HazelcastInstanceAware {
    private static final long serialVersionUID = 1;

    private String field;
    private transient Condition condition;
    private transient @Nullable CompactSerialization serialization;
    /** Views are for one thread each; they go when the query ends. */
    private final transient Map<Thread, FieldViews> views = new ConcurrentHashMap<>();

    /** To be read into. */
    FieldPredicate() {
        this("", new Condition.Flag(false));
    }

    private FieldPredicate(String field, Condition condition) {
        this.field = requireNonNull(field, "field");
        this.condition = condition;
    }

    /** A string that equals another. */
    public static <K, V> FieldPredicate<K, V> equal(String field, String value) {
        return new FieldPredicate<>(field, new Condition.Text(value));
    }

    /** An integer of any width that equals another. */
    public static <K, V> FieldPredicate<K, V> equal(String field, long value) {
        return between(field, value, value);
    }

    /** A boolean that equals another. */
    public static <K, V> FieldPredicate<K, V> equal(String field, boolean value) {
        return new FieldPredicate<>(field, new Condition.Flag(value));
    }

    /** An integer of any width between two, both included. */
    public static <K, V> FieldPredicate<K, V> between(String field, long from, long to) {
        return new FieldPredicate<>(field, new Condition.Whole(from, to));
    }

    /** A floating-point number of any width between two, both included; compared as doubles, so that a NaN is between nothing. */
    public static <K, V> FieldPredicate<K, V> between(String field, double from, double to) {
        return new FieldPredicate<>(field, new Condition.Real(from, to));
    }

    /** A string between two, both included, in the order of {@link String#compareTo}. */
    public static <K, V> FieldPredicate<K, V> between(String field, String from, String to) {
        return new FieldPredicate<>(
                field, new Condition.TextRange(requireNonNull(from, "from"), requireNonNull(to, "to")));
    }

    /** For Hazelcast, on the member. @throws DamagedEntryException if the value cannot be compared */
    @Override
    public boolean apply(Map.Entry<K, V> entry) {
        byte[] record = HazelcastBridge.valueBytes(entry);
        try {
            FieldView view = views().of(record);
            FieldKind kind = view.kind();
            if (kind == null) {
                return false;
            }
            if (!condition.takes(kind)) {
                throw damaged(entry, new IllegalArgumentException("field cannot be compared so: kind=" + kind));
            }
            view.record().wrap(record);
            return (kind.isFixed() || !view.record().isNull(view.field()))
                    && condition.matches(view.record(), view.field(), kind);
        } catch (CompactException e) {
            throw damaged(entry, e);
        }
    }

    private DamagedEntryException damaged(Map.Entry<K, V> entry, Exception e) {
        return new DamagedEntryException(
                "entry cannot be compared: key=" + entry.getKey() + " field=" + field + ": " + e.getMessage(), e);
    }

    private FieldViews views() {
        Thread thread = Thread.currentThread();
        FieldViews own = views.get(thread);
        if (own == null) {
            own = new FieldViews(serialization(), field);
            views.put(thread, own);
        }
        return own;
    }

    private CompactSerialization serialization() {
        CompactSerialization known = serialization;
        if (known == null) {
            throw new IllegalStateException(
                    "no instance: inside another predicate, setHazelcastInstance first: " + this);
        }
        return known;
    }

    /**
     * Says where schemas are looked up. Hazelcast calls it on the members, except for one case: on an embedded member its user must do so
     * for a predicate that is inside another one.
     */
    @Override
    public void setHazelcastInstance(HazelcastInstance instance) {
        serialization = CompactSerialization.builder()
                .schemas(HazelcastBridge.of(instance))
                .build();
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
        out.writeString(field);
        out.writeByte(condition.kind());
        condition.write(out);
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        field = requireNonNull(in.readString(), "field");
        condition = Condition.read(in);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof FieldPredicate<?, ?> predicate
                && field.equals(predicate.field)
                && condition.equals(predicate.condition);
    }

    @Override
    public int hashCode() {
        return 31 * field.hashCode() + condition.hashCode();
    }

    @Override
    public String toString() {
        return field + " " + condition;
    }
}
