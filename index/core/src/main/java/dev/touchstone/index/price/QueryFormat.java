package dev.touchstone.index.price;

import dev.touchstone.index.CorruptEncodingException;
import dev.touchstone.index.Field;
import dev.touchstone.index.IndexException;
import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.engine.BoundQuery;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The binary form of a query, as members of a cluster send it. Numbers are big-endian; a count is in groups of seven bits, the low ones first, with the
 * high bit set in all bytes but the last; a text is the count of its bytes and UTF-8, or the byte FF and UTF-16 if it has halves of surrogate pairs.
 *
 * <pre>
 *   format 1 | policy 1 | limit 8 | count of fields | ordinal 1 of each, by precedence | flags 1 | offering, if any | conditions
 *   conditions  count | conditions
 *   condition   kind 1 | text:    ordinal of the field 1 | text
 *                      | texts:   ordinal of the field 1 | count of texts | texts
 *                      | numbers: ordinal of the field 1 | count | numbers 8
 *                      | range:   ordinal of the field 1 | least 8 | greatest 8
 *                      | nested:  count of queries | flags 1 and conditions of each
 * </pre>
 *
 * <p>Immutable and thread-safe.
 */
public final class QueryFormat {
    private static final byte FORMAT = 1;
    private static final int OFFERING = 1;
    private static final int WILDCARDS = 2;
    private static final int TEXT = 0;
    private static final int TEXTS = 1;
    private static final int NUMBERS = 2;
    private static final int RANGE = 3;
    private static final int NESTED = 4;
    private static final int NEGATIVE = 8; // beside the kind of a condition
    private static final int MAX_NESTED = 256; // queries, as of PriceQuery.anyOf
    private static final List<MatchPolicy> POLICIES = List.of(MatchPolicy.values());

    private final PriceIndex index;

    /**
     * The first parts of a query.
     *
     * @param policy policy
     * @param limit limit, at least 1
     * @param offering key of the offering, or null for all offerings
     */
    public record Head(
            MatchPolicy policy, int limit, @Nullable String offering) {}

    /**
     * Creates the format of the queries of an index.
     *
     * @param index index, not null
     */
    public QueryFormat(PriceIndex index) {
        this.index = index;
    }

    /**
     * Returns the bytes of a query.
     *
     * @param query query for the index, or for one that shares its fields
     * @return a new array
     * @throws IllegalArgumentException if the query is for an index with other fields
     */
    public byte[] encode(PriceQuery query) {
        BoundQuery bound = index.own(query);
        ByteEncoder out = new ByteEncoder();
        out.write(FORMAT);
        out.write(POLICIES.indexOf(bound.policy()));
        out.number(bound.limit());
        int[] precedence = bound.precedence();
        out.count(precedence.length);
        for (int ordinal : precedence) {
            out.write(ordinal);
        }
        String offering = bound.offeringText();
        out.write((offering == null ? 0 : OFFERING) | (bound.hasWildcards() ? WILDCARDS : 0));
        if (offering != null) {
            out.anyText(offering);
        }
        conditions(bound, out);
        return out.toByteArray();
    }

    private static void conditions(BoundQuery bound, ByteEncoder out) {
        Conditions conditions = new Conditions();
        bound.visit(conditions);
        out.count(conditions.count);
        out.writeBytes(conditions.out.toByteArray());
    }

    /** An encoder of conditions, one after the other. */
    private static final class Conditions implements BoundQuery.Visitor {
        final ByteEncoder out = new ByteEncoder();
        int count;

        private void begin(int kind, boolean isNegative) {
            count++;
            out.write(isNegative ? kind | NEGATIVE : kind);
        }

        @Override
        public void text(Field field, boolean isNegative, String text) {
            begin(TEXT, isNegative);
            out.write(field.ordinal());
            out.anyText(text);
        }

        @Override
        public void texts(Field field, boolean isNegative, String... texts) {
            begin(TEXTS, isNegative);
            out.write(field.ordinal());
            out.count(texts.length);
            Arrays.stream(texts).forEach(out::anyText);
        }

        @Override
        public void numbers(Field field, boolean isNegative, long... numbers) {
            begin(NUMBERS, isNegative);
            out.write(field.ordinal());
            out.count(numbers.length);
            Arrays.stream(numbers).forEach(out::number);
        }

        @Override
        public void range(Field field, boolean isNegative, long least, long most) {
            begin(RANGE, isNegative);
            out.write(field.ordinal());
            out.number(least);
            out.number(most);
        }

        @Override
        public void nested(boolean isNone, List<BoundQuery> queries) {
            begin(NESTED, isNone);
            out.count(queries.size());
            for (BoundQuery query : queries) {
                out.write(query.hasWildcards() ? WILDCARDS : 0);
                conditions(query, out);
            }
        }
    }

    /**
     * Returns the query of some bytes.
     *
     * @param bytes remaining bytes, which stay as they are
     * @return a new query for the index
     * @throws CorruptEncodingException if the bytes are not ones that {@link #encode} could have made for an index with the same fields
     */
    public PriceQuery decode(ByteBuffer bytes) throws CorruptEncodingException {
        return decode(bytes, index.query());
    }

