package dev.touchstone.index.engine;

import dev.touchstone.index.table.IdTable;
import dev.touchstone.index.table.RowLayout;
import dev.touchstone.index.table.TextColumn;
import dev.touchstone.index.table.ValueColumn;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The columns of the prices of one offering, without their conditions; in the heap or in a mapped file. Immutable and thread-safe.
 *
 * @param uuids two words for each price, if all ids are UUIDs; else null
 * @param ids ids of the prices, if not all are UUIDs; else null
 * @param values values without their decimal points, as they were when the block was made
 * @param changed values that replace those of {@code values}; null if there are none
 * @param scales numbers of digits behind the decimal point, one byte for each price; a single one if all are the same
 * @param currencies codes of the currencies, one for each price; a single one if all are the same
 * @param payloads payloads of the prices, with empty texts for prices without one; null if no price has a payload
 */
public record PriceColumns(
        @Nullable LongBuffer uuids,
        @Nullable TextColumn ids,
        ValueColumn values,
        @Nullable Changed changed,
        ByteBuffer scales,
        IntBuffer currencies,
        @Nullable TextColumn payloads) {
    /** Number of bits of a row that tell its place in a page of changed values. */
    static final int PAGE_BITS = 8;

    private static final int PAGE = 1 << PAGE_BITS;
    private static final int UUID_LENGTH = 36;
    /** Values that were changed, in pages; null for a page without a change. Immutable. */
    static final class Changed {
        private final long[] @Nullable [] pages;

        private Changed(long[] @Nullable [] pages) {
            this.pages = pages;
        }
    }

    /** An id that is looked up in one block after the other, as a text and, if it is one, as a UUID. Not thread-safe. */
    public static final class Id implements IdTable.Same {
        private final String text;
        private final boolean isUuid;
        private final long high;
        private final long low;
        private final long uuidHash;
        private long textHash;
        private boolean hasTextHash;
        private @Nullable PriceColumns columns; // of the block in which the id is looked up

        /** Creates an id to look up from its text. */
        public Id(String text) {
            this.text = text;
            isUuid = PriceColumns.isUuid(text);
            UUID uuid = isUuid ? UUID.fromString(text) : new UUID(0, 0);
            high = uuid.getMostSignificantBits();
            low = uuid.getLeastSignificantBits();
            uuidHash = IdTable.hash(high, low);
        }

        private long textHash() {
            if (!hasTextHash) {
                textHash = IdTable.hash(text);
                hasTextHash = true;
            }
            return textHash;
        }

        @Override
        public boolean test(int row) {
            return columns != null && columns.isId(row, this);
        }
    }

    /** Creates columns whose values were not changed yet. */
    public PriceColumns(
            @Nullable LongBuffer uuids,
            @Nullable TextColumn ids,
            LongBuffer values,
            ByteBuffer scales,
            IntBuffer currencies,
            @Nullable TextColumn payloads) {
        this(uuids, ids, new ValueColumn(values), null, scales, currencies, payloads);
    }

    /** Returns the same columns with their values in the free bits of rows, if these can hold them; see {@link ValueColumn#in}. */
    PriceColumns in(long[] rows, RowLayout layout) {
        ValueColumn packed = values.in(rows, layout);
        return packed == values ? this : new PriceColumns(uuids, ids, packed, changed, scales, currencies, payloads);
    }

    /** Returns the same columns with other pages of values. */
    PriceColumns withChanged(long[] @Nullable [] pages) {
        return new PriceColumns(uuids, ids, values, new Changed(pages), scales, currencies, payloads);
    }

    /** Returns a new array of the pages of changed values, in which pages may be replaced. */
    long[] @Nullable [] copyOfPages() {
        return changed != null ? changed.pages.clone() : new long[(values.count() + PAGE - 1) >>> PAGE_BITS][];
    }

    /** Returns a new page with the values of the rows around a row. */
    long[] copyOfPage(int row) {
        int page = row >>> PAGE_BITS;
        long[] known = changed != null ? changed.pages[page] : null;
        if (known != null) {
            return known.clone();
        }
        long[] copy = new long[Math.min(PAGE, values.count() - (page << PAGE_BITS))];
        Arrays.setAll(copy, i -> values.get((page << PAGE_BITS) + i));
        return copy;
    }

    /** Returns all values without their decimal points. */
    public LongBuffer allValues() {
        LongBuffer all = LongBuffer.allocate(values.count());
        for (int row = 0; row < all.limit(); row++) {
            all.put(row, unscaled(row));
        }
        return all;
    }

    /** Returns whether all ids are stored as UUIDs. */
    public boolean hasUuids() {
        return uuids != null;
    }

    /** Returns the most significant half of the UUID of a row; 0 if ids are stored as texts. */
    public long idHigh(int row) {
        return uuids == null ? 0 : uuids.get(2 * row);
    }

    /** Returns the least significant half of the UUID of a row; 0 if ids are stored as texts. */
    public long idLow(int row) {
        return uuids == null ? 0 : uuids.get(2 * row + 1);
    }

    /** Returns the id of a row. */
    public String id(int row) {
        if (uuids != null) {
            return new UUID(idHigh(row), idLow(row)).toString();
        }
        return ids == null ? "" : ids.get(row);
    }

    /** Returns the hash of the id of a row, for an {@link IdTable}. */
    public long idHash(int row) {
        return uuids == null ? IdTable.hash(id(row)) : IdTable.hash(idHigh(row), idLow(row));
    }

    /** Returns the row of an id by a table of these ids, or -1. */
    int find(Id id, IdTable table) {
        if (uuids != null && !id.isUuid) {
            return IdTable.NONE;
        }
        id.columns = this;
        return table.find(uuids == null ? id.textHash() : id.uuidHash, id);
    }

    /** Returns whether a row has an id. */
    boolean isId(int row, Id id) {
        return uuids == null ? id.text.equals(id(row)) : id.isUuid && idLow(row) == id.low && idHigh(row) == id.high;
    }

    /** Returns whether two rows have the same id. */
    public boolean isSameId(int row, int other) {
        return uuids == null ? id(row).equals(id(other)) : idLow(row) == idLow(other) && idHigh(row) == idHigh(other);
    }

    /** Returns the value of a row without its decimal point. */
    public long unscaled(int row) {
        long[] page = changed != null ? changed.pages[row >>> PAGE_BITS] : null;
        return page != null ? page[row & (PAGE - 1)] : values.get(row);
    }

    /** Returns the number of digits behind the decimal point of the value of a row, from 0 to 18. */
    public int scale(int row) {
        return scales.get(scales.limit() == 1 ? 0 : row);
    }

    /** Returns the value of a row. */
    public BigDecimal value(int row) {
        return BigDecimal.valueOf(unscaled(row), scale(row));
    }

    /** Returns the code of the currency of a row. */
    public int currency(int row) {
        return currencies.get(currencies.limit() == 1 ? 0 : row);
    }

    @Nullable
    String payload(int row) {
        String text = payloads == null ? "" : payloads.get(row);
        return text.isEmpty() ? null : text;
    }

    /** Returns whether a text is a UUID as {@link java.util.UUID#toString} writes it. */
    static boolean isUuid(String id) {
        if (id.length() != UUID_LENGTH) {
            return false;
        }
        for (int i = 0; i < UUID_LENGTH; i++) {
            char c = id.charAt(i);
            boolean isDash = i == 8 || i == 13 || i == 18 || i == 23;
            if (isDash ? c != '-' : (c < '0' || c > '9') && (c < 'a' || c > 'f')) {
                return false;
            }
        }
        return true;
    }
}
