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
 * Conversions that generated code calls for values of types without a kind of field: see {@link dev.touchstone.serialization.annotation.Encoding}.
 * Unless a method says otherwise, null is converted to null, and so is each item that is null. A value that cannot be converted is refused with
 * {@link CompactFieldException}.
 */
public final class Encodings {
    private static final int UUID_ITEMS = 2;
    private static final int YEAR_DIGITS = 4;

    private Encodings() {}

    /**
     * Returns the text of a value.
     *
     * @param value value, or null
     * @return the result of its {@code toString}, or null
     */
    public static @Nullable String text(@Nullable Object value) {
        return value == null ? null : value.toString();
    }

    /**
     * Returns the texts of values.
     *
     * @param values values, or null
     * @return the result of {@code toString} for each value, or null
     */
    public static @Nullable String @Nullable [] texts(@Nullable Object @Nullable [] values) {
        return mapped(values, String[]::new, Object::toString);
    }

    /**
     * Returns the name of an enum constant.
     *
     * @param value constant, or null
     * @return its name, or null
     */
    public static @Nullable String name(@Nullable Enum<?> value) {
        return value == null ? null : value.name();
    }

    /**
     * Returns the names of enum constants.
     *
     * @param values constants, or null
     * @return their names, or null
     */
    public static @Nullable String @Nullable [] names(@Nullable Enum<?> @Nullable [] values) {
        return mapped(values, String[]::new, Enum::name);
    }

    /**
     * Parses the text of a value.
     *
     * @param <T> type of the value
     * @param schema schema of the record, for messages
     * @param field index of the field in the schema, for messages
     * @param text text, or null
     * @param parser conversion of a text to a value
     * @return the value, or null
     * @throws CompactFieldException if the parser throws {@link IllegalArgumentException} or {@link DateTimeException}
     */
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

    /**
     * Parses the texts of values.
     *
     * @param <T> type of the values
     * @param schema schema of the record, for messages
     * @param field index of the field in the schema, for messages
     * @param texts texts, or null
     * @param newArray constructor of an array of a given length
     * @param parser conversion of a text to a value
     * @return the values, or null
     * @throws CompactFieldException if the parser throws {@link IllegalArgumentException} or {@link DateTimeException}, or returns null
     */
    public static <T> @Nullable T @Nullable [] parsedAll(
            Schema schema,
            int field,
            @Nullable String @Nullable [] texts,
            IntFunction<@Nullable T[]> newArray,
            Function<String, T> parser) {
        return mapped(texts, newArray, text -> required(schema, field, parsed(schema, field, text, parser)));
    }

    /**
     * Checks that a value is not null.
     *
     * @param <T> type of the value
     * @param schema schema of the record, for messages
     * @param field index of the field in the schema, for messages
     * @param value value, or null
     * @return the value
     * @throws CompactFieldException if the value is null
     */
    public static <T> T required(Schema schema, int field, @Nullable T value) {
        if (value == null) {
            throw refused(schema, field, "null is no value here:");
        }
        return value;
    }

    /**
     * Parses a month as {@link YearMonth#toString} writes it: without a sign in front of years above 9999, although the parser of the JDK requires
     * one.
     *
     * @param text text, not null
     * @return the month
     * @throws DateTimeException if the text is not a month
     */
    public static YearMonth yearMonth(String text) {
        return YearMonth.parse(text.indexOf('-') > YEAR_DIGITS ? "+" + text : text);
    }

    /**
     * Returns the two halves of a UUID.
     *
     * @param value UUID, or null
     * @return an array of two items, the most significant half first, or null
     */
    public static long @Nullable [] int64s(@Nullable UUID value) {
        return value == null ? null : new long[] {value.getMostSignificantBits(), value.getLeastSignificantBits()};
    }

    /**
     * Returns the UUID that consists of two halves.
     *
     * @param schema schema of the record, for messages
     * @param field index of the field in the schema, for messages
     * @param halves an array of two items, the most significant half first, or null
     * @return the UUID, or null
     * @throws CompactFieldException if the array does not have two items
     */
    public static @Nullable UUID uuid(Schema schema, int field, long @Nullable [] halves) {
        if (halves == null) {
            return null;
        }
        if (halves.length != UUID_ITEMS) {
            throw refused(schema, field, "not the two halves of a UUID: items=" + halves.length);
        }
        return new UUID(halves[0], halves[1]);
    }

    /**
     * Returns an instant as a time at the offset of UTC.
     *
     * @param value instant, or null
     * @return the time, or null
     * @throws DateTimeException if the year has ten digits
     */
    public static @Nullable OffsetDateTime utc(@Nullable Instant value) {
        return value == null ? null : value.atOffset(ZoneOffset.UTC);
    }

    /**
     * Returns instants as times at the offset of UTC.
     *
     * @param values instants, or null
     * @return the times, or null
     * @throws DateTimeException if a year has ten digits
     */
    public static @Nullable OffsetDateTime @Nullable [] utcs(@Nullable Instant @Nullable [] values) {
        return mapped(values, OffsetDateTime[]::new, value -> value.atOffset(ZoneOffset.UTC));
    }

