package dev.touchstone.serialization.hazelcast.predicate;

import dev.touchstone.serialization.CompactSerialization;
import dev.touchstone.serialization.RecordView;
import dev.touchstone.serialization.schema.FieldKind;
import dev.touchstone.serialization.schema.Schema;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Evaluates an expression for many records: for each schema that it meets it finds once where the fields are. For one thread. */
public final class RecordMatcher {
    private static final int SCHEMA_ID_AT = 8;

    private final Expression expression;
    private final CompactSerialization serialization;
    private final Predicate<String> knownFields;
    private final Map<Long, Plan> plans = new HashMap<>();
    private @Nullable Plan last;

    /**
     * Makes a matcher.
     *
     * @param knownFields tells whether any schema has a field with a name
     */
    public RecordMatcher(Expression expression, CompactSerialization serialization, Predicate<String> knownFields) {
        this.expression = expression;
        this.serialization = serialization;
        this.knownFields = knownFields;
    }

    /** Test for the records of one schema. */
    private record Plan(long schemaId, RecordView view, RecordFilter test) {}

    /**
     * Returns whether a record fits the expression.
     *
     * @throws dev.touchstone.serialization.exception.CompactException if it is no record, is damaged, or its schema is unknown
     * @throws ExpressionException if the expression names a field that no schema has, or a field is of a kind that it cannot be applied to
     */
    public boolean matches(byte[] record) {
        Plan plan = plan(record);
        plan.view.wrap(record);
        return plan.test.matches(plan.view, record);
    }

    private Plan plan(byte[] record) {
        if (record.length < SCHEMA_ID_AT + Long.BYTES) {
            return find(record);
        }
        long id = ByteBuffer.wrap(record).getLong(SCHEMA_ID_AT);
        Plan plan = last;
        if (plan == null || plan.schemaId != id) {
            plan = plans.get(id);
            if (plan == null) {
                plan = find(record);
            }
            last = plan;
        }
        return plan;
    }

    private Plan find(byte[] record) {
        Schema schema = serialization.view(record).schema();
        Plan plan = new Plan(schema.id(), serialization.newRecordView(schema), compile(expression, schema));
        plans.put(schema.id(), plan);
        return plan;
    }

    private RecordFilter compile(Expression node, Schema schema) {
        if (node instanceof Expression.And and) {
            RecordFilter[] parts = compile(and.parts(), schema);
            return (view, record) -> {
                for (RecordFilter part : parts) {
                    if (!part.matches(view, record)) {
                        return false;
                    }
                }
                return true;
            };
        }
        if (node instanceof Expression.Or or) {
            RecordFilter[] parts = compile(or.parts(), schema);
            return (view, record) -> {
                for (RecordFilter part : parts) {
                    if (part.matches(view, record)) {
                        return true;
                    }
                }
                return false;
            };
        }
        if (node instanceof Expression.Not not) {
            RecordFilter part = compile(not.part(), schema);
            return (view, record) -> !part.matches(view, record);
        }
        return compile((Expression.Leaf) node, schema);
    }

    private RecordFilter[] compile(List<Expression> parts, Schema schema) {
        return parts.stream().map(part -> compile(part, schema)).toArray(RecordFilter[]::new);
    }

    private RecordFilter compile(Expression.Leaf leaf, Schema schema) {
        FieldPath path = leaf.path();
        int field = schema.indexOf(path.text()); // a name may have dots
        List<FieldPath.Step> steps = path.steps();
        if (field < 0 && (steps.size() > 1 || !steps.get(0).isField())) {
            PathFilter test = new PathFilter(serialization, knownFields, path, leaf.condition());
            test.check(schema);
            return test;
        }
        boolean matchesNull = leaf.condition().matchesNull();
        if (field < 0) {
            if (!knownFields.test(path.text())) {
                throw PathFilter.unknown(path, path.text(), schema);
            }
            return (view, record) -> matchesNull;
        }
        FieldKind kind = schema.field(field).kind();
        ValueFilter test = PathFilter.testOf(path, leaf.condition(), kind, schema);
        RecordFilter values = inPlace(test, field, kind);
        boolean skipsNull = !matchesNull && test instanceof ValueFilter.Text; // which a null does not pass
        return kind.isFixed() || skipsNull
                ? values
                : (view, record) -> view.isNull(field) ? matchesNull : values.matches(view, record);
    }

    /** Returns the test of a field that is not null. */
    private RecordFilter inPlace(ValueFilter test, int field, FieldKind kind) {
        if (test instanceof ValueFilter.Never) {
            return (view, record) -> false; // whether the field is null is all that matters: no array is read for it
        }
        if (test instanceof ValueFilter.Text text) {
            return (view, record) -> text.matches(view, field);
        }
        if (test instanceof ValueFilter.Longs longs) {
            return integers(longs, field, kind);
        }
        if (test instanceof ValueFilter.Doubles doubles) {
            return kind.isReadableAs(FieldKind.FLOAT32)
                    ? (view, record) -> doubles.matches(view.readFloat32(field))
                    : (view, record) -> doubles.matches(view.readFloat64(field));
        }
        return switch (kind) {
            case BOOLEAN -> (view, record) -> test.matches(view.readBoolean(field));
            case STRING ->
                (view, record) -> {
                    String value = view.readString(field);
                    return value != null && test.matches(value);
                };
            default ->
                (view, record) -> {
                    Object value = serialization.view(record).value(field);
                    return value != null && test.matches(value);
                };
        };
    }

    private static RecordFilter integers(ValueFilter.Longs longs, int field, FieldKind kind) {
        return switch (kind) {
            case INT8, NULLABLE_INT8 -> (view, record) -> longs.matches(view.readInt8(field));
            case INT16, NULLABLE_INT16 -> (view, record) -> longs.matches(view.readInt16(field));
            case INT32, NULLABLE_INT32 -> (view, record) -> longs.matches(view.readInt32(field));
            default -> (view, record) -> longs.matches(view.readInt64(field));
        };
    }
}
