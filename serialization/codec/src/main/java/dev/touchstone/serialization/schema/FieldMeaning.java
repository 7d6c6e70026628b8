package dev.touchstone.serialization.schema;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The knowledge that a program has of a field beyond its kind: the values that its code writes and reads, and the value that it uses when a record
 * lacks the field. Immutable.
 *
 * @param format format of the values, such as {@code uuid} for texts that are UUIDs; empty if every value of the kind is allowed
 * @param values the only values that are allowed, in their natural order: constants of an enum, or names of the types whose records a field of kind
 *     {@code COMPACT} may hold; empty if there is no such list
 * @param missing text of the value that is used when a record lacks the field, if the program states one
 */
public record FieldMeaning(String format, List<String> values, Optional<String> missing) {
    /** Meaning of a field that may have every value of its kind, and that has no default. */
    public static final FieldMeaning PLAIN = new FieldMeaning("", List.of(), Optional.empty());

    /** Value of {@link #format} for constants of an enum. */
    public static final String ENUM = "enum";

    /** Value of {@link #format} for records of the types that {@link #values} names. */
    public static final String RECORD = "record";

    /** Creates a meaning. The values may be in any order and may be repeated. */
    public FieldMeaning {
        requireNonNull(format, "format");
        requireNonNull(missing, "missing");
        values = List.copyOf(new TreeSet<>(values));
    }

    /**
     * Returns the meaning of a field whose values are in a format, without a list of them.
     *
     * @param format format of the values, or empty for {@link #PLAIN}
     * @return meaning
     */
    public static FieldMeaning format(String format) {
        return new FieldMeaning(format, List.of(), Optional.empty());
    }

    /**
     * Returns the meaning of a field whose values are the constants of an enum.
     *
     * @param constants names of the constants, in any order
     * @return meaning
     */
    public static FieldMeaning constants(Collection<String> constants) {
        return new FieldMeaning(ENUM, List.copyOf(constants), Optional.empty());
    }

    /**
     * Returns the meaning of a field that holds records of given types.
     *
     * @param typeNames names of the types in their schemas, in any order
     * @return meaning
     */
    public static FieldMeaning records(Collection<String> typeNames) {
        return new FieldMeaning(RECORD, List.copyOf(typeNames), Optional.empty());
    }

    /**
     * Returns this meaning with a default for records that lack the field.
     *
     * @param value text of the default
     * @return meaning
     */
    public FieldMeaning withMissing(String value) {
        return new FieldMeaning(format, values, Optional.of(value));
    }

    /**
     * Returns the value where a record lacks the field.
     *
     * @param kind the field's kind
     * @return the value as {@link dev.touchstone.serialization.CompactReader} gives it for this kind: boxed, or an array; empty if none is stated
     * @throws IllegalArgumentException if the stated text is no value of the kind
     */
    public Optional<Object> missingValue(FieldKind kind) {
        return missing.map(text -> MissingValue.parse(text, kind, format));
    }

    /**
     * Returns the text that stands behind the kind of the field in a lock: {@code missing}, {@code is} and {@code of}, each only if there is one.
     *
     * @return text without blanks at its ends
     */
    @Override
    public String toString() {
        return SchemaLockFormat.text(this).strip();
    }

    boolean isPlain() {
        return format.isEmpty();
    }

    /** Returns the values of this meaning that another meaning does not have. */
    List<String> without(FieldMeaning other) {
        List<String> left = new ArrayList<>(values);
        left.removeAll(other.values);
        return left;
    }
}
