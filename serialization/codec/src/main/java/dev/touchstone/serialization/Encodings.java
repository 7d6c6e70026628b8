package dev.touchstone.serialization;

import dev.touchstone.serialization.exception.CompactFieldException;
import dev.touchstone.serialization.exception.CompactSchemaException;
import dev.touchstone.serialization.schema.Schema;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * What generated code calls for values of types that no kind of field is for: see {@link
 * dev.touchstone.serialization.annotation.Encoding}. Null gives null throughout, an item that is null too. What a field's value
 * cannot be made of is refused with {@link CompactFieldException}.
 */
public final class Encodings {
    private static final int UUID_ITEMS = 2;
    private static final int YEAR_DIGITS = 4;

    private Encodings() {}

    /** The text of a value. */
    public static @Nullable String text(@Nullable Object value) {
        return value == null ? null : value.toString();
    }

    /** The texts of values. */
    public static @Nullable String @Nullable [] texts(@Nullable Object @Nullable [] values) {
        return mapped(values, String[]::new, Object::toString);
    }

    /** The name of a constant. */
    public static @Nullable String name(@Nullable Enum<?> value) {
        return value == null ? null : value.name();
    }

    /** The names of constants. */
    public static @Nullable String @Nullable [] names(@Nullable Enum<?> @Nullable [] values) {
        return mapped(values, String[]::new, Enum::name);
    }

