package dev.touchstone.serialization;

import dev.touchstone.serialization.schema.Schema;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** An object of any type: its values by the indexes of its schema. Records inside are samples too. */
final class Sample {
    final Schema schema;
    final @Nullable Object[] values;

    Sample(Schema schema, @Nullable Object[] values) {
        this.schema = schema;
        this.values = values;
    }

    /** What a view shows. */
    static Sample of(GenericView view) {
        @Nullable Object[] values = new @Nullable Object[view.schema().fields().size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = plain(view.value(i));
        }
        return new Sample(view.schema(), values);
    }

    private static @Nullable Object plain(@Nullable Object value) {
        if (value instanceof GenericView view) {
            return of(view);
        }
        if (value instanceof GenericView[] views) {
            return Arrays.stream(views)
                    .map(view -> view == null ? null : of(view))
                    .toArray(Sample[]::new);
        }
        return value;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Sample sample
                && schema.equals(sample.schema)
                && Arrays.deepEquals(values, sample.values);
    }

    @Override
    public int hashCode() {
        return Arrays.deepHashCode(values);
    }

    @Override
    public String toString() {
        String text = schema + Arrays.deepToString(values);
        return text.length() < 2000 ? text : text.substring(0, 2000) + "...";
    }
}
