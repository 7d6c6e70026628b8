package dev.touchstone.serialization.schema;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The knowledge that a program has of a field beyond its kind: which values its code writes and reads, and what it takes where a record lacks the field.
 * Immutable.
 *
 * @param format what each value is, such as {@code uuid} for a text that is one; empty where every value of the kind is meant
 * @param values the only values that there are, in their natural order: constants of an enum, or the names of the types whose records a field
 *     of kind COMPACT may hold; empty where they are not listed
 * @param missing the value where a record lacks the field, if the program states one
 */
public record FieldMeaning(String format, List<String> values, Optional<String> missing) {
    /** The meaning of a field that may have every value of its kind, and none where a record lacks it. */
    public static final FieldMeaning PLAIN = new FieldMeaning("", List.of(), Optional.empty());

    /** The {@link #format} of an enum. */
    public static final String ENUM = "enum";

    /** The {@link #format} of records, of the types that {@link #values} names. */
    public static final String RECORD = "record";

    /** Makes a meaning; values may be in any order, and each more than once. */
    public FieldMeaning {
        requireNonNull(format, "format");
        requireNonNull(missing, "missing");
        values = List.copyOf(new TreeSet<>(values));
    }

    /** Returns the meaning of a field whose values are in a format, without a list of them. */
    public static FieldMeaning format(String format) {
        return new FieldMeaning(format, List.of(), Optional.empty());
    }

    /**
     * Returns the meaning of a field whose values are the constants of an enum.
     *
     * @param constants names of the constants, in any order
     * @return the meaning of a field whose values are the constants of an enum
     */
    public static FieldMeaning constants(Collection<String> constants) {
        return new FieldMeaning(ENUM, List.copyOf(constants), Optional.empty());
    }

    /**
     * Returns the meaning of a field that holds records of types.
     *
     * @param typeNames names of the types in their schemas, in any order
     * @return the meaning of a field that holds records of types
     */
    public static FieldMeaning records(Collection<String> typeNames) {
        return new FieldMeaning(RECORD, List.copyOf(typeNames), Optional.empty());
    }

    /**
     * Returns this meaning with a value where a record lacks the field.
     *
     * @param value text of the value
     * @return this meaning with a value where a record lacks the field
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
     * Returns the meaning as a lock has it behind the kind: {@code missing}, {@code is} and {@code of}, each where there is one.
     *
     * @return the meaning as a lock has it behind the kind
     */
    @Override
    public String toString() {
        return SchemaLockFormat.text(this).strip();
    }

    boolean isPlain() {
        return format.isEmpty();
    }

    /** Returns the values that are in this list and not in that of another meaning. */
    List<String> without(FieldMeaning other) {
        List<String> left = new ArrayList<>(values);
        left.removeAll(other.values);
        return left;
    }
}
