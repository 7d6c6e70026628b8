package dev.touchstone.index.file;

import dev.touchstone.index.CorruptIndexException;
import dev.touchstone.index.Field;
import dev.touchstone.index.InvalidValueException;
import dev.touchstone.index.engine.PriceColumns;
import dev.touchstone.index.engine.Segment;
import dev.touchstone.index.table.Bits;
import dev.touchstone.index.table.Dictionary;
import dev.touchstone.index.table.IdTable;
import dev.touchstone.index.table.RowLayout;
import dev.touchstone.index.table.SharedParts;
import dev.touchstone.index.table.TextColumn;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The format of the sections of the prices of one offering. A section that is read is checked to be one that could have been written. */
final class SegmentFormat {
    /** Maximum of the absolute value of a price without its decimal point. */
    static final long MAX_UNSCALED = 999_999_999_999_999_999L;

    private SegmentFormat() {}

    /** Returns the section of the conditions, with the codes of strings replaced by their ranks in the dictionaries. */
    static ByteBuffer conditions(Segment segment, List<Field> fields, int[][] ranks) {
        int[] highest = new int[fields.size()];
        for (Field field : fields) {
            int at = field.ordinal();
            for (int row = 0; row < segment.count; row++) {
                highest[at] = Math.max(highest[at], code(segment, row, field, ranks[at]));
            }
        }
        RowLayout layout = new RowLayout(highest);
        long[] rows = new long[segment.count * layout.words()];
        for (Field field : fields) {
            for (int row = 0; row < segment.count; row++) {
                layout.put(rows, row, field.ordinal(), code(segment, row, field, ranks[field.ordinal()]));
            }
        }
        SectionWriter writer = new SectionWriter();
        writer.number(segment.count);
        for (int field = 0; field < segment.distinct.length; field++) {
            writer.number(highest[field]);
            writer.longs(LongBuffer.wrap(segment.distinct[field]));
        }
        writer.longs(LongBuffer.wrap(rows));
        writer.longs(LongBuffer.wrap(segment.defaults));
        return writer.written();
    }

    private static int code(Segment segment, int row, Field field, int[] ranks) {
        int code = segment.code(row, field.ordinal());
        return field.type().isOrdered() ? code : ranks[code];
    }

    /** Returns the section of the prices, with the codes of currencies replaced by their ranks in the dictionary. */
    static ByteBuffer prices(PriceColumns prices, int[] ranks) {
        SectionWriter writer = new SectionWriter();
        LongBuffer uuids = prices.uuids();
        writer.number(uuids == null ? 0 : 1);
        if (uuids != null) {
            writer.longs(uuids);
        }
        writer.texts(prices.ids());
        writer.longs(prices.allValues());
        writer.bytes(prices.scales());
        IntBuffer currencies = IntBuffer.allocate(prices.currencies().limit());
        for (int i = 0; i < currencies.limit(); i++) {
            currencies.put(i, ranks[prices.currencies().get(i)]);
        }
        writer.ints(currencies);
        writer.texts(prices.payloads());
        return writer.written();
    }

    /** Returns the segment of both sections, without its indexes. */
    static Segment read(
            SectionReader conditions,
            SectionReader prices,
            List<Field> fields,
            Dictionary[] dictionaries,
            int currencies,
            SharedParts parts)
            throws CorruptIndexException {
        int count = conditions.number("prices", 0, Integer.MAX_VALUE - 64);
        int[] highest = new int[fields.size()];
        long[][] distinct = new long[fields.size()][];
        for (Field field : fields) {
            int at = field.ordinal();
            boolean isOrdered = field.type().isOrdered();
            highest[at] = conditions.number("highest code", 0, isOrdered ? count : dictionaries[at].highest());
            distinct[at] =
                    conditions.longArray("distinct values", isOrdered ? highest[at] : 0, isOrdered ? highest[at] : 0);
            for (int i = 1; i < distinct[at].length; i++) {
                if (distinct[at][i - 1] >= distinct[at][i]) {
                    throw conditions.damaged("distinct values are not in order: field=" + field.name() + " value=" + i);
                }
            }
            for (long value : distinct[at]) {
                if (!field.hasNumber(value)) {
                    throw conditions.damaged("no value of the field: field=" + field.name() + " value=" + value);
                }
            }
        }
        RowLayout layout = parts.first(new RowLayout(highest));
        long words = (long) count * layout.words();
        long[] rows = conditions.longArray("rows", words, words);
        requireCodes(conditions, rows, count, layout, highest);
        long[] defaults = conditions.longArray("defaults", 0, Bits.words(count));
        if (defaults.length > 0
                && (defaults.length != Bits.words(count)
                        || ((count & 63) != 0 && defaults[defaults.length - 1] >>> count != 0))) {
            throw conditions.damaged("defaults do not fit:");
        }
        conditions.end();
        return new Segment(count, layout, rows, distinct, defaults, columns(prices, count, currencies), true);
    }

