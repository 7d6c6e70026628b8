package dev.touchstone.index;

import dev.touchstone.index.table.Bits;
import dev.touchstone.index.table.RowLayout;
import dev.touchstone.index.table.TextBuilder;
import dev.touchstone.index.table.TextColumn;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The prices of one offering while they are collected or changed, as growing columns. Not thread-safe. */
final class SegmentDraft {
    final String offering;
    private final List<Field> fields;
    private final @Nullable Segment base; // the segment that this draft began with
    private final int[][] codes; // by field and row: code of a string, or 1 for an ordered value; 0 for no value
    private final long[][] numbers; // by field and row; empty for strings
    private long[] uuids = new long[16];
    private @Nullable String[] ids; // ids that are not UUIDs, by row; null for a UUID; empty until there is one
    private long[] values = new long[8];
    private byte[] scales = new byte[8];
    private int[] currencies = new int[8];
    private boolean[] defaults = new boolean[8];
    private @Nullable String[] payloads; // by row; empty until there is one
    private int count;
    private int capacity = 8;

    SegmentDraft(String offering, List<Field> fields) {
        this(offering, fields, null);
    }

    private SegmentDraft(String offering, List<Field> fields, @Nullable Segment base) {
        this.offering = offering;
        this.fields = fields;
        this.base = base;
        codes = new int[fields.size()][capacity];
        numbers = new long[fields.size()][];
        for (Field field : fields) {
            numbers[field.ordinal()] = new long[field.type().isOrdered() ? capacity : 0];
        }
        ids = new String[0];
        payloads = new String[0];
    }

    /** Returns a draft that begins with the prices of a segment. */
    static SegmentDraft of(Segment segment, List<Field> fields) {
        SegmentDraft draft = new SegmentDraft(segment.offering, fields, segment);
        draft.grow(segment.count);
        draft.count = segment.count;
        for (Field field : fields) {
            int at = field.ordinal();
            long[] distinct = segment.distinct[at];
            for (int row = 0; row < segment.count; row++) {
                int code = segment.code(row, at);
                if (code != 0 && field.type().isOrdered()) {
                    draft.numbers[at][row] = distinct[code - 1];
                    code = 1;
                }
                draft.codes[at][row] = code;
            }
        }
        PriceColumns prices = segment.prices;
        for (int row = 0; row < segment.count; row++) {
            if (prices.hasUuids()) {
                draft.uuids[2 * row] = prices.idHigh(row);
                draft.uuids[2 * row + 1] = prices.idLow(row);
            } else {
                draft.putId(row, prices.id(row));
            }
            draft.values[row] = prices.unscaled(row);
            draft.scales[row] = (byte) prices.scale(row);
            draft.currencies[row] = prices.currency(row);
            draft.defaults[row] = segment.isDefault(row);
            if (prices.payloads() != null) {
                draft.putPayload(row, prices.payload(row));
            }
        }
        return draft;
    }

    int count() {
        return count;
    }

    /** Returns the code of a string in a row, or 0. */
    int code(int row, int field) {
        return codes[field][row];
    }

    int currency(int row) {
        return currencies[row];
    }

    /** Returns the row of an id, or -1 if there is none. Takes time in proportion to the number of rows. */
    int find(String id) {
        boolean isUuid = PriceColumns.isUuid(id);
        UUID uuid = isUuid ? UUID.fromString(id) : new UUID(0, 0);
        for (int row = 0; row < count; row++) {
            String text = text(row);
            boolean isSame = text != null
                    ? text.equals(id)
                    : isUuid
                            && uuids[2 * row + 1] == uuid.getLeastSignificantBits()
                            && uuids[2 * row] == uuid.getMostSignificantBits();
            if (isSame) {
                return row;
            }
        }
        return -1;
    }

    private @Nullable String text(int row) {
        return row < ids.length ? ids[row] : null;
    }

