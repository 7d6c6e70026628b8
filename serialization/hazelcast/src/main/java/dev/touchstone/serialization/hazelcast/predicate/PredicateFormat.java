package dev.touchstone.serialization.hazelcast.predicate;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The form of an expression on the wire. Depth, number of nodes and lengths are checked before anything is allocated for them.
 *
 * <pre>
 *   predicate    version: int8 = 1 | expression
 *
 *   expression   number: int8, then
 *     1  and      count: int32 | expressions
 *     2  or       count: int32 | expressions
 *     3  not      expression
 *     4  one of   path: string | count: int32 | constants
 *     5  range    path: string | bounds: int8 | lower constant, if any | upper constant, if any
 *     6  like     path: string | pattern: string | ignores case: int8
 *
 *   bounds       1 has a lower | 2 which is included | 4 has an upper | 8 which is included
 *
 *   constant     number: int8, then
 *     0  null
 *     1  boolean    int8
 *     2  integer    int64
 *     3  number     float64
 *     4  decimal    length: int32 | unscaled value, two's complement | scale: int32
 *     5  string     string
 *     6  time       nanoseconds of the day: int64
 *     7  date       days since 1970-01-01: int64
 *     8  timestamp  date | time
 *     9  timestamp with offset   date | time | seconds: int32
 *
 *   string       length in bytes: int32 | UTF-8
 * </pre>
 *
 * <p>All numbers are in the byte order of the cluster, big-endian as a rule.
 */
public final class PredicateFormat {
    static final byte VERSION = 1;

    private static final byte AND = 1;
    private static final byte OR = 2;
    private static final byte NOT = 3;
    private static final byte ONE_OF = 4;
    private static final byte RANGE = 5;
    private static final byte LIKE = 6;

    private static final int HAS_FROM = 1;
    private static final int FROM_INCLUDED = 2;
    private static final int HAS_TO = 4;
    private static final int TO_INCLUDED = 8;

    private static final byte NULL = 0;
    private static final byte BOOLEAN = 1;
    private static final byte INTEGER = 2;
    private static final byte NUMBER = 3;
    private static final byte DECIMAL = 4;
    private static final byte STRING = 5;
    private static final byte TIME = 6;
    private static final byte DATE = 7;
    private static final byte TIMESTAMP = 8;
    private static final byte TIMESTAMP_WITH_OFFSET = 9;

    private PredicateFormat() {}

    /** Writes an expression. */
    public static void write(Expression expression, ObjectDataOutput out) throws IOException {
        out.writeByte(VERSION);
        writeNode(expression, out);
    }

    private static void writeNode(Expression node, ObjectDataOutput out) throws IOException {
        if (node instanceof Expression.And and) {
            writeNodes(AND, and.parts(), out);
        } else if (node instanceof Expression.Or or) {
            writeNodes(OR, or.parts(), out);
        } else if (node instanceof Expression.Not not) {
            out.writeByte(NOT);
            writeNode(not.part(), out);
        } else {
            writeLeaf((Expression.Leaf) node, out);
        }
    }

    private static void writeNodes(byte number, List<Expression> nodes, ObjectDataOutput out) throws IOException {
        out.writeByte(number);
        out.writeInt(nodes.size());
        for (Expression node : nodes) {
            writeNode(node, out);
        }
    }