    /** Checks that each row consists of codes that its fields have, and of no other bits, and that the layout is the smallest one for these codes. */
    private static void requireCodes(SectionReader reader, long[] rows, int count, RowLayout layout, int[] highest)
            throws CorruptIndexException {
        long[] used = new long[layout.words()];
        int[] found = new int[highest.length];
        for (int field = 0; field < highest.length; field++) {
            used[layout.word(field)] |= layout.mask(field);
        }
        for (int row = 0; row < count; row++) {
            for (int field = 0; field < highest.length; field++) {
                found[field] = Math.max(found[field], layout.code(rows, row, field));
                if (found[field] > highest[field]) {
                    throw reader.damaged("unknown code: row=" + row + " field=" + field);
                }
            }
            for (int word = 0; word < used.length; word++) {
                if ((rows[row * used.length + word] & ~used[word]) != 0) {
                    throw reader.damaged("bits of no field: row=" + row);
                }
            }
        }
        if (!Arrays.equals(found, highest)) {
            throw reader.damaged("highest code is that of no price: codes=" + Arrays.toString(found) + " highest="
                    + Arrays.toString(highest));
        }
    }

    private static PriceColumns columns(SectionReader reader, int count, int currencies) throws CorruptIndexException {
        LongBuffer uuids =
                reader.number("kind of ids", 0, 1) == 0 ? null : reader.longs("uuids", 2L * count, 2L * count);
        TextColumn ids = reader.textColumn("ids", count);
        if ((uuids == null) == (ids == null)) {
            throw reader.damaged("ids of both kinds, or none:");
        }
        requireIds(reader, uuids, ids, count);
        LongBuffer values = reader.longs("values", count, count);
        for (int i = 0; i < count; i++) {
            if (Math.abs(values.get(i)) > MAX_UNSCALED || values.get(i) == Long.MIN_VALUE) {
                throw reader.damaged("value has too many digits: row=" + i + " unscaled=" + values.get(i));
            }
        }
        ByteBuffer scales = reader.bytes("scales", 1, Math.max(1, count));
        requireLength(reader, scales.limit(), count);
        for (int i = 0; i < scales.limit(); i++) {
            if (scales.get(i) < 0 || scales.get(i) > Field.MAX_SCALE) {
                throw reader.damaged("scale is wrong: row=" + i + " scale=" + scales.get(i));
            }
        }
        IntBuffer codes = reader.ints("currencies", 1, Math.max(1, count));
        requireLength(reader, codes.limit(), count);
        for (int i = 0; i < codes.limit(); i++) {
            if (codes.get(i) > currencies || codes.get(i) < (count == 0 ? 0 : 1)) {
                throw reader.damaged("unknown currency: row=" + i + " code=" + codes.get(i));
            }
        }
        @Nullable TextColumn payloads = reader.textColumn("payloads", count);
        reader.end();
        return new PriceColumns(uuids, ids, values, scales, codes, payloads);
    }

    /** Checks that ids are unique and not empty. */
    private static void requireIds(
            SectionReader reader, @Nullable LongBuffer uuids, @Nullable TextColumn ids, int count)
            throws CorruptIndexException {
        PriceColumns columns = new PriceColumns(
                uuids, ids, LongBuffer.allocate(0), ByteBuffer.allocate(0), IntBuffer.allocate(0), null);
        int wrong = IdTable.repeated(count, columns::idHash, columns::isSameId);
        for (int row = 0; row < count && ids != null && wrong == IdTable.NONE; row++) {
            wrong = ids.isEmpty(row) ? row : wrong;
        }
        if (wrong != IdTable.NONE) {
            throw reader.damaged("id is empty, or there twice: row=" + wrong + " id="
                    + InvalidValueException.shown(columns.id(wrong)));
        }
    }

    private static void requireLength(SectionReader reader, int length, int count) throws CorruptIndexException {
        if (length != 1 && length != count) {
            throw reader.damaged("neither one for all nor one for each: length=" + length + " prices=" + count);
        }
    }
}
