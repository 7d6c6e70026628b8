package dev.touchstone.serialization.hazelcast.predicate;

import dev.touchstone.serialization.schema.FieldKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A condition on the value of a field, whatever the kind of the field. Immutable. */
public sealed interface Condition {
    /** Returns whether null fits: the field's own, that of a field which the record lacks, and that of an item which is not there. */
    boolean matchesNull();

    /** Returns the test for values of a kind; null if the constants of this condition are of types that such fields never have. */
    @Nullable
    ValueFilter test(FieldKind kind);

    /** Returns the types of the constants, for messages. */
    String types();

    /** Returns whether a kind is that of integers. */
    private static boolean isInteger(FieldKind kind) {
        return switch (kind) {
            case INT8, INT16, INT32, INT64, NULLABLE_INT8, NULLABLE_INT16, NULLABLE_INT32, NULLABLE_INT64 -> true;
            default -> false;
        };
    }

    private static boolean isFloating(FieldKind kind) {
        return kind.isReadableAs(FieldKind.FLOAT32) || kind.isReadableAs(FieldKind.FLOAT64);
    }

    /**
     * Fits values that are equal to a constant, where null is equal to null.
     *
     * @param constants may contain null
     */
    record OneOf(List<@Nullable Constant> constants) implements Condition {
        @Override
        public boolean matchesNull() {
            return constants.contains(null);
        }

        @Override
        public @Nullable ValueFilter test(FieldKind kind) {
            List<Constant> values = new ArrayList<>();
            for (Constant constant : constants) {
                if (constant != null) {
                    values.add(constant);
                }
            }
            if (values.isEmpty()) {
                return new ValueFilter.Never();
            }
            if (isInteger(kind)) {
                return integers(values);
            }
            if (isFloating(kind)) {
                return doubles(values);
            }
            Set<Object> converted = new HashSet<>();
            for (Constant value : values) {
                Object one = value.as(kind);
                if (one == null) {
                    return null;
                }
                converted.add(one);
            }
            if (converted.size() > 1) {
                return new ValueFilter.OneOf(converted);
            }
            Object only = converted.iterator().next();
            if (kind == FieldKind.STRING) {
                return new ValueFilter.Text((String) only);
            }
            return new ValueFilter.OneOf(converted);
        }

        private static @Nullable ValueFilter doubles(List<Constant> values) {
            if (!values.stream().allMatch(Constant::isNumber)) {
                return null;
            }
            Set<Double> doubles = values.stream()
                    .filter(value -> value.roundedBy() == 0)
                    .map(Constant::nearest)
                    .collect(Collectors.toSet());
            if (doubles.size() == 1) {
                double only = doubles.iterator().next();
                return new ValueFilter.Doubles(only, true, only, true);
            }
            return new ValueFilter.DoubleSet(doubles);
        }

        private static @Nullable ValueFilter integers(List<Constant> values) {
            if (!values.stream().allMatch(Constant::isNumber)) {
                return null;
            }
            long[] integers = values.stream()
                    .map(Constant::integer)
                    .filter(integer -> integer != null)
                    .mapToLong(Long::longValue)
                    .sorted()
                    .toArray();
            return switch (integers.length) {
                case 0 -> new ValueFilter.Never();
                case 1 -> new ValueFilter.Longs(integers[0], integers[0]);
                default -> new ValueFilter.LongSet(integers);
            };
        }

        @Override
        public String types() {
            return constants.stream()
                    .map(constant -> constant == null ? "null" : constant.type())
                    .distinct()
                    .collect(Collectors.joining(", "));
        }

        @Override
        public String toString() {
            return constants.size() == 1
                    ? "= " + constants.get(0)
                    : constants.stream().map(String::valueOf).collect(Collectors.joining(", ", "IN (", ")"));
        }
    }

