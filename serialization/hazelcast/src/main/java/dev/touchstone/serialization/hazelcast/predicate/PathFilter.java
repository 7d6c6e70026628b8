package dev.touchstone.serialization.hazelcast.predicate;

import dev.touchstone.serialization.CompactSerialization;
import dev.touchstone.serialization.GenericView;
import dev.touchstone.serialization.RecordView;
import dev.touchstone.serialization.schema.FieldKind;
import dev.touchstone.serialization.schema.Schema;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Tests the values at the end of a path, by views of the records on the way: no object is made of them. Records inside may be of any type and
 * version; where a field is in each of their schemas is found once. For one thread.
 */
final class PathFilter implements RecordFilter {
    private final CompactSerialization serialization;
    private final Predicate<String> knownFields;
    private final FieldPath path;
    private final Condition condition;
    private final List<Map<Long, Place>> places = new ArrayList<>(); // for each step, by schema

    PathFilter(CompactSerialization serialization, Predicate<String> knownFields, FieldPath path, Condition condition) {
        this.serialization = serialization;
        this.knownFields = knownFields;
        this.path = path;
        this.condition = condition;
        path.steps().forEach(step -> places.add(new HashMap<>()));
    }

    /** A field in a schema, where the schema has it. The test is there for the last step. */
    private record Place(int field, @Nullable ValueFilter test) {
        static final Place NONE = new Place(-1, null);
    }

    /**
     * Checks that the path begins in records with a schema.
     *
     * @throws ExpressionException if the first field is unknown, or of a kind that the path or the condition cannot be applied to
     */
    void check(Schema schema) {
        place(schema, 0);
    }

    @Override
    public boolean matches(RecordView view, byte[] record) {
        return matches(serialization.view(record), 0);
    }

    private boolean matches(GenericView record, int index) {
        Place place = place(record.schema(), index);
        Object value = place.field < 0 ? null : record.value(place.field);
        if (value == null) {
            return condition.matchesNull();
        }
        FieldPath.Step step = path.steps().get(index);
        if (step.isField()) {
            return matchesItem(value, place, index);
        }
        int items = Array.getLength(value);
        if (step.isAny()) {
            for (int i = 0; i < items; i++) {
                if (matchesItem(Array.get(value, i), place, index)) {
                    return true;
                }
            }
            return items == 0 && condition.matchesNull();
        }
        return matchesItem(step.index() < items ? Array.get(value, step.index()) : null, place, index);
    }

    private boolean matchesItem(@Nullable Object item, Place place, int index) {
        if (item == null) {
            return condition.matchesNull();
        }
        ValueFilter test = place.test;
        return test == null ? matches((GenericView) item, index + 1) : test.matches(item);
    }

    private Place place(Schema schema, int index) {
        Map<Long, Place> known = places.get(index);
        Place place = known.get(schema.id());
        if (place == null) {
            place = find(schema, index);
            known.put(schema.id(), place);
        }
        return place;
    }

    private Place find(Schema schema, int index) {
        FieldPath.Step step = path.steps().get(index);
        int field = schema.indexOf(step.name());
        if (field < 0) {
            if (!knownFields.test(step.name())) {
                throw unknown(path, step.name(), schema);
            }
            return Place.NONE;
        }
        FieldKind kind = schema.field(field).kind();
        if (!step.isField() && !kind.isArray()) {
            throw unfit("items of a field that is no array", step, kind, schema);
        }
        boolean isLast = index == path.steps().size() - 1;
        FieldKind item = step.isField() ? kind : itemOf(kind);
        if (!isLast) {
            if (item != FieldKind.COMPACT) {
                throw unfit("path goes on behind a field that holds no record", step, kind, schema);
            }
            return new Place(field, null);
        }
        return new Place(field, testOf(path, condition, item, schema));
    }

    private static FieldKind itemOf(FieldKind array) {
        return FieldKind.ofId(array.id() - 1).orElseThrow();
    }

    /** Returns the test for a kind. @throws ExpressionException if the condition cannot be applied to it */
    static ValueFilter testOf(FieldPath path, Condition condition, FieldKind kind, Schema schema) {
        ValueFilter test = condition.test(kind);
        if (test == null) {
            String hint = kind.isArray() ? "; compare its items by " + path + "[any] or " + path + "[0]" : "";
            throw new ExpressionException(
                    ExpressionException.Reason.UNFIT_KIND,
                    "field cannot be compared with the constant: field=" + path + " kind=" + kind + " type="
                            + schema.typeName() + " constantType=" + condition.types() + hint,
                    null);
        }
        return test;
    }

    /** Returns the exception for a field that no schema has. */
    static ExpressionException unknown(FieldPath path, String name, Schema schema) {
        return new ExpressionException(
                ExpressionException.Reason.UNKNOWN_FIELD,
                "unknown field: field=" + path + " part=" + name + " type=" + schema.typeName()
                        + "; neither this schema nor any other that the member knows has it: check the name",
                null);
    }

    private ExpressionException unfit(String what, FieldPath.Step step, FieldKind kind, Schema schema) {
        return new ExpressionException(
                ExpressionException.Reason.UNFIT_KIND,
                what + ": field=" + path + " part=" + step.name() + " kind=" + kind + " type=" + schema.typeName(),
                null);
    }
}
