package dev.touchstone.index.server.api.json;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigDecimal;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;

/**
 * A lexer of JSON in UTF-8, which reads values in place and allocates nothing. It accepts exactly the JSON of RFC 8259, up to limits of nesting and of
 * the digits of a number, and tells only that bytes are not such JSON: {@link Json} tells people why. For one thread.
 *
 * <p>The methods skip white space before what they read. After a method has returned false, or {@link Kind#NONE}, the lexer must begin again.
 */
public final class JsonLexer {
    /** Maximum number of digits of a number, with those of its exponent. */
    static final int MAX_DIGITS = 64;

    private static final byte[] TRUE = {'t', 'r', 'u', 'e'};
    private static final byte[] FALSE = {'f', 'a', 'l', 's', 'e'};
    private static final byte[] NULL = {'n', 'u', 'l', 'l'};
    private static final VarHandle EIGHT = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101_0101_0101_0101L;
    private static final long HIGH_BITS = ONES << 7;

    private final int maxDepth;
    private final BitSet objects =
            new BitSet(); // whether the bracket of a depth is one of an object, while a value is skipped
    private byte[] bytes = {};
    private int limit;
    private int at; // index of the next byte
    private int from; // first byte of the last string or value
    private int to; // behind the last byte of the last string or value
    private boolean isEscaped; // whether the last string has escapes
    private int depth;

    /** Kinds of values. */
    public enum Kind {
        /** Not a value: the bytes are not JSON, or an object does not have the member. */
        NONE,
        NULL,
        BOOLEAN,
        /** A string without escapes. */
        TEXT,
        /** A string with escapes. */
        ESCAPED,
        /** A number without a fraction and an exponent. */
        INTEGER,
        DECIMAL,
        ARRAY,
        OBJECT;

        boolean isText() {
            return this == TEXT || this == ESCAPED;
        }

        boolean isNumber() {
            return this == INTEGER || this == DECIMAL;
        }

        boolean isScalar() {
            return this != NONE && this != ARRAY && this != OBJECT;
        }
    }

    public JsonLexer(int maxDepth) {
        this.maxDepth = maxDepth;
    }

    /** Begins to read at an index of an array, which must not change until everything is read. */
    public void begin(byte[] all, int first, int end) {
        bytes = all;
        limit = end;
        at = first;
        depth = 0;
    }

    byte[] bytes() {
        return bytes;
    }

    /** Returns the index of the next byte. */
    public int at() {
        return at;
    }

    /** Returns the index of the first byte of the last value, without the quote of a string. */
    public int from() {
        return from;
    }

    /** Returns the index behind the last byte of the last value, without the quote of a string. */
    public int to() {
        return to;
    }

    public boolean isEscaped() {
        return isEscaped;
    }

    /** Returns the index of the first byte that is not white space, or the limit. */
    public static int skip(byte[] bytes, int from, int limit) {
        int at = from;
        while (at < limit && bytes[at] <= ' ' && isSpace(bytes[at])) {
            at++;
        }
        return at;
    }

    private static boolean isSpace(byte one) {
        return one == ' ' || one == '\n' || one == '\r' || one == '\t';
    }

    /** Returns the index behind the mark of UTF-8 at the begin of a body, or the begin if there is none. */
    public static int behindMark(byte[] bytes, int from, int to) {
        boolean isMarked = to - from >= 3
                && bytes[from] == (byte) 0xEF
                && bytes[from + 1] == (byte) 0xBB
                && bytes[from + 2] == (byte) 0xBF;
        return isMarked ? from + 3 : from;
    }

    /** Returns whether only white space is left. */
    public boolean isEnd() {
        at = skip(bytes, at, limit);
        return at == limit;
    }

    /** Returns whether the next byte is a wanted one, and does not read it. */
    public boolean isNext(int wanted) {
        int i = at;
        if (i < limit && bytes[i] != wanted) {
            i = skip(bytes, i, limit);
            at = i;
        }
        return i < limit && bytes[i] == wanted;
    }

    /** Reads a byte if it is the wanted one. */
    public boolean take(int wanted) {
        if (isNext(wanted)) {
            at++;
            return true;
        }
        return false;
    }

    /** Reads a bracket that opens an object or an array; returns false if there is none, or if it nests too deep. */
    public boolean open(int bracket) {
        return take(bracket) && ++depth <= maxDepth;
    }

    /** Reads a bracket that closes an object or an array; returns false if there is none. */
    public boolean close(int bracket) {
        if (take(bracket)) {
            depth--;
            return true;
        }
        return false;
    }

    /** Reads a name and the colon behind it. The place of the name stays noted. */
    public boolean name() {
        return text() && take(':');
    }

