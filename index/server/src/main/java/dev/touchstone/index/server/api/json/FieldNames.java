package dev.touchstone.index.server.api.json;

import dev.touchstone.index.Field;
import dev.touchstone.index.FieldType;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.price.PriceQuery;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The fields of an index by the bytes of their names. Most requests name the fields in the same order, so a look-up first tries the field that was at
 * the same position in the last request. For one thread.
 */
public final class FieldNames {
    /** Name of the field of {@code groupId}. */
    public static final String GROUP = "group";

    /** Name of the field of {@code priceSpecId}, which is also part of answers. */
    public static final String SPEC = "spec";

    private static final String VALUE = "value";
    private static final int REMEMBERED = 64;
    private static final byte[] NONE = {};

    private final Field[] fields;
    private final byte[][] names;
    private final byte[][] begins;
    private final byte[] guesses = new byte[REMEMBERED]; // ordinals by position in the request
    public final @Nullable Field group;
    public final @Nullable Field spec;

    /**
     * Creates the names of the fields of an index.
     *
     * @param member name of the member that names a field, in a condition of a request
     */
    public FieldNames(PriceIndex index, String member) {
        List<Field> list = index.fields();
        fields = list.toArray(Field[]::new);
        names = new byte[fields.length][];
        begins = new byte[fields.length][];
        Field foundGroup = null;
        Field foundSpec = null;
        for (Field field : list) {
            names[field.ordinal()] = field.name().getBytes(StandardCharsets.UTF_8);
            begins[field.ordinal()] = begin(field, member);
            boolean isString = field.type() == FieldType.STRING;
            foundGroup = isString && field.name().equals(GROUP) ? field : foundGroup;
            foundSpec = isString && field.name().equals(SPEC) ? field : foundSpec;
        }
        group = foundGroup;
        spec = foundSpec;
    }

    /** Returns the begin of an object with a value of a field, up to the value; empty if the field is not of strings, or its name needs escapes. */
    private static byte[] begin(Field field, String member) {
        String name = field.name();
        boolean isPlain = name.chars().allMatch(c -> c >= ' ' && c < 0x7F && c != '"' && c != '\\');
        return isPlain && field.type() == FieldType.STRING
                ? ("{\"" + member + "\":\"" + name + "\",\"" + VALUE + "\":\"").getBytes(StandardCharsets.US_ASCII)
                : NONE;
    }

    /**
     * Reads an object and adds it to a query as a condition, but only if it compares the string field that was last at its position with a string, and
     * has its members in the usual order without white space between them; else returns false, and has read nothing.
     *
     * @param place position of the object in the request
     */
    public boolean addUsual(int place, JsonLexer in, PriceQuery query) {
        int guess = guess(place);
        int begin = in.at();
        if (guess >= begins.length || !in.takeAll(begins[guess])) {
            return false;
        }
        if (in.rest() && !in.isEscaped() && in.take('}')) {
            query.eq(fields[guess], in.bytes(), in.from(), in.to());
            return true;
        }
        in.back(begin, in.depth());
        return false;
    }

    /** Returns the ordinal of the field that was last at a position; any ordinal before the first request. */
    private int guess(int place) {
        return guesses[place & (REMEMBERED - 1)];
    }

    /**
     * Returns the field whose name is in an array, or null.
     *
     * @param place position in the request, where the field is looked for first that was last there
     */
    @Nullable
    public Field find(int place, byte[] bytes, int from, int to) {
        int guess = guess(place);
        if (guess < names.length && isAt(guess, bytes, from, to)) {
            return fields[guess];
        }
        for (int i = 0; i < names.length; i++) {
            if (isAt(i, bytes, from, to)) {
                guesses[place & (REMEMBERED - 1)] = (byte) i;
                return fields[i];
            }
        }
        return null;
    }

    private boolean isAt(int i, byte[] bytes, int from, int to) {
        byte[] name = names[i];
        return name.length == to - from && Arrays.equals(name, 0, name.length, bytes, from, to);
    }
}
