package dev.touchstone.index.server.api.json;

import dev.touchstone.index.Field;
import dev.touchstone.index.FieldType;
import dev.touchstone.index.InvalidValueException;
import dev.touchstone.index.server.api.RequestException;
import dev.touchstone.index.server.api.json.JsonLexer.Kind;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The members of a JSON object, each of which has an ordinal by its name: the kinds and places of their values in the bytes of a request. Filled
 * again and again, without allocations. Methods that check a member throw {@link RequestException} with its path. For one thread.
 */
public final class Members {
    /** Returned in place of a member at the end of the object. */
    public static final int END = -1;
    /** Returned in place of a member if the bytes are not JSON, or if the object has two members of one name. */
    static final int ODD = -2;

    private static final int MAX_LONG_DIGITS = 18;

    private final String[] names;
    private final byte[][] texts;
    private final Kind[] kinds;
    private final int[] froms;
    private final int[] tos;
    private final int[] ranks; // order of the members in the object
    private byte[] bytes = {};
    private String parent = "";
    private int index = -1;
    private boolean isObject;
    private boolean isFirst;
    private int size;
    private int present; // bits by member
    private @Nullable String unknown; // first name that is not known

    /** Creates the members of objects that have some names; each has the ordinal of its place in the list. */
    public Members(String... names) {
        this.names = names;
        texts = Arrays.stream(names)
                .map(name -> name.getBytes(StandardCharsets.US_ASCII))
                .toArray(byte[][]::new);
        kinds = new Kind[names.length];
        froms = new int[names.length];
        tos = new int[names.length];
        ranks = new int[names.length];
    }

    /** Reads a value, which should be an object, with all its members. Returns false if the bytes are not JSON, or if two names are equal. */
    public boolean read(JsonLexer in, String list, int item) {
        parent = list;
        index = item;
        if (!begin(in)) {
            return in.value() != Kind.NONE;
        }
        int member = next(in);
        while (member >= 0) {
            if (!value(member, in)) {
                return false;
            }
            member = next(in);
        }
        return member == END;
    }

    /** Forgets all members, and reads the begin of an object; returns false if there is none. */
    public boolean begin(JsonLexer in) {
        bytes = in.bytes();
        Arrays.fill(kinds, Kind.NONE);
        if (unknown != null) {
            unknown = null;
        }
        size = 0;
        present = 0;
        isFirst = true;
        isObject = in.isNext('{') && in.open('{');
        return isObject;
    }

    /** Reads the name of the next member; returns its ordinal, the number of names for an unknown one, {@link #END} or {@link #ODD}. */
    public int next(JsonLexer in) {
        if (in.close('}')) {
            return END;
        }
        if ((!isFirst && !in.take(',')) || !in.name()) {
            return ODD;
        }
        isFirst = false;
        int member = in.isEscaped() ? List.of(names).indexOf(in.string()) : find(in);
        if (member < 0) {
            if (unknown == null) {
                unknown = in.string();
            }
            return names.length;
        }
        if ((present & 1 << member) != 0) {
            return ODD;
        }
        present |= 1 << member;
        ranks[member] = size++;
        return member;
    }

    private int find(JsonLexer in) {
        for (int i = 0; i < texts.length; i++) {
            if (in.isText(texts[i])) {
                return i;
            }
        }
        return -1;
    }

    /** Reads the value of a member; returns false if it is not JSON. */
    boolean value(int member, JsonLexer in) {
        Kind kind = in.value();
        if (member < names.length) {
            set(member, kind, in.from(), in.to());
        }
        return kind != Kind.NONE;
    }

    /** Returns the kind of the value of a member; {@link Kind#NONE} if the object does not have it. */
    public Kind kind(int member) {
        return kinds[member];
    }

    /** Returns whether a member is missing or null. */
    public boolean isAbsent(int member) {
        return kinds[member] == Kind.NONE || kinds[member] == Kind.NULL;
    }

    /** Notes the value of a member that was read by another reader. */
    void set(int member, Kind kind, int from, int to) {
        kinds[member] = kind;
        froms[member] = from;
        tos[member] = to;
    }

    public int from(int member) {
        return froms[member];
    }

    public int to(int member) {
        return tos[member];
    }

    /** Returns whether the value of a member, which must be a string without escapes, is a text. */
    boolean isText(int member, byte[] text) {
        return tos[member] - froms[member] == text.length
                && Arrays.equals(text, 0, text.length, bytes, froms[member], tos[member]);
    }

    /** Checks that the value is an object without unknown names. */
    public void checkNames() throws RequestException {
        if (!isObject) {
            throw RequestException.bad(path(), "an object is expected");
        }
        if (unknown != null) {
            throw unknown(unknown, Arrays.asList(names));
        }
    }