    /**
     * Returns the instant of a time at an offset.
     *
     * @param value time, or null
     * @return the instant, or null
     */
    public static @Nullable Instant instant(@Nullable OffsetDateTime value) {
        return value == null ? null : value.toInstant();
    }

    /**
     * Returns the instants of times at offsets.
     *
     * @param values times, or null
     * @return the instants, or null
     */
    public static @Nullable Instant @Nullable [] instants(@Nullable OffsetDateTime @Nullable [] values) {
        return mapped(values, Instant[]::new, OffsetDateTime::toInstant);
    }

    /**
     * Returns the number of a character.
     *
     * @param value character, or null
     * @return its UTF-16 code unit as a signed number, or null
     */
    public static @Nullable Short int16(@Nullable Character value) {
        return value == null ? null : (short) value.charValue();
    }

    /**
     * Returns the character of a number.
     *
     * @param value UTF-16 code unit as a signed number, or null
     * @return the character, or null
     */
    public static @Nullable Character character(@Nullable Short value) {
        return value == null ? null : (char) value.shortValue();
    }

    /**
     * Returns the numbers of characters.
     *
     * @param values characters, or null
     * @return their UTF-16 code units as signed numbers, or null
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
     * @param values UTF-16 code units as signed numbers, or null
     * @return the characters, or null
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
     * @return their UTF-16 code units as signed numbers, or null
     */
    public static @Nullable Short @Nullable [] boxedInt16s(@Nullable Character @Nullable [] values) {
        return mapped(values, Short[]::new, value -> (short) value.charValue());
    }

    /**
     * Returns the characters of numbers that may be null.
     *
     * @param values UTF-16 code units as signed numbers, or null
     * @return the characters, or null
     */
    public static @Nullable Character @Nullable [] boxedCharacters(@Nullable Short @Nullable [] values) {
        return mapped(values, Character[]::new, value -> (char) value.shortValue());
    }

    /**
     * Returns the value that an {@code Optional} holds.
     *
     * @param <T> type of the value
     * @param value an {@code Optional}, or null, which counts as an empty one
     * @return the value, or null if there is none
     */
    @SuppressWarnings("NullableOptional")
    public static <T> @Nullable T orNull(@Nullable Optional<T> value) {
        return value == null ? null : value.orElse(null);
    }

    /**
     * Returns an {@code Optional} of a value.
     *
     * @param <T> type of the value
     * @param value value, or null
     * @return an {@code Optional} that holds the value, or an empty one for null; never null
     */
    public static <T> Optional<T> optional(@Nullable T value) {
        return Optional.ofNullable(value);
    }

    /**
     * Returns the items of a collection as an array.
     *
     * @param <T> type of the items
     * @param items items, or null
     * @param newArray constructor of an array of a given length
     * @return the items in the order of the collection, or null
     */
    public static <T extends @Nullable Object> T @Nullable [] array(
            @Nullable Collection<? extends T> items, IntFunction<T[]> newArray) {
        return items == null ? null : items.toArray(newArray);
    }

    /**
     * Returns the keys of a map.
     *
     * @param <K> type of the keys
     * @param map map, or null
     * @return the keys, as a view of the map, or null
     */
    public static <K extends @Nullable Object> @Nullable Set<K> keys(@Nullable Map<K, ?> map) {
        return map == null ? null : map.keySet();
    }

    /**
     * Returns the values of a map.
     *
     * @param <V> type of the values
     * @param map map, or null
     * @return the values in the order of the keys, as a view of the map, or null
     */
    public static <V extends @Nullable Object> @Nullable Collection<V> values(@Nullable Map<?, V> map) {
        return map == null ? null : map.values();
    }

    /**
     * Returns a modifiable list of items.
     *
     * @param <T> type of the items
     * @param items items, or null
     * @return a new list, or null
     */
    @SuppressWarnings("NonApiType") // for fields that are declared so
    public static <T extends @Nullable Object> @Nullable ArrayList<T> list(T @Nullable [] items) {
        return items == null ? null : new ArrayList<>(Arrays.asList(items));
    }

    /**
     * Returns a modifiable set of items.
     *
     * @param <T> type of the items
     * @param items items, or null
     * @return a new set in the order of the items, or null
     */
    @SuppressWarnings("NonApiType") // for fields that are declared so
    public static <T extends @Nullable Object> @Nullable LinkedHashSet<T> set(T @Nullable [] items) {
        return items == null ? null : new LinkedHashSet<>(Arrays.asList(items));
    }

    /**
     * Returns a modifiable map of keys and values.
     *
     * @param <K> type of the keys
     * @param <V> type of the values
     * @param schema schema of the record, for messages
     * @param field index of the field in the schema, for messages
     * @param keys keys, or null
     * @param values values, one for each key, or null
     * @return a new map in the order of the keys, or null if both arrays are null
     * @throws CompactFieldException if there are not as many values as keys, or only one of the arrays is null
     */
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

    /**
     * Returns the exception for a field that holds a record of a type that is not among the permitted ones.
     *
     * @param typeName name of the type of the record
     * @return an exception to throw
     */
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
