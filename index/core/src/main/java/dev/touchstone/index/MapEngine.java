package dev.touchstone.index;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The engine of {@link EngineType#MAP} and {@link EngineType#MAP_OPTIMIZED}: a list of the prices of each offering, with conditions as objects, which
 * is scanned completely.
 */
final class MapEngine implements Engine {
    private final Map<String, Listed> byOffering = new HashMap<>();
    private final Listed[] all;
    private final boolean stopsEarly;
    private final long allFields;

    /**
     * The prices of one offering.
     *
     * @param isDistinct whether no two prices have the same conditions, so that a query that names all fields has at most one match
     */
    private record Listed(int number, List<Conditions> prices, boolean isDistinct) {}

    /** The conditions of one price. */
    private static final class Conditions {
        private final @Nullable Object[] values; // by field: a string or a number; null for no value
        private final int ordinal;
        private final boolean isDefault;

        Conditions(@Nullable Object[] values, int ordinal, boolean isDefault) {
            this.values = values;
            this.ordinal = ordinal;
            this.isDefault = isDefault;
        }
    }

    MapEngine(Snapshot snapshot, boolean stopsEarly) {
        this.stopsEarly = stopsEarly;
        allFields = (1L << snapshot.fields().size()) - 1;
        Segment[] segments = snapshot.segments();
        all = new Listed[segments.length];
        for (int number = 0; number < segments.length; number++) {
            Segment segment = segments[number];
            List<Conditions> prices = new ArrayList<>(segment.total());
            segment.forEach((block, row, ordinal) -> prices.add(conditions(snapshot, block, row, ordinal)));
            boolean isDistinct = segment.others == null;
            for (int row = 0; row < segment.count && isDistinct; row++) {
                isDistinct = segment.keys.next(row) < 0;
            }
            all[number] = new Listed(number, prices, isDistinct);
            if (segment.count > 0) {
                byOffering.put(segment.offering, all[number]);
            }
        }
    }

    private static Conditions conditions(Snapshot snapshot, Segment segment, int row, int ordinal) {
        @Nullable Object[] values = new Object[snapshot.fields().size()];
        for (Field field : snapshot.fields()) {
            int at = field.ordinal();
            int code = segment.code(row, at);
            if (code != 0) {
                values[at] = field.type().isOrdered()
                        ? (Object) segment.distinct[at][code - 1]
                        : snapshot.dictionaries()[at].value(code);
            }
        }
        return new Conditions(values, ordinal, segment.isDefault(row));
    }

    @Override
    public void search(PriceQuery query, Matches matches) {
        Object[] wanted = query.operands();
        for (int i = 0; i < wanted.length; i++) {
            wanted[i] = wanted[i] instanceof String text ? copy(text) : wanted[i];
        }
        String offering = query.offeringText();
        if (offering != null) {
            Listed listed = byOffering.get(offering);
            if (listed != null) {
                search(query.compiled, wanted, listed, matches);
            }
            return;
        }
        for (Listed listed : all) {
            search(query.compiled, wanted, listed, matches);
        }
    }

    /** Returns a copy of a string, as if the string came from a request: the scan must compare characters, and not find the same object. */
    @SuppressWarnings("StringCopy")
    private static String copy(String text) {
        return new String(text);
    }

    private void search(CompiledQuery query, Object[] wanted, Listed listed, Matches matches) {
        boolean isFirstEnough = stopsEarly && !query.hasWildcards && query.keyFields == allFields && listed.isDistinct;
        List<Conditions> prices = listed.prices;
        for (int i = 0; i < prices.size() && !matches.isEnough(); i++) {
            Conditions price = prices.get(i);
            if (holds(query, wanted, price)) {
                matches.add(Matches.first(listed.number), price.ordinal, price.isDefault);
                if (isFirstEnough) {
                    return;
                }
            }
        }
    }

    private static boolean holds(CompiledQuery query, Object[] wanted, Conditions price) {
        for (int i = 0; i < query.size; i++) {
            Object value = price.values[query.field[i]];
            boolean isNegative = query.operator[i].isNegative;
            if (value == null
                    ? !isNegative && !query.hasWildcards
                    : isNegative == matches(query, i, wanted[i], value)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns whether a value is the one, or among those, or in the range, that a condition names. For a negative condition, the opposite condition
     * is tested.
     */
    private static boolean matches(CompiledQuery query, int condition, Object wanted, Object value) {
        if (value instanceof Long number) {
            return wanted instanceof long[] numbers
                    ? Arrays.binarySearch(numbers, number) >= 0
                    : query.low[condition] <= number && number <= query.high[condition];
        }
        if (wanted instanceof String[] strings) {
            for (String string : strings) {
                if (value.equals(string)) {
                    return true;
                }
            }
            return false;
        }
        return value.equals(wanted);
    }

    @Override
    public Plan plan(PriceQuery query, Segment segment) {
        return Plan.SCAN;
    }
}