    /** Reads some bytes, without white space before them, if all of them are next. Returns false for no bytes. */
    boolean takeAll(byte[] wanted) {
        int end = at + wanted.length;
        if (wanted.length == 0 || end > limit || !Arrays.equals(wanted, 0, wanted.length, bytes, at, end)) {
            return false;
        }
        at = end;
        return true;
    }

    /** Goes back to an index where the lexer was before. */
    void back(int index, int depthThere) {
        at = index;
        depth = depthThere;
    }

    /** Returns the number of brackets that are open. */
    int depth() {
        return depth;
    }

    /** Reads a string, and notes its place. */
    public boolean text() {
        return take('"') && rest();
    }

    /** Reads the rest of a string behind its first quote, and notes the place of the string. */
    boolean rest() {
        byte[] in = bytes;
        int end = limit;
        int begin = at;
        int i = plainEnd(in, begin, end);
        isEscaped = false;
        while (i < end && in[i] != '"') {
            int length = in[i] == '\\' ? escape(in, i, end) : character(in, i, end);
            if (length == 0) {
                at = i;
                return false;
            }
            isEscaped |= in[i] == '\\';
            i = plainEnd(in, i + length, end);
        }
        from = begin;
        to = i;
        at = i + 1;
        return i < end;
    }

    /** Returns the index of the first byte that is a quote, a backslash, a control character or not ASCII; the limit if there is none. */
    private static int plainEnd(byte[] in, int from, int limit) {
        int i = from;
        for (; i <= limit - Long.BYTES; i += Long.BYTES) {
            long odd = odd((long) EIGHT.get(in, i));
            if (odd != 0) {
                return i + (Long.numberOfTrailingZeros(odd) >>> 3);
            }
        }
        while (i < limit && in[i] >= ' ' && in[i] != '"' && in[i] != '\\') {
            i++;
        }
        return i;
    }

    /**
     * Returns a word whose lowest set high bit belongs to the first of eight bytes that is a quote, a backslash, a control character or not ASCII; 0
     * if none is. Bits behind that one have no meaning, because the subtraction borrows only behind a byte that is found.
     */
    private static long odd(long eight) {
        long quotes = eight ^ ('"' * ONES);
        long backslashes = eight ^ ('\\' * ONES);
        long found = ((quotes - ONES) & ~quotes) | ((backslashes - ONES) & ~backslashes) | (eight - ' ' * ONES) | eight;
        return found & HIGH_BITS;
    }

    /** Returns the length of the escape at an index, or 0 if it is none. */
    private static int escape(byte[] in, int i, int limit) {
        if (i + 1 >= limit) {
            return 0;
        }
        return switch (in[i + 1]) {
            case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> 2;
            case 'u' -> {
                for (int digit = i + 2; digit < i + 6; digit++) {
                    if (digit >= limit || Character.digit(in[digit], 16) < 0) {
                        yield 0;
                    }
                }
                yield 6;
            }
            default -> 0;
        };
    }

    /** Returns the length of the character at an index, which is not ASCII; 0 if it is a control character or not UTF-8. */
    private static int character(byte[] in, int i, int limit) {
        int first = in[i] & 0xFF;
        int length = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
        if (length == 0 || i + length > limit) {
            return 0;
        }
        int second = in[i + 1] & 0xFF;
        int least = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80; // no longer form than needed
        int most = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF; // no surrogates, nothing beyond U+10FFFF
        if (second < least || second > most) {
            return 0;
        }
        for (int k = 2; k < length; k++) {
            if ((in[i + k] & 0xC0) != 0x80) {
                return 0;
            }
        }
        return length;
    }

    /** Reads a value, and notes its place. Objects and arrays are checked and skipped. */
    public Kind value() {
        at = skip(bytes, at, limit);
        if (at >= limit) {
            return Kind.NONE;
        }
        byte first = bytes[at];
        if (first == '{' || first == '[') {
            int begin = at;
            boolean isRead = compound();
            from = begin;
            to = at;
            return !isRead ? Kind.NONE : first == '{' ? Kind.OBJECT : Kind.ARRAY;
        }
        return switch (first) {
            case '"' -> !text() ? Kind.NONE : isEscaped ? Kind.ESCAPED : Kind.TEXT;
            case 't' -> word(TRUE, Kind.BOOLEAN);
            case 'f' -> word(FALSE, Kind.BOOLEAN);
            case 'n' -> word(NULL, Kind.NULL);
            default -> number();
        };
    }

    /** Returns whether a value begins at the next byte; reads it, unless it is in quotes or brackets. */
    public boolean beginsValue() {
        return isNext('"') || isNext('{') || isNext('[') || value() != Kind.NONE;
    }

