package dev.touchstone.harness.file;

import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Walks a freshly read record and refuses what a JSON binder lets through: absent components, null elements, numbers that are not finite. */
final class RecordChecks {
    private final Set<String> nullable;

    private RecordChecks(Set<String> nullable) {
        this.nullable = nullable;
    }

    static void check(Record value, Set<String> nullable) throws JsonProblem {
        new RecordChecks(nullable).record("", value);
    }

    private void record(String path, Record value) throws JsonProblem {
        Class<?> type = value.getClass();
        for (RecordComponent component : type.getRecordComponents()) {
            Object part = part(value, component);
            String at = path.isEmpty() ? component.getName() : path + "." + component.getName();
            if (part == null && nullable.contains(type.getSimpleName() + "." + component.getName())) {
                continue;
            }
            value(at, part);
        }
    }

    private void value(String path, @Nullable Object value) throws JsonProblem {
        if (value == null) {
            throw new JsonProblem(path + ": expected a value, got none");
        } else if (value instanceof Record inner) {
            record(path, inner);
        } else if (value instanceof List<?> list) {
            for (int i = 0; i < list.size(); i++) {
                value(path + "[" + i + "]", list.get(i));
            }
        } else if (value instanceof Map<?, ?> map) {
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                value(path + "." + entry.getKey(), entry.getValue());
            }
        } else if (value instanceof Double number && !Double.isFinite(number)) {
            throw new JsonProblem(path + ": expected a finite number, got " + number);
        }
    }

    private static @Nullable Object part(Record value, RecordComponent component) {
        try {
            return component.getAccessor().invoke(value);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot read component " + component, e);
        }
    }
}