    /**
     * Adds a price, or replaces that of a row. The arrays have an entry for each field.
     *
     * @throws InvalidValueException if the id or the payload cannot be encoded in UTF-8
     */
    void put(int row, Price price, int[] codesOfFields, long[] numbersOfFields, int currency) {
        Fields.requireText(price.id(), "id");
        Fields.requireText(price.payload() == null ? "" : price.payload(), "payload");
        if (row == count) {
            if (count == capacity) {
                grow(count + (count >> 1) + 8);
            }
            count++;
        }
        for (int at = 0; at < codes.length; at++) {
            codes[at][row] = codesOfFields[at];
            if (numbers[at].length > 0) {
                numbers[at][row] = numbersOfFields[at];
            }
        }
        putId(row, price.id());
        values[row] = price.value().unscaledValue().longValueExact();
        scales[row] = (byte) price.value().scale();
        currencies[row] = currency;
        defaults[row] = price.isDefault();
        putPayload(row, price.payload());
    }

    private void putId(int row, String id) {
        if (PriceColumns.isUuid(id)) {
            UUID uuid = UUID.fromString(id);
            uuids[2 * row] = uuid.getMostSignificantBits();
            uuids[2 * row + 1] = uuid.getLeastSignificantBits();
            if (row < ids.length) {
                ids[row] = null;
            }
        } else {
            ids = row < ids.length ? ids : Arrays.copyOf(ids, capacity);
            ids[row] = id;
        }
    }

    private void putPayload(int row, @Nullable String payload) {
        if (payload != null && row >= payloads.length) {
            payloads = Arrays.copyOf(payloads, capacity);
        }
        if (row < payloads.length) {
            payloads[row] = payload;
        }
    }

    private void grow(int atLeast) {
        capacity = Math.max(atLeast, capacity);
        for (int at = 0; at < codes.length; at++) {
            codes[at] = Arrays.copyOf(codes[at], capacity);
            if (fields.get(at).type().isOrdered()) {
                numbers[at] = Arrays.copyOf(numbers[at], capacity);
            }
        }
        uuids = Arrays.copyOf(uuids, Math.multiplyExact(2, capacity));
        values = Arrays.copyOf(values, capacity);
        scales = Arrays.copyOf(scales, capacity);
        currencies = Arrays.copyOf(currencies, capacity);
        defaults = Arrays.copyOf(defaults, capacity);
        ids = ids.length == 0 ? ids : Arrays.copyOf(ids, capacity);
        payloads = payloads.length == 0 ? payloads : Arrays.copyOf(payloads, capacity);
    }

    /** Removes rows. The rows behind them move up in order. */
    void remove(boolean[] isRemoved) {
        int kept = 0;
        for (int row = 0; row < count; row++) {
            if (row < isRemoved.length && isRemoved[row]) {
                continue;
            }
            for (int at = 0; at < codes.length; at++) {
                codes[at][kept] = codes[at][row];
                if (numbers[at].length > 0) {
                    numbers[at][kept] = numbers[at][row];
                }
            }
            uuids[2 * kept] = uuids[2 * row];
            uuids[2 * kept + 1] = uuids[2 * row + 1];
            values[kept] = values[row];
            scales[kept] = scales[row];
            currencies[kept] = currencies[row];
            defaults[kept] = defaults[row];
            if (ids.length > 0) {
                ids[kept] = ids[row];
            }
            if (payloads.length > 0) {
                payloads[kept] = payloads[row];
            }
            kept++;
        }
        count = kept;
    }

    /**
     * Builds the segment, without its indexes; or with those of the segment that this draft began with, if no conditions have changed.
     *
     * @param layouts layouts in use, by themselves: equal layouts are shared, so that they stay in the nearest cache
     * @throws InvalidValueException if two prices have the same id
     */
    Segment build(Map<RowLayout, RowLayout> layouts) {
        if (!hasIdsOfBase()) {
            refuseEqualIds();
        }
        int[] highest = new int[codes.length];
        long[][] distinct = new long[codes.length][];
        for (Field field : fields) {
            int at = field.ordinal();
            distinct[at] = field.type().isOrdered() ? distinct(at) : new long[0];
            highest[at] = field.type().isOrdered() ? distinct[at].length : highest(codes[at]);
        }
        RowLayout layout = layouts.computeIfAbsent(new RowLayout(highest), Function.identity());
        long[] rows = new long[Math.multiplyExact(count, layout.words())];
        for (Field field : fields) {
            int at = field.ordinal();
            for (int row = 0; row < count; row++) {
                int code = codes[at][row];
                if (code != 0 && field.type().isOrdered()) {
                    code = Arrays.binarySearch(distinct[at], numbers[at][row]) + 1;
                }
                layout.put(rows, row, at, code);
            }
        }
        return base != null && base.hasRows(layout, rows, distinct)
                ? new Segment(base, defaultRows(), columns())
                : new Segment(offering, count, layout, rows, distinct, defaultRows(), columns());
    }

