package dev.touchstone.index.engine;

import dev.touchstone.index.Field;
import dev.touchstone.index.InvalidValueException;
import dev.touchstone.index.Price;
import dev.touchstone.index.table.Bits;
import dev.touchstone.index.table.IdTable;
import dev.touchstone.index.table.RowLayout;
import dev.touchstone.index.table.SharedParts;
import dev.touchstone.index.table.TextBuilder;
import dev.touchstone.index.table.TextColumn;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The prices of one offering while they are collected or changed, as growing columns. Not thread-safe. */
public final class SegmentBuilder {
    private static final long[] NO_LONGS = {};

    /** Columns of the blocks in which all prices have one scale or one currency, by scale and by code, so that small blocks share them. */
    private static final List<ByteBuffer> SCALES = IntStream.rangeClosed(0, Field.MAX_SCALE)
            .mapToObj(scale -> ByteBuffer.wrap(new byte[] {(byte) scale}))
            .toList();

    private static final List<IntBuffer> CURRENCIES = IntStream.rangeClosed(0, 64)
            .mapToObj(code -> IntBuffer.wrap(new int[] {code}))
            .toList();

    final String offering;
    private final List<Field> fields;
    private final int[][] codes; // by field and row: code of a string, or 1 for an ordered value; 0 for no value
    private final long[][] numbers; // by field and row; empty for strings
    private long[] uuids = new long[2];
    private @Nullable String[] ids; // ids that are not UUIDs, by row; null for a UUID; empty until there is one
    private long[] values = new long[1];
    private byte[] scales = new byte[1];
    private int[] currencies = new int[1];
    private boolean[] defaults = new boolean[1];
    private @Nullable String[] payloads; // by row; empty until there is one
    private int count;
    private int capacity = 1; // there may be millions of offerings of one price

    SegmentBuilder(String offering, List<Field> fields) {
        this.offering = offering;
        this.fields = fields;
        codes = new int[fields.size()][capacity];
        numbers = new long[fields.size()][];
        for (Field field : fields) {
            numbers[field.ordinal()] = new long[field.type().isOrdered() ? capacity : 0];
        }
        ids = new String[0];
        payloads = new String[0];
    }

    /** Adds the prices of a block. */
    public void add(Segment block) {
        add(block, 0, block.count);
    }

    /** Adds the prices of some rows of a block. */
    void add(Segment block, int from, int to) {
        int[] live = IntStream.range(from, to).filter(row -> !block.isDead(row)).toArray();
        int first = count;
        count = Math.addExact(count, live.length);
        if (count > capacity) {
            grow(count);
        }
        for (Field field : fields) {
            int at = field.ordinal();
            long[] distinct = block.distinct[at];
            for (int i = 0; i < live.length; i++) {
                int code = block.code(live[i], at);
                if (code != 0 && field.type().isOrdered()) {
                    numbers[at][first + i] = distinct[code - 1];
                    code = 1;
                }
                codes[at][first + i] = code;
            }
        }
        PriceColumns prices = block.prices;
        for (int i = 0; i < live.length; i++) {
            int row = live[i];
            if (prices.hasUuids()) {
                uuids[2 * (first + i)] = prices.idHigh(row);
                uuids[2 * (first + i) + 1] = prices.idLow(row);
            } else {
                putId(first + i, prices.id(row));
            }
            values[first + i] = prices.unscaled(row);
            scales[first + i] = (byte) prices.scale(row);
            currencies[first + i] = prices.currency(row);
            defaults[first + i] = block.isDefault(row);
            if (prices.payloads() != null) {
                putPayload(first + i, prices.payload(row));
            }
        }
    }