    /** The value of a text. */
    public static <T> @Nullable T parsed(Schema schema, int field, @Nullable String text, Function<String, T> parser) {
        if (text == null) {
            return null;
        }
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException | DateTimeException e) {
            CompactFieldException refused = refused(schema, field, "text is no value: text=" + text);
            refused.initCause(e);
            throw refused;
        }
    }

    /** The values of texts. */
    public static <T> @Nullable T @Nullable [] parsedAll(
            Schema schema,
            int field,
            @Nullable String @Nullable [] texts,
            IntFunction<@Nullable T[]> newArray,
            Function<String, T> parser) {
        return mapped(texts, newArray, text -> required(schema, field, parsed(schema, field, text, parser)));
    }

    /** A value that must be there. */
    public static <T> T required(Schema schema, int field, @Nullable T value) {
        if (value == null) {
            throw refused(schema, field, "null is no value here:");
        }
        return value;
    }

    /** The month of a text as {@code toString} gives it, which leaves out the sign that the parser asks of years above 9999. */
    public static YearMonth yearMonth(String text) {
        return YearMonth.parse(text.indexOf('-') > YEAR_DIGITS ? "+" + text : text);
    }

    /** The halves of an id, the upper one first. */
    public static long @Nullable [] int64s(@Nullable UUID value) {
        return value == null ? null : new long[] {value.getMostSignificantBits(), value.getLeastSignificantBits()};
    }

    /** The id of two halves. */
    public static @Nullable UUID uuid(Schema schema, int field, long @Nullable [] halves) {
        if (halves == null) {
            return null;
        }
        if (halves.length != UUID_ITEMS) {
            throw refused(schema, field, "not the two halves of a UUID: items=" + halves.length);
        }
        return new UUID(halves[0], halves[1]);
    }

    /** A moment at UTC. @throws DateTimeException if its year has ten digits */
    public static @Nullable OffsetDateTime utc(@Nullable Instant value) {
        return value == null ? null : value.atOffset(ZoneOffset.UTC);
    }

    /** Moments at UTC. */
    public static @Nullable OffsetDateTime @Nullable [] utcs(@Nullable Instant @Nullable [] values) {
        return mapped(values, OffsetDateTime[]::new, value -> value.atOffset(ZoneOffset.UTC));
    }

    /** The moment of a time at an offset. */
    public static @Nullable Instant instant(@Nullable OffsetDateTime value) {
        return value == null ? null : value.toInstant();
    }

    /** The moments of times at offsets. */
    public static @Nullable Instant @Nullable [] instants(@Nullable OffsetDateTime @Nullable [] values) {
        return mapped(values, Instant[]::new, OffsetDateTime::toInstant);
    }

    /**
     * Returns the number of a character.
     *
     * @param value character, or null
     * @return its UTF-16 code unit, as a signed number
     */
    public static @Nullable Short int16(@Nullable Character value) {
        return value == null ? null : (short) value.charValue();
    }

    /**
     * Returns the character of a number.
     *
     * @param value UTF-16 code unit, as a signed number, or null
     * @return the character
     */
    public static @Nullable Character character(@Nullable Short value) {
        return value == null ? null : (char) value.shortValue();
    }

    /**
     * Returns the numbers of characters.
     *
     * @param values characters, or null
     * @return their UTF-16 code units, as signed numbers
     */
    public static short @Nullable [] int16s(char @Nullable [] values) {
        if (values == null) {
            return null;
        }
        short[] numbers = new short[values.length];
        for (int i = 0; i < values.length; i++) {
            numbers[i] = (short) values[i];
        }
        return numbers;
    }

    /**
     * Returns the characters of numbers.
     *
     * @param values UTF-16 code units, as signed numbers, or null
     * @return the characters
     */
    public static char @Nullable [] characters(short @Nullable [] values) {
        if (values == null) {
            return null;
        }
        char[] characters = new char[values.length];
        for (int i = 0; i < values.length; i++) {
            characters[i] = (char) values[i];
        }
        return characters;
    }

    /**
     * Returns the numbers of characters that may be null.
     *
     * @param values characters, or null
     * @return their UTF-16 code units, as signed numbers
     */
    public static @Nullable Short @Nullable [] boxedInt16s(@Nullable Character @Nullable [] values) {
        return mapped(values, Short[]::new, value -> (short) value.charValue());
    }

    /**
     * Returns the characters of numbers that may be null.
     *
     * @param values UTF-16 code units, as signed numbers, or null
     * @return the characters
     */
    public static @Nullable Character @Nullable [] boxedCharacters(@Nullable Short @Nullable [] values) {
        return mapped(values, Character[]::new, value -> (char) value.shortValue());
    }

    /**
     * Returns what an {@code Optional} holds.
     *
     * @param <T> type of the value
     * @param value an {@code Optional}, or null, which counts as an empty one
     * @return the value, or null
     */
    @SuppressWarnings("NullableOptional")
    public static <T> @Nullable T orNull(@Nullable Optional<T> value) {
        return value == null ? null : value.orElse(null);
    }

    /**
     * Returns an {@code Optional}.
     *
     * @param <T> type of the value
     * @param value value, or null
     * @return one that holds the value, or an empty one
     */
    public static <T> Optional<T> optional(@Nullable T value) {
        return Optional.ofNullable(value);
    }

    /** The items of a collection. */
    public static <T extends @Nullable Object> T @Nullable [] array(
            @Nullable Collection<? extends T> items, IntFunction<T[]> newArray) {
        return items == null ? null : items.toArray(newArray);
    }

    /** The keys of a map. */
    public static <K extends @Nullable Object> @Nullable Set<K> keys(@Nullable Map<K, ?> map) {
        return map == null ? null : map.keySet();
    }

    /** The values of a map, in the order of its keys. */
    public static <V extends @Nullable Object> @Nullable Collection<V> values(@Nullable Map<?, V> map) {
        return map == null ? null : map.values();
    }

    /** A list of items, which may be changed. */
    @SuppressWarnings("NonApiType") // for fields that are declared so
    public static <T extends @Nullable Object> @Nullable ArrayList<T> list(T @Nullable [] items) {
        return items == null ? null : new ArrayList<>(Arrays.asList(items));
    }

    /** A set of items in their order, which may be changed. */
    @SuppressWarnings("NonApiType") // for fields that are declared so
    public static <T extends @Nullable Object> @Nullable LinkedHashSet<T> set(T @Nullable [] items) {
        return items == null ? null : new LinkedHashSet<>(Arrays.asList(items));
    }

    /** A map of keys and values in their order, which may be changed. Null where there are no keys. */
    @SuppressWarnings("NonApiType") // for fields that are declared so
    public static <K extends @Nullable Object, V extends @Nullable Object> @Nullable LinkedHashMap<K, V> map(
            Schema schema, int field, K @Nullable [] keys, V @Nullable [] values) {
        if (keys == null || values == null || keys.length != values.length) {
            if (keys == null && values == null) {
                return null;
            }
            throw refused(schema, field, "not as many values as keys:");
        }
        LinkedHashMap<K, V> map = new LinkedHashMap<>();
        for (int i = 0; i < keys.length; i++) {
            map.put(keys[i], values[i]);
        }
        return map;
    }

    /** That a field holds a record of a type that is not among those it may hold. */
    public static CompactSchemaException noSubtype(String typeName) {
        return CompactSchemaException.noCodec(typeName);
    }

    /**
     * Returns the exception for an object of a subclass where one of exactly the codec's class must be: written by this schema, it would lose
     * the fields of its own.
     *
     * @param schema schema of the codec
     * @param value object that is to be written
     * @return exception to be thrown
     */
    public static CompactSchemaException subclass(Schema schema, Object value) {
        return CompactSchemaException.subclass(
                schema.typeName(), value.getClass().getName());
    }

    private static <S, T> @Nullable T @Nullable [] mapped(
            @Nullable S @Nullable [] items, IntFunction<@Nullable T[]> newArray, Function<S, T> mapping) {
        if (items == null) {
            return null;
        }
        @Nullable T[] mapped = newArray.apply(items.length);
        for (int i = 0; i < items.length; i++) {
            S item = items[i];
            mapped[i] = item == null ? null : mapping.apply(item);
        }
        return mapped;
    }

    private static CompactFieldException refused(Schema schema, int field, String what) {
        return new CompactFieldException(
                what, schema.typeName(), schema.field(field).name());
    }
}
