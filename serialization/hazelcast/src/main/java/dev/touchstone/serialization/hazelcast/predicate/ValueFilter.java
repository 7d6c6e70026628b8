package dev.touchstone.serialization.hazelcast.predicate;

import dev.touchstone.serialization.RecordView;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tests values of one kind that are not null. Immutable. */
public sealed interface ValueFilter {
    /** Returns whether a value passes: boxed, and of the type that a reader gives for the kind. */
    boolean matches(Object value);

    /** Passes no value: an integer can never be equal to 1.5. */
    record Never() implements ValueFilter {
        @Override
        public boolean matches(Object value) {
            return false;
        }
    }

    /** Passes integers between two, both included. */
    record Longs(long from, long to) implements ValueFilter {
        @Override
        public boolean matches(Object value) {
            return matches(((Number) value).longValue());
        }

        boolean matches(long value) {
            return from <= value && value <= to;
        }
    }

    /** Passes some integers, which are sorted. */
    @SuppressWarnings("ArrayRecordComponent") // nobody compares tests
    record LongSet(long[] values) implements ValueFilter {
        @Override
        public boolean matches(Object value) {
            return Arrays.binarySearch(values, ((Number) value).longValue()) >= 0;
        }
    }

    /** Passes one string, without making one of the record's bytes. */
    @SuppressWarnings("ArrayRecordComponent") // nobody compares tests
    record Text(String value, byte[] utf8) implements ValueFilter {
        Text(String value) {
            this(value, value.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public boolean matches(Object other) {
            return value.equals(other);
        }

        boolean matches(RecordView record, int field) {
            return record.stringEquals(field, utf8);
        }
    }

    /** Passes what is equal to one of some values, as {@code equals} has it. */
    record OneOf(Set<Object> values) implements ValueFilter {
        @Override
        public boolean matches(Object value) {
            return values.contains(value);
        }
    }

    /** Passes some floating-point numbers, as {@link Double#equals} has it. */
    record DoubleSet(Set<Double> values) implements ValueFilter {
        @Override
        public boolean matches(Object value) {
            return values.contains(((Number) value).doubleValue());
        }
    }

    /** Passes doubles in a range, in the order of {@link Double#compare}. */
    record Doubles(double from, boolean isFromIncluded, double to, boolean isToIncluded) implements ValueFilter {
        @Override
        public boolean matches(Object value) {
            return matches(((Number) value).doubleValue());
        }

        boolean matches(double value) {
            int above = Double.compare(value, from);
            int below = Double.compare(value, to);
            return (isFromIncluded ? above >= 0 : above > 0) && (isToIncluded ? below <= 0 : below < 0);
        }
    }

    /** Passes values in a range, in the order of their type; a bound that is null is none. */
    record Ordered(
            @Nullable Comparable<Object> from,
            boolean isFromIncluded,
            @Nullable Comparable<Object> to,
            boolean isToIncluded)
            implements ValueFilter {
        @Override
        public boolean matches(Object value) {
            if (from != null) {
                int order = from.compareTo(value);
                if (isFromIncluded ? order > 0 : order >= 0) {
                    return false;
                }
            }
            if (to != null) {
                int order = to.compareTo(value);
                return isToIncluded ? order >= 0 : order > 0;
            }
            return true;
        }
    }

    /** Passes strings that match a pattern. */
    record Like(LikePattern pattern) implements ValueFilter {
        @Override
        public boolean matches(Object value) {
            return pattern.matches((String) value);
        }
    }
}
