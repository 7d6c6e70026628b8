package dev.touchstone.index.server.api;

import dev.touchstone.index.Field;
import dev.touchstone.index.PriceQuery;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A reader of the usual requests of version 1, which makes a query from their bytes without a parser: all text in ASCII without escapes, no name
 * twice, no unknown names. {@link V1Json} reads all other requests; both make the same query of a request that both can read. For one thread.
 *
 * <p>The array of the request must not change until the query was searched.
 */
final class V1Reader {
    /** Returned for a request that only {@link V1Json} can read. The query may hold some of its conditions. */
    static final int ODD = -1;

    private static final byte[] OFFERING_ID = V1Json.OFFERING_ID.getBytes(StandardCharsets.US_ASCII);
    private static final byte[] CHAR_VALUES = V1Json.CHAR_VALUES.getBytes(StandardCharsets.US_ASCII);
    private static final byte[] GROUP_ID = V1Json.GROUP_ID.getBytes(StandardCharsets.US_ASCII);
    private static final byte[] SPEC_ID = V1Json.SPEC_ID.getBytes(StandardCharsets.US_ASCII);
    private static final byte[] CHAR = V1Json.CHAR.getBytes(StandardCharsets.US_ASCII);
    private static final byte[] VALUE = V1Json.VALUE.getBytes(StandardCharsets.US_ASCII);
    private static final byte[] ID = V1Json.ID.getBytes(StandardCharsets.US_ASCII);

    private static final VarHandle EIGHT = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101_0101_0101_0101L;
    private static final long HIGH_BITS = ONES << 7;

    private final V1Fields fields;
    private final int mostConditions;
    private byte[] bytes = {};
    private int limit;
    private int at; // index of the next byte
    private int textFrom;
    private int textTo;
    private int idFrom;
    private int idTo;

    V1Reader(V1Fields fields, int mostConditions) {
        this.fields = fields;
        this.mostConditions = mostConditions;
    }

    /** Returns the index at which the id of a bulk item begins; {@link #ODD} if the item has none. */
    int idFrom() {
        return idFrom;
    }

    int idTo() {
        return idTo;
    }

    /** Returns the index of the first byte that is not white space, or the limit. */
    static int skip(byte[] bytes, int from, int limit) {
        int at = from;
        while (at < limit && bytes[at] <= ' ' && isSpace(bytes[at])) {
            at++;
        }
        return at;
    }

    private static boolean isSpace(byte one) {
        return one == ' ' || one == '\n' || one == '\r' || one == '\t';
    }

    /**
     * Reads an object that begins at an index, or behind white space there.
     *
     * @param isItem whether the object may have an {@code id}
     * @return index behind the object, or {@link #ODD}
     */
    int read(byte[] from, int begin, int end, boolean isItem, PriceQuery query) {
        bytes = from;
        limit = end;
        at = begin;
        idFrom = ODD;
        if (!take('{')) {
            return ODD;
        }
        if (take('}')) {
            return at;
        }
        int seen = 0;
        do {
            int member = member(isItem, query);
            if (member == 0 || (seen & member) != 0) {
                return ODD;
            }
            seen |= member;
        } while (take(','));
        return take('}') ? at : ODD;
    }

    /** Reads a name and its value; returns a bit for the name, or 0 if the member is not a usual one. */
    private int member(boolean isItem, PriceQuery query) {
        if (!text() || !colon()) {
            return 0;
        }
        if (isText(OFFERING_ID)) {
            if (text()) {
                if (textTo > textFrom) {
                    query.offering(bytes, textFrom, textTo);
                }
                return 1;
            }
            return 0;
        }
        if (isText(CHAR_VALUES)) {
            return values(query) ? 2 : 0;
        }
        if (isText(GROUP_ID)) {
            return text() && condition(fields.group, query) ? 4 : 0;
        }
        if (isText(SPEC_ID)) {
            return text() && condition(fields.spec, query) ? 8 : 0;
        }
        return isItem && isText(ID) && number() ? 16 : 0;
    }

    private boolean condition(@Nullable Field field, PriceQuery query) {
        if (textTo > textFrom) {
            if (field == null) {
                return false;
            }
            query.eq(field, bytes, textFrom, textTo);
        }
        return true;
    }

    private boolean values(PriceQuery query) {
        if (!take('[')) {
            return false;
        }
        if (take(']')) {
            return true;
        }
        int place = 0;
        do {
            if (place >= mostConditions || !(usual(place, query) || value(place, query))) {
                return false;
            }
            place++;
        } while (take(','));
        return take(']');
    }

    /**
     * Reads a characteristic and its value like {@link #value}, but only if it is the characteristic that was last at this position, without any
     * white space.
     */
    private boolean usual(int place, PriceQuery query) {
        int field = fields.guess(place);
        byte[] begin = fields.begin(field);
        int from = at + begin.length;
        if (begin.length == 0 || from > limit || !Arrays.equals(begin, 0, begin.length, bytes, at, from)) {
            return false;
        }
        int to = plainEnd(bytes, from, limit);
        if (to + 1 >= limit || bytes[to] != '"' || bytes[to + 1] != '}') {
            return false;
        }
        query.eq(fields.field(field), bytes, from, to);
        at = to + 2;
        return true;
    }

    /** Reads a characteristic and its value, in either order. */
    private boolean value(int place, PriceQuery query) {
        if (!take('{') || !text() || !colon()) {
            return false;
        }
        boolean isNameFirst = isText(CHAR);
        if ((!isNameFirst && !isText(VALUE)) || !text()) {
            return false;
        }
        int firstFrom = textFrom;
        int firstTo = textTo;
        if (!take(',') || !text() || !colon() || !isText(isNameFirst ? VALUE : CHAR) || !text() || !take('}')) {
            return false;
        }
        Field field = isNameFirst
                ? fields.find(place, bytes, firstFrom, firstTo)
                : fields.find(place, bytes, textFrom, textTo);
        if (field == null) {
            return false;
        }
        if (isNameFirst) {
            query.eq(field, bytes, textFrom, textTo);
        } else {
            query.eq(field, bytes, firstFrom, firstTo);
        }
        return true;
    }

    private boolean number() {
        int from = skip(bytes, at, limit);
        int to = from;
        while (to < limit && bytes[to] >= '0' && bytes[to] <= '9') {
            to++;
        }
        boolean isPlain = to > from && to - from < 10 && (bytes[from] != '0' || to == from + 1);
        idFrom = from;
        idTo = to;
        at = to;
        return isPlain;
    }

    /** Reads a string, and notes its place. */
    private boolean text() {
        byte[] in = bytes;
        int i = at;
        if (i < limit && in[i] != '"') {
            i = skip(in, i, limit);
        }
        if (i >= limit || in[i] != '"') {
            return false;
        }
        int from = i + 1;
        int to = plainEnd(in, from, limit);
        if (to == limit || in[to] != '"') {
            return false;
        }
        textFrom = from;
        textTo = to;
        at = to + 1;
        return true;
    }

    /** Returns the index of the first byte that is a quote, or that only {@link V1Json} can read; the limit if there is none. */
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

    /** Reads a colon between a name and its value. The place of the last string stays noted. */
    private boolean colon() {
        return take(':');
    }

    private boolean take(int wanted) {
        int i = at;
        if (i < limit && bytes[i] != wanted) {
            i = skip(bytes, i, limit);
        }
        if (i < limit && bytes[i] == wanted) {
            at = i + 1;
            return true;
        }
        return false;
    }

    private boolean isText(byte[] name) {
        return textTo - textFrom == name.length && Arrays.equals(name, 0, name.length, bytes, textFrom, textTo);
    }
}