    /** Returns whether all ids are UUIDs and are the same as those of the segment that this draft began with. */
    private boolean hasIdsOfBase() {
        LongBuffer known = base == null ? null : base.prices.uuids();
        boolean areUuids = true;
        for (int row = 0; row < ids.length && areUuids; row++) {
            areUuids = ids[row] == null;
        }
        return known != null
                && areUuids
                && known.limit() == 2 * count
                && known.duplicate().rewind().equals(LongBuffer.wrap(uuids, 0, 2 * count));
    }

    private int highest(int[] column) {
        int highest = 0;
        for (int row = 0; row < count; row++) {
            highest = Math.max(highest, column[row]);
        }
        return highest;
    }

    private long[] distinct(int field) {
        long[] present = new long[count];
        int used = 0;
        for (int row = 0; row < count; row++) {
            if (codes[field][row] != 0) {
                present[used++] = numbers[field][row];
            }
        }
        return Arrays.stream(present, 0, used).sorted().distinct().toArray();
    }

    private long[] defaultRows() {
        long[] bits = new long[Bits.words(count)];
        boolean isAny = false;
        for (int row = 0; row < count; row++) {
            if (defaults[row]) {
                bits[row >>> 6] |= 1L << row;
                isAny = true;
            }
        }
        return isAny ? bits : new long[0];
    }

    private PriceColumns columns() {
        boolean hasTexts = false;
        for (int row = 0; row < count; row++) {
            hasTexts |= text(row) != null;
        }
        boolean isOneScale = true;
        boolean isOneCurrency = true;
        for (int row = 1; row < count; row++) {
            isOneScale &= scales[row] == scales[0];
            isOneCurrency &= currencies[row] == currencies[0];
        }
        return new PriceColumns(
                hasTexts ? null : LongBuffer.wrap(Arrays.copyOf(uuids, 2 * count)),
                hasTexts ? idTexts() : null,
                LongBuffer.wrap(Arrays.copyOf(values, count)),
                ByteBuffer.wrap(Arrays.copyOf(scales, isOneScale ? 1 : count)),
                IntBuffer.wrap(Arrays.copyOf(currencies, isOneCurrency ? 1 : count)),
                payloads.length > 0 ? payloadTexts() : null);
    }

    String id(int row) {
        String text = text(row);
        return text != null ? text : new UUID(uuids[2 * row], uuids[2 * row + 1]).toString();
    }

    private TextColumn idTexts() {
        TextBuilder texts = new TextBuilder();
        for (int row = 0; row < count; row++) {
            texts.add(id(row));
        }
        return texts.build();
    }

    private TextColumn payloadTexts() {
        TextBuilder texts = new TextBuilder();
        for (int row = 0; row < count; row++) {
            String payload = row < payloads.length ? payloads[row] : null;
            texts.add(payload == null ? "" : payload);
        }
        return texts.build();
    }

    private void refuseEqualIds() {
        Set<Object> seen = new HashSet<>(count * 2);
        for (int row = 0; row < count; row++) {
            String text = text(row);
            if (!seen.add(text != null ? text : new UUID(uuids[2 * row], uuids[2 * row + 1]))) {
                throw new InvalidValueException(
                        "id is there twice: offering=" + FieldType.shown(offering) + " id=" + FieldType.shown(id(row)));
            }
        }
    }
}