    private Kind word(byte[] word, Kind kind) {
        int end = at + word.length;
        if (end > limit || !Arrays.equals(word, 0, word.length, bytes, at, end)) {
            return Kind.NONE;
        }
        if (end < limit && (bytes[end] < 0 || (bytes[end] >= '0' && Character.isJavaIdentifierPart(bytes[end])))) {
            return Kind.NONE; // "truest" is one word, and no JSON
        }
        from = at;
        to = end;
        at = end;
        return kind;
    }

    private Kind number() {
        int begin = at;
        int i = begin < limit && bytes[begin] == '-' ? begin + 1 : begin;
        int end = digits(i);
        int count = end - i;
        if (count == 0 || (count > 1 && bytes[i] == '0')) {
            return Kind.NONE;
        }
        Kind kind = Kind.INTEGER;
        if (end < limit && bytes[end] == '.') {
            kind = Kind.DECIMAL;
            i = end + 1;
            end = digits(i);
            if (end == i) {
                return Kind.NONE;
            }
            count += end - i;
        }
        if (end < limit && (bytes[end] == 'e' || bytes[end] == 'E')) {
            kind = Kind.DECIMAL;
            i = end + 1;
            i += i < limit && (bytes[i] == '+' || bytes[i] == '-') ? 1 : 0;
            end = digits(i);
            if (end == i) {
                return Kind.NONE;
            }
            count += end - i;
        }
        from = begin;
        to = end;
        at = end;
        return count > MAX_DIGITS ? Kind.NONE : kind;
    }

    /** Returns the index of the first byte that is not a digit, from an index on. */
    private int digits(int begin) {
        int i = begin;
        while (i < limit && bytes[i] >= '0' && bytes[i] <= '9') {
            i++;
        }
        return i;
    }

    /** Skips an object or an array, without recursion. Equal names in an object are not noticed. */
    private boolean compound() {
        int outer = depth;
        boolean isFirst = true; // whether the last bracket was opened just now
        do {
            if (isFirst && !opened()) {
                return false;
            }
            boolean isObject = objects.get(depth);
            if (close(isObject ? '}' : ']')) {
                isFirst = false;
                continue;
            }
            if ((!isFirst && !take(',')) || (isObject && !name())) {
                return false;
            }
            isFirst = isNext('{') || isNext('[');
            if (!isFirst && value() == Kind.NONE) {
                return false;
            }
        } while (depth > outer);
        return true;
    }

    private boolean opened() {
        boolean isObject = isNext('{');
        if (!open(isObject ? '{' : '[')) {
            return false;
        }
        objects.set(depth, isObject);
        return true;
    }

    /** Returns whether the last string, which must have no escapes, is a text. */
    public boolean isText(byte[] text) {
        return to - from == text.length && Arrays.equals(text, 0, text.length, bytes, from, to);
    }

    /** Returns the text of the last string, with its escapes replaced. */
    public String string() {
        return string(bytes, from, to, isEscaped ? Kind.ESCAPED : Kind.TEXT);
    }

    /** Returns the text between two indexes of an array, with its escapes replaced. */
    public static String string(byte[] bytes, int from, int to, Kind kind) {
        if (kind != Kind.ESCAPED) {
            return new String(bytes, from, to - from, StandardCharsets.UTF_8);
        }
        StringBuilder text = new StringBuilder(to - from);
        int at = from;
        while (at < to) {
            int plain = at;
            while (plain < to && bytes[plain] != '\\') {
                plain++;
            }
            text.append(new String(bytes, at, plain - at, StandardCharsets.UTF_8));
            at = plain == to ? to : plain + unescape(bytes, plain + 1, text);
        }
        return text.toString();
    }

    /** Appends the character of an escape; returns the length of the escape. */
    private static int unescape(byte[] bytes, int at, StringBuilder text) {
        switch (bytes[at]) {
            case 'b' -> text.append('\b');
            case 'f' -> text.append('\f');
            case 'n' -> text.append('\n');
            case 'r' -> text.append('\r');
            case 't' -> text.append('\t');
            case 'u' -> {
                int unit = 0;
                for (int i = at + 1; i <= at + 4; i++) {
                    unit = unit << 4 | Character.digit(bytes[i], 16);
                }
                text.append((char) unit);
                return 6;
            }
            default -> text.append((char) bytes[at]);
        }
        return 2;
    }

    /**
     * Returns the shortest usual text of a number: without the sign of 0, and in the form of {@link BigDecimal#toString} if it has a fraction or an
     * exponent.
     *
     * @throws NumberFormatException if the exponent is beyond the range of {@link BigDecimal}
     */
    static String number(String text, Kind kind) {
        if (kind == Kind.DECIMAL) {
            return new BigDecimal(text).toString();
        }
        return text.equals("-0") ? "0" : text;
    }
}
