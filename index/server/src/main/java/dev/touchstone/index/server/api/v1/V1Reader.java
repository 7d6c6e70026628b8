package dev.touchstone.index.server.api.v1;

import dev.touchstone.index.Field;
import dev.touchstone.index.FieldType;
import dev.touchstone.index.price.PriceQuery;
import dev.touchstone.index.server.api.json.FieldNames;
import dev.touchstone.index.server.api.json.JsonLexer;
import dev.touchstone.index.server.api.json.JsonLexer.Kind;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A reader of the usual requests of version 1, which makes a query from their bytes without a parser: no escapes, no name
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

    private final FieldNames fields;
    private final int mostConditions;
    private final JsonLexer in;
    private byte[] bytes = {};
    private int idFrom;
    private int idTo;

    V1Reader(FieldNames fields, int mostConditions, int maxDepth) {
        this.fields = fields;
        this.mostConditions = mostConditions;
        in = new JsonLexer(maxDepth);
    }

    /** Returns the index at which the id of a bulk item begins; {@link #ODD} if the item has none. */
    int idFrom() {
        return idFrom;
    }

    int idTo() {
        return idTo;
    }

    /**
     * Reads an object that begins at an index, or behind white space there.
     *
     * @param isItem whether the object may have an {@code id}
     * @return index behind the object, or {@link #ODD}
     */
    int read(byte[] from, int begin, int end, boolean isItem, PriceQuery query) {
        bytes = from;
        idFrom = ODD;
        in.begin(from, begin, end);
        if (!in.take('{')) {
            return ODD;
        }
        if (in.take('}')) {
            return in.at();
        }
        int seen = 0;
        do {
            int member = member(isItem, query);
            if (member == 0 || (seen & member) != 0) {
                return ODD;
            }
            seen |= member;
        } while (in.take(','));
        return in.take('}') ? in.at() : ODD;
    }

    /** Reads a name and its value; returns a bit for the name, or 0 if the member is not a usual one. */
    private int member(boolean isItem, PriceQuery query) {
        if (!in.name() || in.isEscaped()) {
            return 0;
        }
        if (in.isText(OFFERING_ID)) {
            if (text()) {
                if (in.to() > in.from()) {
                    query.offering(bytes, in.from(), in.to());
                }
                return 1;
            }
            return 0;
        }
        if (in.isText(CHAR_VALUES)) {
            return values(query) ? 2 : 0;
        }
        if (in.isText(GROUP_ID)) {
            return text() && condition(fields.group, query) ? 4 : 0;
        }
        if (in.isText(SPEC_ID)) {
            return text() && condition(fields.spec, query) ? 8 : 0;
        }
        return isItem && in.isText(ID) && number() ? 16 : 0;
    }

    private boolean condition(@Nullable Field field, PriceQuery query) {
        if (in.to() > in.from()) {
            if (field == null) {
                return false;
            }
            query.eq(field, bytes, in.from(), in.to());
        }
        return true;
    }

    private boolean values(PriceQuery query) {
        if (!in.take('[')) {
            return false;
        }
        if (in.take(']')) {
            return true;
        }
        int place = 0;
        do {
            if (place >= mostConditions || !(fields.addUsual(place, in, query) || value(place, query))) {
                return false;
            }
            place++;
        } while (in.take(','));
        return in.take(']');
    }

    /** Reads a characteristic and its value, in either order. */
    private boolean value(int place, PriceQuery query) {
        if (!in.take('{') || !in.name()) {
            return false;
        }
        boolean isNameFirst = in.isText(CHAR);
        if ((!isNameFirst && !in.isText(VALUE)) || !text()) {
            return false;
        }
        int firstFrom = in.from();
        int firstTo = in.to();
        if (!in.take(',') || !in.name() || !in.isText(isNameFirst ? VALUE : CHAR) || !text() || !in.take('}')) {
            return false;
        }
        int secondFrom = in.from();
        int secondTo = in.to();
        Field field = isNameFirst
                ? fields.find(place, bytes, firstFrom, firstTo)
                : fields.find(place, bytes, secondFrom, secondTo);
        if (field == null || field.type() != FieldType.STRING) {
            return false;
        }
        if (isNameFirst) {
            query.eq(field, bytes, secondFrom, secondTo);
        } else {
            query.eq(field, bytes, firstFrom, firstTo);
        }
        return true;
    }

    private boolean number() {
        boolean isPlain = in.value() == Kind.INTEGER && in.to() - in.from() < 10 && bytes[in.from()] != '-';
        idFrom = in.from();
        idTo = in.to();
        return isPlain;
    }

    /** Reads a string without escapes, and notes its place. */
    private boolean text() {
        return in.text() && !in.isEscaped();
    }
}