    private static void writeLeaf(Expression.Leaf leaf, ObjectDataOutput out) throws IOException {
        String path = leaf.path().text();
        if (leaf.condition() instanceof Condition.OneOf oneOf) {
            out.writeByte(ONE_OF);
            out.writeString(path);
            out.writeInt(oneOf.constants().size());
            for (Constant constant : oneOf.constants()) {
                writeConstant(constant, out);
            }
        } else if (leaf.condition() instanceof Condition.Range range) {
            Constant from = range.from();
            Constant to = range.to();
            out.writeByte(RANGE);
            out.writeString(path);
            out.writeByte((from == null ? 0 : HAS_FROM)
                    | (range.isFromIncluded() ? FROM_INCLUDED : 0)
                    | (to == null ? 0 : HAS_TO)
                    | (range.isToIncluded() ? TO_INCLUDED : 0));
            if (from != null) {
                writeConstant(from, out);
            }
            if (to != null) {
                writeConstant(to, out);
            }
        } else {
            Condition.Like like = (Condition.Like) leaf.condition();
            out.writeByte(LIKE);
            out.writeString(path);
            out.writeString(like.pattern());
            out.writeBoolean(like.ignoresCase());
        }
    }

    private static void writeConstant(@Nullable Constant constant, ObjectDataOutput out) throws IOException {
        Object value = constant == null ? null : constant.value();
        if (value == null) {
            out.writeByte(NULL);
        } else if (value instanceof Boolean flag) {
            out.writeByte(BOOLEAN);
            out.writeBoolean(flag);
        } else if (value instanceof Long integer) {
            out.writeByte(INTEGER);
            out.writeLong(integer);
        } else if (value instanceof Double number) {
            out.writeByte(NUMBER);
            out.writeDouble(number);
        } else if (value instanceof BigDecimal decimal) {
            byte[] unscaled = decimal.unscaledValue().toByteArray();
            out.writeByte(DECIMAL);
            out.writeInt(unscaled.length);
            out.write(unscaled);
            out.writeInt(decimal.scale());
        } else if (value instanceof String string) {
            out.writeByte(STRING);
            out.writeString(string);
        } else if (value instanceof LocalTime time) {
            out.writeByte(TIME);
            out.writeLong(time.toNanoOfDay());
        } else if (value instanceof LocalDate date) {
            out.writeByte(DATE);
            out.writeLong(date.toEpochDay());
        } else if (value instanceof LocalDateTime timestamp) {
            out.writeByte(TIMESTAMP);
            writeTimestamp(timestamp, out);
        } else {
            OffsetDateTime timestamp = (OffsetDateTime) value;
            out.writeByte(TIMESTAMP_WITH_OFFSET);
            writeTimestamp(timestamp.toLocalDateTime(), out);
            out.writeInt(timestamp.getOffset().getTotalSeconds());
        }
    }

    private static void writeTimestamp(LocalDateTime timestamp, ObjectDataOutput out) throws IOException {
        out.writeLong(timestamp.toLocalDate().toEpochDay());
        out.writeLong(timestamp.toLocalTime().toNanoOfDay());
    }

    /** Reads an expression. @throws ExpressionException if it is of another version, damaged, or beyond a limit */
    public static Expression read(ObjectDataInput in) {
        try {
            byte version = in.readByte();
            if (version != VERSION) {
                throw ExpressionException.unreadable("unknown version of a predicate: version=" + version + " expected="
                        + VERSION + "; the members must have the newer release of serialization-hazelcast");
            }
            return new Reader(in).node(0);
        } catch (IOException | IllegalArgumentException | IndexOutOfBoundsException | DateTimeException e) {
            throw new ExpressionException(
                    ExpressionException.Reason.UNREADABLE, "predicate cannot be read: " + e.getMessage(), e);
        }
    }

    /** Reads one predicate. */
    private static final class Reader {
        private final ObjectDataInput in;
        private int nodes;

        Reader(ObjectDataInput in) {
            this.in = in;
        }

        Expression node(int depth) throws IOException {
            if (depth == Expression.MAX_DEPTH) {
                throw ExpressionException.unreadable("predicate is too deep: max=" + Expression.MAX_DEPTH);
            }
            count();
            byte number = in.readByte();
            return switch (number) {
                case AND -> Expression.and(nodes(depth));
                case OR -> Expression.or(nodes(depth));
                case NOT -> Expression.not(node(depth + 1));
                case ONE_OF -> new Expression.Leaf(path(), new Condition.OneOf(constants()));
                case RANGE -> range();
                case LIKE -> new Expression.Leaf(path(), new Condition.Like(string(), in.readBoolean()));
                default -> throw ExpressionException.unreadable("unknown expression: number=" + number);
            };
        }

