package dev.touchstone.serialization.json;

import dev.touchstone.serialization.schema.FieldKind;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The kinds of items that arrays have, and the Java arrays that hold them. */
final class TypedArrays {
    private TypedArrays() {}

    /** Returns the kind of one item of an array's kind: each kind of arrays has the number behind that of its items. */
    static FieldKind itemKind(FieldKind array) {
        Optional<FieldKind> item = FieldKind.ofId(array.id() - 1);
        return item.orElseThrow(() -> new IllegalArgumentException("not an array: kind=" + array));
    }

    /** Returns an array of the type that a writer takes for the kind. */
    static Object of(FieldKind array, List<@Nullable Object> items) {
        Object made = Array.newInstance(itemType(itemKind(array)), items.size());
        for (int i = 0; i < items.size(); i++) {
            Array.set(made, i, items.get(i)); // unboxes
        }
        return made;
    }

    private static Class<?> itemType(FieldKind item) {
        return switch (item) {
            case BOOLEAN -> boolean.class;
            case INT8 -> byte.class;
            case INT16 -> short.class;
            case INT32 -> int.class;
            case INT64 -> long.class;
            case FLOAT32 -> float.class;
            case FLOAT64 -> double.class;
            case STRING -> String.class;
            case DECIMAL -> BigDecimal.class;
            case TIME -> LocalTime.class;
            case DATE -> LocalDate.class;
            case TIMESTAMP -> LocalDateTime.class;
            case TIMESTAMP_WITH_TIMEZONE -> OffsetDateTime.class;
            case COMPACT -> ParsedRecord.class;
            case NULLABLE_BOOLEAN -> Boolean.class;
            case NULLABLE_INT8 -> Byte.class;
            case NULLABLE_INT16 -> Short.class;
            case NULLABLE_INT32 -> Integer.class;
            case NULLABLE_INT64 -> Long.class;
            case NULLABLE_FLOAT32 -> Float.class;
            case NULLABLE_FLOAT64 -> Double.class;
            default -> throw new IllegalArgumentException("not an item: kind=" + item);
        };
    }
}