    /** Checks that the object has no other members than some, which are given as bits. */
    public void checkNames(int allowed) throws RequestException {
        if ((present & ~allowed) == 0) {
            return;
        }
        int first = -1;
        for (int i = 0; i < names.length; i++) {
            if ((present & ~allowed & 1 << i) != 0 && (first < 0 || ranks[i] < ranks[first])) {
                first = i;
            }
        }
        List<String> known = IntStream.range(0, names.length)
                .filter(i -> (allowed & 1 << i) != 0)
                .mapToObj(i -> names[i])
                .toList();
        throw unknown(names[first], known);
    }

    private RequestException unknown(String name, List<String> known) {
        return RequestException.bad(
                path(RequestException.shown(name)),
                "no such name; known are "
                        + String.join(", ", known.stream().sorted().toList()));
    }

    /** Returns the text of a member that is a string or a number. */
    String string(int member) {
        return JsonLexer.string(bytes, froms[member], tos[member], kinds[member]);
    }

    /** Returns a string, or null if the object does not have it. */
    @Nullable
    public String text(int member) throws RequestException {
        if (isAbsent(member)) {
            return null;
        }
        if (!kinds[member].isText()) {
            throw bad(member, "a string is expected");
        }
        return string(member);
    }

    /** Checks that the object has a string. */
    void checkText(int member) throws RequestException {
        if (isAbsent(member)) {
            throw bad(member, "is missing");
        }
        if (!kinds[member].isText()) {
            throw bad(member, "a string is expected");
        }
    }

    /** Returns a string that the object must have. */
    public String needed(int member) throws RequestException {
        checkText(member);
        return string(member);
    }

    /** Returns the value of a member that is true or false; false if the object does not have it. */
    public boolean isTrue(int member) throws RequestException {
        if (isAbsent(member)) {
            return false;
        }
        if (kinds[member] != Kind.BOOLEAN) {
            throw bad(member, "true or false is expected");
        }
        return bytes[froms[member]] == 't';
    }

    /** Returns the value of a member, which must be one that a condition of a field can have. */
    Object value(int member, Field field) throws RequestException {
        if (kinds[member] == Kind.NONE) {
            throw bad(member, "is missing");
        }
        try {
            return value(bytes, froms[member], tos[member], kinds[member], field);
        } catch (InvalidValueException e) {
            throw unfit(member, e);
        }
    }

    /** Returns the exception for a member that is not as expected. */
    public RequestException bad(int member, String reason) {
        return RequestException.bad(path(names[member]), reason);
    }

    /** Returns the exception for a member whose value is not possible. */
    RequestException unfit(int member, InvalidValueException reason) {
        return RequestException.unfit(path(names[member]), reason);
    }

    /** Returns the path of the object in the request; empty for the whole request. */
    public String path() {
        return index < 0 ? parent : parent + "[" + index + "]";
    }

    /** Returns the path of a member. */
    public String path(String name) {
        return parent.isEmpty() ? name : path() + "." + name;
    }

    /**
     * Returns the value of a field that stands in bytes.
     *
     * @throws InvalidValueException if the field cannot have the value
     */
    static Object value(byte[] bytes, int from, int to, Kind kind, Field field) {
        FieldType type = field.type();
        if (kind == Kind.INTEGER && type == FieldType.INTEGER && to - from <= MAX_LONG_DIGITS) {
            return whole(bytes, from, to);
        }
        boolean isNumeric = type == FieldType.INTEGER || type == FieldType.DECIMAL;
        if (!kind.isText() && !(isNumeric && kind.isNumber())) {
            throw new InvalidValueException(
                    "not a value of the field's type: field=" + field.name() + " type=" + type, null);
        }
        return type.parse(
                kind.isText() ? JsonLexer.string(bytes, from, to, kind) : number(bytes, from, to, kind, field));
    }

    private static String number(byte[] bytes, int from, int to, Kind kind, Field field) {
        String text = JsonLexer.string(bytes, from, to, kind);
        try {
            String number = JsonLexer.number(text, kind);
            return field.type() == FieldType.INTEGER ? whole(number) : number;
        } catch (NumberFormatException e) {
            throw new InvalidValueException("exponent out of range: field=" + field.name() + " value=" + text, e);
        }
    }

    /** Returns the digits of a number that is whole though it has a fraction or an exponent, such as 12.0; another number as it is. */
    private static String whole(String number) {
        BigDecimal decimal = new BigDecimal(number);
        long digits = decimal.precision() - (long) decimal.scale();
        boolean isWhole = digits >= 1
                && digits <= MAX_LONG_DIGITS + 1
                && decimal.remainder(BigDecimal.ONE).signum() == 0;
        return isWhole || decimal.signum() == 0 ? decimal.setScale(0).toString() : number;
    }

    /** Returns a whole number of at most 18 digits. */
    private static long whole(byte[] bytes, int from, int to) {
        boolean isNegative = bytes[from] == '-';
        long number = 0;
        for (int i = isNegative ? from + 1 : from; i < to; i++) {
            number = number * 10 + (bytes[i] - '0');
        }
        return isNegative ? -number : number;
    }
}
