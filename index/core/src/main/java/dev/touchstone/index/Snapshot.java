package dev.touchstone.index;

import dev.touchstone.index.table.Dictionary;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All of an index at one version. Immutable and thread-safe. */
final class Snapshot {
    private final long version;
    private final List<Field> fields;
    private final Codes codes;
    private final Dictionary currencies;
    private final Segment[] segments;

    /** Takes the array over. */
    Snapshot(long version, List<Field> fields, Codes codes, Dictionary currencies, Segment[] segments) {
        this.version = version;
        this.fields = fields;
        this.codes = codes;
        this.currencies = currencies;
        this.segments = segments;
    }

    /** Counts updates, from 1. */
    long version() {
        return version;
    }

    /** In the order of their ordinals. */
    List<Field> fields() {
        return fields;
    }

    /** All dictionaries but that of the currencies. */
    Codes codes() {
        return codes;
    }

    /** By field; empty for ordered ones. */
    Dictionary[] dictionaries() {
        return codes.byField;
    }

    /** The code of an offering is one more than its place among the segments. */
    Dictionary offerings() {
        return codes.offerings;
    }

    /** Of all prices. */
    Dictionary currencies() {
        return currencies;
    }

    /** One for each offering that ever had a price. */
    Segment[] segments() {
        return segments;
    }

    long prices() {
        long count = 0;
        for (Segment segment : segments) {
            count += segment.count;
        }
        return count;
    }

    /** A price with a payload that was read already. */
    Price price(Segment segment, int row, @Nullable String payload) {
        Map<String, Object> conditions = new TreeMap<>();
        for (Field field : fields) {
            int code = segment.code(row, field.ordinal());
            if (code != 0) {
                conditions.put(
                        field.name(),
                        field.type().isOrdered()
                                ? field.value(segment.distinct[field.ordinal()][code - 1])
                                : codes.byField[field.ordinal()].value(code));
            }
        }
        PriceColumns prices = segment.prices;
        return new Price(
                prices.id(row),
                segment.offering,
                conditions,
                prices.value(row),
                currencies.value(prices.currency(row)),
                segment.isDefault(row),
                payload);
    }
}