    /**
     * Makes a query the one of some bytes, like {@link #decode(ByteBuffer)}, without making new buffers for its searches.
     *
     * @param bytes remaining bytes, which stay as they are
     * @param query query for the index, or for one that shares its fields; whatever it has is forgotten, also if this method fails
     * @return the same query
     * @throws CorruptEncodingException if the bytes are not ones that {@link #encode} could have made for an index with the same fields
     * @throws IllegalArgumentException if the query is for an index with other fields
     */
    public PriceQuery decode(ByteBuffer bytes, PriceQuery query) throws CorruptEncodingException {
        BoundQuery unused = index.own(query.clear());
        ByteDecoder in = new ByteDecoder(bytes.duplicate());
        query.policy(policy(in)).limit(limit(in));
        query.bound.precedence(precedence(in));
        int flags = flags(in, OFFERING | WILDCARDS);
        query.wildcards((flags & WILDCARDS) != 0);
        if ((flags & OFFERING) != 0) {
            query.offering(in.anyText("offering"));
        }
        try {
            conditions(query, in, new int[1]);
        } catch (IndexException e) {
            throw new CorruptEncodingException("not a query: " + e.getMessage(), e);
        }
        if (in.remaining() > 0) {
            throw in.corrupt("end", "bytes=" + in.remaining());
        }
        return query;
    }

    /**
     * Returns the first parts of an encoded query, by its first bytes alone.
     *
     * @param bytes remaining bytes, which stay as they are
     * @return policy, limit and offering
     * @throws CorruptEncodingException if the bytes do not begin as ones that {@link #encode} has made for an index with the same fields
     */
    public Head head(ByteBuffer bytes) throws CorruptEncodingException {
        ByteDecoder in = new ByteDecoder(bytes.duplicate());
        MatchPolicy policy = policy(in);
        int limit = limit(in);
        int[] unused = precedence(in);
        boolean hasOffering = (flags(in, OFFERING | WILDCARDS) & OFFERING) != 0;
        return new Head(policy, limit, hasOffering ? in.anyText("offering") : null);
    }

    private static MatchPolicy policy(ByteDecoder in) throws CorruptEncodingException {
        int format = in.octet("format");
        if (format != FORMAT) {
            throw in.corrupt("format", "value=" + format + " expected=" + FORMAT);
        }
        int policy = in.octet("policy");
        if (policy >= POLICIES.size()) {
            throw in.corrupt("policy", "value=" + policy + " expected=below " + POLICIES.size());
        }
        return POLICIES.get(policy);
    }

    private static int limit(ByteDecoder in) throws CorruptEncodingException {
        long limit = in.number("limit");
        if (limit < 1 || limit > Integer.MAX_VALUE) {
            throw in.corrupt("limit", "value=" + limit);
        }
        return (int) limit;
    }

    private int[] precedence(ByteDecoder in) throws CorruptEncodingException {
        int[] precedence = new int[in.count("precedence", index.fields().size())];
        for (int i = 0; i < precedence.length; i++) {
            precedence[i] = field(in).ordinal();
        }
        return precedence;
    }

    private static int flags(ByteDecoder in, int known) throws CorruptEncodingException {
        int flags = in.octet("flags");
        if ((flags & ~known) != 0) {
            throw in.corrupt("flags", "value=" + flags);
        }
        return flags;
    }

    private Field field(ByteDecoder in) throws CorruptEncodingException {
        int ordinal = in.octet("field");
        if (ordinal >= index.fields().size()) {
            throw in.corrupt(
                    "field",
                    "value=" + ordinal + " expected=below " + index.fields().size());
        }
        return index.fields().get(ordinal);
    }

    /**
     * Reads conditions.
     *
     * @param nested number of queries that are nested in the outermost one so far, which is counted on
     */
    private void conditions(PriceQuery query, ByteDecoder in, int[] nested) throws CorruptEncodingException {
        for (int i = in.count("conditions", in.remaining()); i > 0; i--) {
            int octet = in.octet("condition");
            boolean isNegative = (octet & NEGATIVE) != 0;
            switch (octet & ~NEGATIVE) {
                case TEXT -> {
                    Field field = field(in);
                    query.bound.equal(field, in.anyText(field.name()), isNegative);
                }
                case TEXTS -> texts(query.bound, field(in), isNegative, in);
                case NUMBERS -> {
                    Field field = ordered(in);
                    query.bound.numbers(field, isNegative, numbers(in));
                }
                case RANGE -> query.bound.range(ordered(in), isNegative, in.number("least"), in.number("greatest"));
                case NESTED -> nested(query.bound, isNegative, in, nested);
                default -> throw in.corrupt("condition", "value=" + octet);
            }
        }
    }

    private Field ordered(ByteDecoder in) throws CorruptEncodingException {
        Field field = field(in);
        if (!field.type().isOrdered()) {
            throw in.corrupt("field", "a string has no number: name=" + field.name());
        }
        return field;
    }

    private static void texts(BoundQuery bound, Field field, boolean isNegative, ByteDecoder in)
            throws CorruptEncodingException {
        List<String> texts = new ArrayList<>();
        for (int i = in.count("texts", in.remaining()); i > 0; i--) {
            texts.add(in.anyText(field.name()));
        }
        bound.in(field, texts, isNegative);
    }

    private static long[] numbers(ByteDecoder in) throws CorruptEncodingException {
        long[] numbers = new long[in.count("numbers", in.remaining() / Long.BYTES)];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = in.number("number");
            if (i > 0 && numbers[i] <= numbers[i - 1]) {
                throw in.corrupt("number", "not in order: value=" + numbers[i]);
            }
        }
        return numbers;
    }

    private void nested(BoundQuery bound, boolean isNone, ByteDecoder in, int[] nested)
            throws CorruptEncodingException {
        int count = in.count("queries", MAX_NESTED - nested[0]);
        nested[0] += count;
        BoundQuery[] queries = new BoundQuery[count];
        for (int i = 0; i < count; i++) {
            PriceQuery one = index.query();
            one.wildcards((flags(in, WILDCARDS) & WILDCARDS) != 0);
            conditions(one, in, nested);
            queries[i] = one.bound;
        }
        bound.nest(isNone, queries);
    }
}