        private void count() {
            if (++nodes > Expression.MAX_NODES) {
                throw ExpressionException.unreadable("predicate is too large: max=" + Expression.MAX_NODES);
            }
        }

        /** Reads a count; items are counted as they come, so that nothing is allocated for those that do not. */
        private int items() throws IOException {
            int items = in.readInt();
            if (items < 0) {
                throw ExpressionException.unreadable("count is negative: count=" + items);
            }
            return items;
        }

        private List<Expression> nodes(int depth) throws IOException {
            int items = items();
            List<Expression> parts = new ArrayList<>();
            for (int i = 0; i < items; i++) {
                parts.add(node(depth + 1));
            }
            return List.copyOf(parts);
        }

        private List<@Nullable Constant> constants() throws IOException {
            int items = items();
            List<@Nullable Constant> constants = new ArrayList<>();
            for (int i = 0; i < items; i++) {
                count();
                constants.add(constant());
            }
            return Collections.unmodifiableList(constants);
        }

        private Expression range() throws IOException {
            FieldPath path = path();
            int bounds = in.readByte();
            if (bounds < 0 || bounds > 15 || (bounds & (HAS_FROM | HAS_TO)) == 0) {
                throw ExpressionException.unreadable("range without bounds: bounds=" + bounds);
            }
            Constant from = (bounds & HAS_FROM) == 0 ? null : bound();
            Constant to = (bounds & HAS_TO) == 0 ? null : bound();
            return new Expression.Leaf(
                    path, new Condition.Range(from, (bounds & FROM_INCLUDED) != 0, to, (bounds & TO_INCLUDED) != 0));
        }

        private Constant bound() throws IOException {
            Constant bound = constant();
            if (bound == null) {
                throw ExpressionException.unreadable("null is no bound of a range");
            }
            return bound;
        }

        private @Nullable Constant constant() throws IOException {
            byte number = in.readByte();
            return switch (number) {
                case NULL -> null;
                case BOOLEAN -> new Constant(in.readBoolean());
                case INTEGER -> new Constant(in.readLong());
                case NUMBER -> new Constant(in.readDouble());
                case DECIMAL -> new Constant(decimal());
                case STRING -> new Constant(string());
                case TIME -> new Constant(time());
                case DATE -> new Constant(date());
                case TIMESTAMP -> new Constant(timestamp());
                case TIMESTAMP_WITH_OFFSET ->
                    new Constant(OffsetDateTime.of(timestamp(), ZoneOffset.ofTotalSeconds(in.readInt())));
                default -> throw ExpressionException.unreadable("unknown constant: number=" + number);
            };
        }

        private BigDecimal decimal() throws IOException {
            int length = in.readInt();
            if (length < 1 || length > Constant.MAX_DECIMAL_BYTES) {
                throw ExpressionException.unreadable(
                        "length of a decimal: length=" + length + " max=" + Constant.MAX_DECIMAL_BYTES);
            }
            byte[] unscaled = new byte[length];
            in.readFully(unscaled);
            return new BigDecimal(new BigInteger(unscaled), in.readInt());
        }

        private LocalTime time() throws IOException {
            return LocalTime.ofNanoOfDay(in.readLong());
        }

        private LocalDate date() throws IOException {
            return LocalDate.ofEpochDay(in.readLong());
        }

        private LocalDateTime timestamp() throws IOException {
            return LocalDateTime.of(date(), time());
        }

        private FieldPath path() throws IOException {
            return FieldPath.of(string());
        }

        private String string() throws IOException {
            String value = in.readString();
            if (value == null) {
                throw ExpressionException.unreadable("null in place of a string");
            }
            return value;
        }
    }
}