    /**
     * Fits values in a range; null is in none. There is at least one bound.
     *
     * @param from null if there is no lower bound
     * @param to null if there is no upper bound
     */
    record Range(
            @Nullable Constant from,
            boolean isFromIncluded,
            @Nullable Constant to,
            boolean isToIncluded) implements Condition {
        /** Returns whether there is one bound. */
        boolean isComparison() {
            return from == null || to == null;
        }

        /** Returns the other side of a bound. */
        Range opposite() {
            return new Range(to, to != null && !isToIncluded, from, from != null && !isFromIncluded);
        }

        @Override
        public boolean matchesNull() {
            return false;
        }

        @Override
        public @Nullable ValueFilter test(FieldKind kind) {
            if (isInteger(kind)) {
                return integers();
            }
            if (isFloating(kind)) {
                return doubles();
            }
            Comparable<?> low = from == null ? null : from.as(kind);
            Comparable<?> high = to == null ? null : to.as(kind);
            if ((low == null && from != null) || (high == null && to != null)) {
                return null;
            }
            return new ValueFilter.Ordered(cast(low), isFromIncluded, cast(high), isToIncluded);
        }

        /** Both are of the type that all fields of the kind have. */
        @SuppressWarnings("unchecked")
        private static @Nullable Comparable<Object> cast(@Nullable Comparable<?> bound) {
            return (Comparable<Object>) bound;
        }

        /** Returns the test for doubles. A bound that is no double is between two of them, and whether it is included does not matter. */
        private @Nullable ValueFilter doubles() {
            if ((from != null && !from.isNumber()) || (to != null && !to.isNumber())) {
                return null;
            }
            double low = from == null ? Double.NEGATIVE_INFINITY : from.nearest();
            int lowRounded = from == null ? 0 : from.roundedBy();
            double high = to == null ? Double.NaN : to.nearest(); // which is the greatest
            int highRounded = to == null ? 0 : to.roundedBy();
            return new ValueFilter.Doubles(
                    low,
                    lowRounded == 0 ? from == null || isFromIncluded : lowRounded > 0,
                    high,
                    highRounded == 0 ? to == null || isToIncluded : highRounded < 0);
        }

        private @Nullable ValueFilter integers() {
            if ((from != null && !from.isNumber()) || (to != null && !to.isNumber())) {
                return null;
            }
            long low = Long.MIN_VALUE;
            if (from != null) {
                Long floor = from.floor();
                if (floor != null) {
                    boolean isBelow = !isFromIncluded || from.integer() == null;
                    if (isBelow && floor == Long.MAX_VALUE) {
                        return new ValueFilter.Never();
                    }
                    low = isBelow ? floor + 1 : floor;
                }
            }
            long high = Long.MAX_VALUE;
            if (to != null) {
                Long floor = to.floor();
                boolean isAbove = !isToIncluded && to.integer() != null;
                if (floor == null || (isAbove && floor == Long.MIN_VALUE)) {
                    return new ValueFilter.Never();
                }
                high = isAbove ? floor - 1 : floor;
            }
            return new ValueFilter.Longs(low, high);
        }

        @Override
        public String types() {
            String types = from == null ? "" : from.type();
            String last = to == null ? "" : to.type();
            return types.isEmpty() || last.isEmpty() || types.equals(last)
                    ? types.isEmpty() ? last : types
                    : types + ", " + last;
        }

        @Override
        public String toString() {
            String low = from == null ? "" : (isFromIncluded ? ">= " : "> ") + from;
            String high = to == null ? "" : (isToIncluded ? "<= " : "< ") + to;
            return low.isEmpty() || high.isEmpty() ? low + high : low + " AND " + high;
        }
    }

    /**
     * Fits strings that match a pattern.
     *
     * @param pattern as its user wrote it, but for halves of surrogate pairs
     */
    record Like(String pattern, boolean ignoresCase) implements Condition {
        public Like {
            pattern = Constant.asStored(pattern);
        }

        @Override
        public boolean matchesNull() {
            return false;
        }

        @Override
        public @Nullable ValueFilter test(FieldKind kind) {
            return kind == FieldKind.STRING ? new ValueFilter.Like(new LikePattern(pattern, ignoresCase)) : null;
        }

        @Override
        public String types() {
            return "String";
        }

        @Override
        public String toString() {
            return (ignoresCase ? "ILIKE '" : "LIKE '") + pattern + "'";
        }
    }

    /** Returns the condition that a value is equal to one of these. @throws IllegalArgumentException if no field has such values */
    static Condition oneOf(@Nullable Comparable<?>... values) {
        return new OneOf(Collections.unmodifiableList(
                Arrays.stream(values).map(Constant::of).collect(Collectors.toList())));
    }
}
