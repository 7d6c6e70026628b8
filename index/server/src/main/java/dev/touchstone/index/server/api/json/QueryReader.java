package dev.touchstone.index.server.api.json;

import com.fasterxml.jackson.core.JsonToken;
import dev.touchstone.index.Field;
import dev.touchstone.index.FieldType;
import dev.touchstone.index.InvalidValueException;
import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.UnknownFieldException;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.price.PriceQuery;
import dev.touchstone.index.server.api.Limits;
import dev.touchstone.index.server.api.PriceService;
import dev.touchstone.index.server.api.RequestException;
import dev.touchstone.index.server.api.Response;
import dev.touchstone.index.server.api.json.JsonLexer.Kind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A reader that makes a query of the bytes of a search of version 2, in one pass and without a tree. For one thread.
 *
 * <p>A condition may be a list of queries of which any or none must match. These are read again from the bytes of the condition, at each depth of nesting,
 * and the reader keeps the objects for later searches.
 *
 * <p>{@link #read} reads a search to its end and adds its conditions to the query; {@link #finish} then sets the rest. Of several faults, {@link
 * #finish} throws that of the outermost object first, whatever the order of its members, and that of the first condition last.
 *
 * <p>The array of the request must not change until the query was searched.
 */
public final class QueryReader {
    private static final int OFFERING = 0;
    private static final int POLICY = 1;
    private static final int LIMIT = 2;
    private static final int CONDITIONS = 3;
    private static final int WILDCARDS = 4;
    private static final int PRECEDENCE = 5;
    private static final int ID = 6;

    /** Ordinal of the first member that a handler gave to the constructor. */
    public static final int FIRST_MORE = 6;

    private static final int FIELD = 0;
    private static final int OP = 1;
    private static final int VALUE = 2;
    private static final int VALUES = 3;
    private static final int FROM = 4;
    private static final int TO = 5;
    private static final int ANY_OF = 6;
    private static final int NONE_OF = 7;

    private static final int NESTED_CONDITIONS = 0;
    private static final int NESTED_WILDCARDS = 1;

    /** Maximum number of queries that are nested in one, directly or not: the one of the index. */
    private static final int MAX_NESTED = 256;

    private static final int USUAL_LIMIT = 100;
    private static final Field WHOLE = new Field("limit", FieldType.INTEGER, 0, 0);

    private static final byte[][] OPS = Arrays.stream(Op.ALL)
            .map(op -> op.text.getBytes(StandardCharsets.US_ASCII))
            .toArray(byte[][]::new);

    private final PriceIndex index;
    private final Limits limits;
    private final Json json;
    private final PriceQuery query;
    private final FieldNames fields;
    private final JsonLexer body;
    private final JsonLexer list; // reads again what another one has read
    private final Members search;
    private final Members item =
            new Members("offering", "policy", "limit", "conditions", "wildcards", "precedence", "id");
    private final Members condition = new Members("field", "op", "value", "values", "from", "to", "anyOf", "noneOf");
    private final Members nested = new Members("conditions", "wildcards");
    private final List<PriceQuery> spares =
            new ArrayList<>(); // queries that were nested once, the ones of this search in front
    private int nestedCount; // number of queries that are nested in this search
    private final List<String> usualPrecedence;
    private boolean isPrecedenceUsual = true; // that of the query
    private Members read; // search or item
    private byte[] bytes = {};
    private @Nullable RequestException failure; // of the conditions

    /** Operators, and the members that a condition has with each. */
    private enum Op {
        EQ("eq", VALUE),
        NE("ne", VALUE),
        IN("in", VALUES),
        NOT_IN("notIn", VALUES),
        BETWEEN("between", FROM, TO),
        AT_LEAST("atLeast", VALUE),
        AT_MOST("atMost", VALUE),
        GREATER_THAN("greaterThan", VALUE),
        LESS_THAN("lessThan", VALUE);

        private static final Op[] ALL = values();

        private final String text;
        private final int members; // bits

        Op(String text, int... operands) {
            this.text = text;
            members = 1 << FIELD
                    | 1 << OP
                    | Arrays.stream(operands).map(operand -> 1 << operand).sum();
        }
    }

    /**
     * Creates a reader.
     *
     * @param more names of members beside those of a search, which the handler reads
     */
    public QueryReader(PriceService service, Json json, String... more) {
        search = new Members(Stream.concat(
                        Stream.of("offering", "policy", "limit", "conditions", "wildcards", "precedence"),
                        Arrays.stream(more))
                .toArray(String[]::new));
        read = search;
        index = service.index();
        limits = service.limits();
        this.json = json;
        query = index.query();
        usualPrecedence = index.fields().stream().map(Field::name).toList();
        fields = new FieldNames(index, "field");
        body = new JsonLexer(limits.depth());
        list = new JsonLexer(limits.depth());
    }

    /** Returns the query that was last read. */
    public PriceQuery query() {
        return query;
    }

    /** Returns whether other queries are nested in the query that was last read. */
    public boolean isNested() {
        return nestedCount > 0;
    }

    /** Reads a body into {@link #query}; returns false if the body is not a query, in which case the answer holds the reason. */
    public boolean read(byte[] all, int from, int to, Response answer) {
        body.begin(all, JsonLexer.behindMark(all, from, to), to);
        if (!body.isNext('{') || !read(body, false) || !body.isEnd()) {
            json.fault(all, from, to, body.at(), JsonToken.START_OBJECT, "a JSON object is expected")
                    .writeJson(answer);
            return false;
        }
        try {
            finish();
            return true;
        } catch (RequestException e) {
            refuse(e, all, from, to, answer);
            return false;
        }
    }

    /** Fills an answer with a fault of the body that was read; two members of one name in an object, which the lexer does not notice, come first. */
    public void refuse(RequestException fault, byte[] all, int from, int to, Response answer) {
        RequestException first = json.find(all, from, to);
        (first == null ? fault : first).writeJson(answer);
    }

    /** Returns the members of the search that was read. */
    public Members members() {
        return read;
    }

    /** Returns a member that is a whole number in a range, or a default if the object does not have it. */
    public static int whole(Members of, int member, byte[] bytes, int least, int most, int usual)
            throws RequestException {
        if (of.isAbsent(member)) {
            return usual;
        }
        long number = -1;
        if (of.kind(member).isNumber()) {
            try {
                number = (Long) Members.value(bytes, of.from(member), of.to(member), of.kind(member), WHOLE);
            } catch (InvalidValueException e) {
                number = -1; // has a fraction, or is too large
            }
        }
        if (number < least || number > most) {
            throw of.bad(member, "a number from " + least + " to " + most + " is expected");
        }
        return (int) number;
    }

    /**
     * Reads the next value of a lexer, which should be a search. Returns false if it is not JSON, or if two members of an object have one name.
     *
     * @param isItem whether the search may have an id
     */
    public boolean read(JsonLexer in, boolean isItem) {
        bytes = in.bytes();
        read = isItem ? item : search;
        failure = null;
        nestedCount = 0;
        query.clear();
        if (!read.begin(in)) {
            return in.value() != Kind.NONE;
        }
        int member = read.next(in);
        while (member >= 0) {
            boolean isList = member == CONDITIONS && in.isNext('[');
            if (!(isList ? conditions(in) : read.value(member, in))) {
                return false;
            }
            member = read.next(in);
        }
        return member == Members.END;
    }

    /** Reads the list of conditions into the query. A failure is kept for {@link #finish}; the list is read to its end nevertheless. */
    private boolean conditions(JsonLexer in) {
        int begin = in.at();
        int depth = in.depth();
        try {
            if (!in.open('[') || !addAll(in, "conditions", query)) {
                return false;
            }
            read.set(CONDITIONS, Kind.ARRAY, begin, in.at());
            return true;
        } catch (RequestException e) {
            failure = e;
            in.back(begin, depth);
            return read.value(CONDITIONS, in);
        }
    }

    /** Adds the conditions of a list with a path up to its end to a query; returns false if they are not JSON. */
    private boolean addAll(JsonLexer in, String path, PriceQuery to) throws RequestException {
        if (in.close(']')) {
            return true;
        }
        int place = 0;
        do {
            if (place >= limits.conditions()) {
                throw RequestException.bad("", "more than " + limits.conditions() + " conditions");
            }
            if (!fields.addUsual(place, in, to)) {
                if (!condition.read(in, path, place)) {
                    return false;
                }
                add(place, to);
            }
            place++;
        } while (in.take(','));
        return in.close(']');
    }

    /** Adds the condition that was read to a query. */
    private void add(int place, PriceQuery to) throws RequestException {
        Members one = condition;
        one.checkNames();
        if (one.kind(ANY_OF) != Kind.NONE) {
            to.anyOf(queries(ANY_OF));
            return;
        }
        if (one.kind(NONE_OF) != Kind.NONE) {
            to.noneOf(queries(NONE_OF));
            return;
        }
        one.checkText(FIELD);
        Op op = Op.EQ;
        if (!one.isAbsent(OP)) {
            one.checkText(OP);
            op = op();
        }
        Field field = field(place);
        if (op == null) {
            throw one.bad(
                    OP,
                    "no such operator: '" + RequestException.shown(one.string(OP)) + "'; known are "
                            + Arrays.stream(Op.ALL).map(known -> known.text).collect(Collectors.joining(", ")));
        }
        one.checkNames(op.members);
        try {
            add(field, op, to);
        } catch (InvalidValueException e) {
            throw RequestException.unfit(one.path(), e);
        }
    }

    /** Returns the queries of a member of the condition that was read, which is lost then. */
    private PriceQuery[] queries(int member) throws RequestException {
        condition.checkNames(1 << member);
        if (condition.kind(member) != Kind.ARRAY) {
            throw condition.bad(member, "a list is expected");
        }
        int from = condition.from(member);
        int to = condition.to(member);
        String path = condition.path(member == ANY_OF ? "anyOf" : "noneOf");
        int count = count(from, to);
        if (count > MAX_NESTED - nestedCount) {
            throw RequestException.bad(path, "more than " + MAX_NESTED + " nested queries");
        }
        PriceQuery[] queries = new PriceQuery[count];
        JsonLexer in = new JsonLexer(limits.depth());
        in.begin(bytes, from + 1, to);
        for (int i = 0; i < count; i++) {
            if (!nested.read(in, path, i)) {
                throw twice(path);
            }
            queries[i] = query(path);
            in.take(',');
        }
        return queries;
    }

    /** Returns the query whose members were read, which are lost then. */
    private PriceQuery query(String path) throws RequestException {
        nested.checkNames();
        if (nestedCount == spares.size()) {
            spares.add(index.query());
        }
        PriceQuery made = spares.get(nestedCount++).clear().wildcards(nested.isTrue(NESTED_WILDCARDS));
        if (nested.isAbsent(NESTED_CONDITIONS)) {
            return made;
        }
        if (nested.kind(NESTED_CONDITIONS) != Kind.ARRAY) {
            throw nested.bad(NESTED_CONDITIONS, "a list is expected");
        }
        int from = nested.from(NESTED_CONDITIONS);
        int to = nested.to(NESTED_CONDITIONS);
        String list = nested.path("conditions");
        int count = count(from, to);
        if (count > limits.conditions()) {
            throw RequestException.bad(list, "more than " + limits.conditions() + " conditions: conditions=" + count);
        }
        JsonLexer in = new JsonLexer(limits.depth());
        in.begin(bytes, from, to);
        if (!in.open('[') || !addAll(in, list, made)) {
            throw twice(path);
        }
        return made;
    }

    /** Returns the exception for an object in a list that was read before, and has two members of one name. A parser then tells which. */
    private static RequestException twice(String path) {
        return RequestException.bad(path, "a name stands twice in an object");
    }

    private @Nullable Op op() {
        if (condition.kind(OP) == Kind.ESCAPED) {
            String text = condition.string(OP);
            return Arrays.stream(Op.ALL)
                    .filter(op -> op.text.equals(text))
                    .findFirst()
                    .orElse(null);
        }
        for (int i = 0; i < OPS.length; i++) {
            if (condition.isText(OP, OPS[i])) {
                return Op.ALL[i];
            }
        }
        return null;
    }

    private Field field(int place) throws RequestException {
        Field found = condition.kind(FIELD) == Kind.TEXT
                ? fields.find(place, bytes, condition.from(FIELD), condition.to(FIELD))
                : null;
        if (found != null) {
            return found;
        }
        try {
            return index.field(condition.string(FIELD));
        } catch (UnknownFieldException e) {
            throw RequestException.unfit(condition.path(), e);
        }
    }

    private void add(Field field, Op op, PriceQuery to) throws RequestException {
        switch (op) {
            case EQ -> {
                if (field.type() == FieldType.STRING && condition.kind(VALUE) == Kind.TEXT) {
                    to.eq(field, bytes, condition.from(VALUE), condition.to(VALUE));
                } else {
                    to.eq(field, condition.value(VALUE, field));
                }
            }
            case NE -> to.ne(field, condition.value(VALUE, field));
            case IN -> to.in(field, values(field));
            case NOT_IN -> to.notIn(field, values(field));
            case BETWEEN -> to.between(field, condition.value(FROM, field), condition.value(TO, field));
            case AT_LEAST -> to.atLeast(field, condition.value(VALUE, field));
            case AT_MOST -> to.atMost(field, condition.value(VALUE, field));
            case GREATER_THAN -> to.greaterThan(field, condition.value(VALUE, field));
            case LESS_THAN -> to.lessThan(field, condition.value(VALUE, field));
        }
    }

    private List<Object> values(Field field) throws RequestException {
        if (condition.kind(VALUES) != Kind.ARRAY) {
            throw condition.bad(VALUES, "a list is expected");
        }
        int from = condition.from(VALUES);
        int to = condition.to(VALUES);
        if ((to - from) / 2 > limits.items() && count(from, to) > limits.items()) {
            throw condition.bad(VALUES, "more than " + limits.items() + " values: values=" + count(from, to));
        }
        List<Object> values = new ArrayList<>();
        list.begin(bytes, from + 1, to);
        if (list.isNext(']')) {
            return values;
        }
        do {
            Kind kind = list.value();
            try {
                values.add(Members.value(bytes, list.from(), list.to(), kind, field));
            } catch (InvalidValueException e) {
                throw RequestException.unfit(condition.path("values") + "[" + values.size() + "]", e);
            }
        } while (list.take(','));
        return values;
    }

    /** Returns the number of items of a list that was read before. */
    private int count(int from, int to) {
        list.begin(bytes, from + 1, to);
        int count = 0;
        if (!list.isNext(']')) {
            do {
                list.value();
                count++;
            } while (list.take(','));
        }
        return count;
    }

    /**
     * Sets all of the query but its conditions.
     *
     * @throws RequestException if the value that was read is not a search
     */
    public void finish() throws RequestException {
        read.checkNames();
        query.policy(policy())
                .limit(whole(read, LIMIT, bytes, 1, limits.items(), Math.min(USUAL_LIMIT, limits.items())))
                .wildcards(read.isTrue(WILDCARDS));
        setPrecedence();
        if (!read.isAbsent(OFFERING)) {
            read.checkText(OFFERING);
            if (read.kind(OFFERING) == Kind.TEXT) {
                query.offering(bytes, read.from(OFFERING), read.to(OFFERING));
            } else {
                query.offering(read.string(OFFERING));
            }
        }
        if (!read.isAbsent(CONDITIONS) && read.kind(CONDITIONS) != Kind.ARRAY) {
            throw read.bad(CONDITIONS, "a list is expected");
        }
        if (failure != null) {
            int conditions = count(read.from(CONDITIONS), read.to(CONDITIONS));
            throw conditions <= limits.conditions()
                    ? failure
                    : RequestException.bad(
                            "", "more than " + limits.conditions() + " conditions: conditions=" + conditions);
        }
    }

    private MatchPolicy policy() throws RequestException {
        String name = read.text(POLICY);
        if (name == null) {
            return MatchPolicy.DEFAULT;
        }
        for (MatchPolicy policy : MatchPolicy.values()) {
            if (policy.name().equalsIgnoreCase(name)) {
                return policy;
            }
        }
        throw read.bad(
                POLICY,
                "no such policy: '" + RequestException.shown(name) + "'; known are "
                        + Arrays.stream(MatchPolicy.values()).map(Enum::name).collect(Collectors.joining(", ")));
    }

    private void setPrecedence() throws RequestException {
        if (read.isAbsent(PRECEDENCE)) {
            if (!isPrecedenceUsual) {
                query.precedence(usualPrecedence);
                isPrecedenceUsual = true;
            }
            return;
        }
        if (read.kind(PRECEDENCE) != Kind.ARRAY) {
            throw read.bad(PRECEDENCE, "a list is expected");
        }
        int count = count(read.from(PRECEDENCE), read.to(PRECEDENCE));
        if (count > limits.items()) {
            throw read.bad(PRECEDENCE, "more than " + limits.items() + " fields: fields=" + count);
        }
        List<String> names = new ArrayList<>(count);
        list.begin(bytes, read.from(PRECEDENCE) + 1, read.to(PRECEDENCE));
        while (names.size() < count) {
            Kind kind = list.value();
            if (!kind.isText()) {
                throw read.bad(PRECEDENCE, "a list of strings is expected");
            }
            names.add(JsonLexer.string(bytes, list.from(), list.to(), kind));
            list.take(',');
        }
        try {
            isPrecedenceUsual = false;
            query.precedence(names);
        } catch (UnknownFieldException e) {
            throw RequestException.unfit(read.path("precedence"), e);
        }
    }

    /** Returns whether the id of the search is an object or a list, which answers do not repeat. */
    public boolean isIdIgnored() {
        return read == item && item.kind(ID) != Kind.NONE && !item.kind(ID).isScalar();
    }

    /** Writes the id of the search as it was read, as the first member of an answer; returns false if it has none. */
    public boolean id(Response answer) {
        if (read != item || !item.kind(ID).isScalar()) {
            return false;
        }
        int quote = item.kind(ID).isText() ? 1 : 0;
        answer.ascii("\"id\":").put(bytes, item.from(ID) - quote, item.to(ID) + quote);
        return true;
    }
}