    /** Adds the prices of another draft. */
    public void add(SegmentBuilder other) {
        int first = count;
        count = Math.addExact(count, other.count);
        if (count > capacity) {
            grow(count);
        }
        for (int at = 0; at < codes.length; at++) {
            System.arraycopy(other.codes[at], 0, codes[at], first, other.count);
            if (numbers[at].length > 0) {
                System.arraycopy(other.numbers[at], 0, numbers[at], first, other.count);
            }
        }
        System.arraycopy(other.values, 0, values, first, other.count);
        System.arraycopy(other.scales, 0, scales, first, other.count);
        System.arraycopy(other.currencies, 0, currencies, first, other.count);
        System.arraycopy(other.defaults, 0, defaults, first, other.count);
        for (int row = 0; row < other.count; row++) {
            putId(first + row, other.id(row));
            putPayload(first + row, row < other.payloads.length ? other.payloads[row] : null);
        }
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

    /** Returns whether a row has all that a price has but the value. */
    boolean isSameButValue(int row, Price price, int[] codesOfFields, long[] numbersOfFields, int currency) {
        for (int at = 0; at < codes.length; at++) {
            if (codes[at][row] != codesOfFields[at]
                    || (codes[at][row] != 0 && numbers[at].length > 0 && numbers[at][row] != numbersOfFields[at])) {
                return false;
            }
        }
        return price.value().scale() == scales[row]
                && currencies[row] == currency
                && defaults[row] == price.isDefault()
                && Objects.equals(price.payload(), row < payloads.length ? payloads[row] : null);
    }

    void putValue(int row, Price price) {
        values[row] = price.value().unscaledValue().longValueExact();
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
        InvalidValueException.requireText(price.id(), "id");
        InvalidValueException.requireText(price.payload() == null ? "" : price.payload(), "payload");
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
        putValue(row, price);
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

    /** Checks that no two rows have the same id. */
    void requireDistinctIds() {
        int repeated = IdTable.repeated(count, this::idHash, this::isSameId);
        if (repeated != IdTable.NONE) {
            throw new InvalidValueException("id is there twice: offering=" + InvalidValueException.shown(offering)
                    + " id=" + InvalidValueException.shown(id(repeated)));
        }
    }

    private long idHash(int row) {
        String text = text(row);
        return text != null ? IdTable.hash(text) : IdTable.hash(uuids[2 * row], uuids[2 * row + 1]);
    }

    private boolean isSameId(int row, int other) {
        String text = text(row);
        return text != null
                ? text.equals(text(other))
                : text(other) == null
                        && uuids[2 * row] == uuids[2 * other]
                        && uuids[2 * row + 1] == uuids[2 * other + 1];
    }

    /**
     * Builds blocks of at most some rows each, with their indexes.
     *
     * @param parts parts of other blocks, which the blocks share
     */
    List<Segment> build(int maxRows, SharedParts parts) {
        List<Segment> blocks = new ArrayList<>();
        int number = Math.max(1, (int) ((count + maxRows - 1L) / maxRows));
        for (int part = 0; part < number; part++) {
            int from = (int) ((long) count * part / number);
            int to = (int) ((long) count * (part + 1) / number);
            Segment block = build(from, to, parts, true);
            fields.forEach(field -> block.index(field, parts));
            blocks.add(block);
        }
        return blocks;
    }

    /** Returns one block, without indexes, of the prices of an offering. */
    public static Segment flat(int number, Segment first, List<Field> fields) {
        if (first.others == null && first.dead == null && !(first instanceof SharedSegment)) {
            return first;
        }
        SegmentBuilder draft = new SegmentBuilder("", fields);
        draft.grow(first.total(number));
        first.blocks().forEach(block -> draft.add(block, block.from(number), block.to(number)));
        return draft.build(0, draft.count, new SharedParts(), false);
    }

    /** Returns one block of all prices without anything that is searched by but its rows. */
    public Segment buildShared(SharedParts parts) {
        return build(0, count, parts, false);
    }

    private Segment build(int from, int to, SharedParts parts, boolean isIndexed) {
        int[] highest = new int[codes.length];
        long[][] distinct = new long[codes.length][];
        for (Field field : fields) {
            int at = field.ordinal();
            distinct[at] = field.type().isOrdered() ? distinct(at, from, to) : NO_LONGS;
            highest[at] = field.type().isOrdered() ? distinct[at].length : highest(codes[at], from, to);
        }
        RowLayout layout = parts.first(new RowLayout(highest));
        long[] rows = new long[Math.multiplyExact(to - from, layout.words())];
        for (Field field : fields) {
            int at = field.ordinal();
            for (int row = from; row < to; row++) {
                int code = codes[at][row];
                if (code != 0 && field.type().isOrdered()) {
                    code = Arrays.binarySearch(distinct[at], numbers[at][row]) + 1;
                }
                layout.put(rows, row - from, at, code);
            }
        }
        return new Segment(to - from, layout, rows, distinct, defaultRows(from, to), columns(from, to), isIndexed);
    }

    private static int highest(int[] column, int from, int to) {
        int highest = 0;
        for (int row = from; row < to; row++) {
            highest = Math.max(highest, column[row]);
        }
        return highest;
    }

    private long[] distinct(int field, int from, int to) {
        long[] present = new long[to - from];
        int used = 0;
        for (int row = from; row < to; row++) {
            if (codes[field][row] != 0) {
                present[used++] = numbers[field][row];
            }
        }
        return Arrays.stream(present, 0, used).sorted().distinct().toArray();
    }

    private long[] defaultRows(int from, int to) {
        long[] bits = new long[Bits.words(to - from)];
        boolean isAny = false;
        for (int row = from; row < to; row++) {
            if (defaults[row]) {
                bits[(row - from) >>> 6] |= 1L << (row - from);
                isAny = true;
            }
        }
        return isAny ? bits : NO_LONGS;
    }

    private PriceColumns columns(int from, int to) {
        boolean hasTexts = false;
        boolean hasPayloads = false;
        boolean isOneScale = true;
        boolean isOneCurrency = true;
        for (int row = from; row < to; row++) {
            hasTexts |= text(row) != null;
            hasPayloads |= row < payloads.length && payloads[row] != null;
            isOneScale &= scales[row] == scales[from];
            isOneCurrency &= currencies[row] == currencies[from];
        }
        int one = Math.min(from + 1, capacity);
        return new PriceColumns(
                hasTexts ? null : LongBuffer.wrap(Arrays.copyOfRange(uuids, 2 * from, 2 * to)),
                hasTexts ? texts(from, to, this::id) : null,
                LongBuffer.wrap(Arrays.copyOfRange(values, from, to)),
                isOneScale ? SCALES.get(scales[one - 1]) : ByteBuffer.wrap(Arrays.copyOfRange(scales, from, to)),
                isOneCurrency && currencies[one - 1] < CURRENCIES.size()
                        ? CURRENCIES.get(currencies[one - 1])
                        : IntBuffer.wrap(Arrays.copyOfRange(currencies, from, isOneCurrency ? one : to)),
                hasPayloads ? texts(from, to, row -> Objects.requireNonNullElse(payloads[row], "")) : null);
    }

    private static TextColumn texts(int from, int to, IntFunction<String> text) {
        TextBuilder texts = new TextBuilder();
        for (int row = from; row < to; row++) {
            texts.add(text.apply(row));
        }
        return texts.build();
    }

    private String id(int row) {
        String text = text(row);
        return text != null ? text : new UUID(uuids[2 * row], uuids[2 * row + 1]).toString();
    }
}
