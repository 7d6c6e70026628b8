package dev.touchstone.index.engine;

import dev.touchstone.index.Field;
import dev.touchstone.index.Price;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The prices of one offering while an update changes them. Not thread-safe.
 *
 * <p>New prices go into a new block behind the others. A price that is replaced is marked as removed in its block and added as a new one; if only its value
 * changes, the block gets a new column of values instead, and the price keeps its place. So a change costs in proportion to the change, but for a
 * bitmap or a column of the block.
 *
 * <p>What is left to do is spread over the updates, as in a log-structured merge tree (O'Neil et al., 1996): the last blocks are merged when the newer
 * ones together have a {@value #RATIO}th of the rows of the one before, so that each row is merged a few times; and each update rebuilds at most one block
 * of which most rows are removed. No block that is made here has more than {@code Fields.maxRows} rows.
 */
final class OfferingDraft {
    private static final int RATIO = 4;

    private final Fields fields;
    private final Uses uses;
    private final List<Segment> blocks; // of the version before
    private final long[] @Nullable [] dead; // by block, a new bitmap of removed rows; null if no row was removed
    private final ValuePages[] values; // by block
    private final SegmentBuilder added;
    private final Map<String, Integer> addedRows = new HashMap<>(); // by id
    private final List<Integer> removedRows = new ArrayList<>(); // of `added`
    private final boolean wasShared; // whether the version before has the offering in a shared block
    private final int before; // number of prices in the version before
    private int count;

    /** A receiver of changes of the numbers of uses of strings. */
    interface Uses {
        /** Adds to the number of uses of the code of a field, or of a currency if the field is the number of fields. */
        void use(int field, int code, int change);
    }

    /** The values of a block while some are changed; the pages of the others are shared with the version before. */
    private static final class ValuePages {
        private final PriceColumns before;
        private long[] @Nullable [] pages = new long[0][];
        private boolean[] isOwn = new boolean[0];

        ValuePages(PriceColumns before) {
            this.before = before;
        }

        void put(int row, Price price) {
            if (pages.length == 0) {
                pages = before.copyOfPages();
                isOwn = new boolean[pages.length];
            }
            int at = row >>> PriceColumns.PAGE_BITS;
            long[] page = isOwn[at] ? pages[at] : null;
            if (page == null) {
                page = before.copyOfPage(row);
                pages[at] = page;
                isOwn[at] = true;
            }
            page[row - (at << PriceColumns.PAGE_BITS)] =
                    price.value().unscaledValue().longValueExact();
        }

        boolean isChanged() {
            return pages.length > 0;
        }

        PriceColumns build() {
            return isChanged() ? before.withChanged(pages) : before;
        }
    }

    /** A builder of blocks. */
    interface Builder {
        /** Returns blocks of the prices of a draft, with their indexes. */
        List<Segment> build(SegmentBuilder draft);
    }

    /** Creates a draft of an offering that has the number of its segment, if any. */
    OfferingDraft(String offering, int number, @Nullable Segment first, Fields fields, Uses uses) {
        this.fields = fields;
        this.uses = uses;
        wasShared = first instanceof SharedSegment;
        before = first == null ? 0 : first.total(number);
        if (first == null || before == 0) {
            blocks = List.of();
        } else if (wasShared) {
            blocks = List.of(SegmentBuilder.flat(
                    number, first, fields.list)); // without indexes, which a small offering does not need
        } else {
            blocks = first.blocks();
        }
        dead = new long[blocks.size()][];
        values = blocks.stream().map(block -> new ValuePages(block.prices)).toArray(ValuePages[]::new);
        added = new SegmentBuilder(offering, fields.list);
        count = before;
    }

    /** Returns the number of prices. */
    int count() {
        return count;
    }

    /** Returns by how many the number of prices has changed. */
    int growth() {
        return count - before;
    }

    /** Adds a price with a new id. The ids are compared by {@link #requireDistinctIds}. */
    void add(Price price, int[] codes, long[] numbers, int currency) {
        int row = added.count();
        added.put(row, price, codes, numbers, currency);
        useAdded(row, 1);
        count++;
    }

    void requireDistinctIds() {
        added.requireDistinctIds();
    }

    /** Adds a price, or replaces the one with its id. The arrays have an entry for each field. */
    void put(Price price, int[] codes, long[] numbers, int currency) {
        Integer known = addedRows.get(price.id());
        if (known != null) {
            if (added.isSameButValue(known, price, codes, numbers, currency)) {
                added.putValue(known, price);
                return;
            }
            removeAdded(known);
        } else {
            PriceColumns.Id id = new PriceColumns.Id(price.id());
            for (int block = blocks.size() - 1; block >= 0; block--) {
                int row = find(block, id);
                if (row >= 0 && isSameButValue(blocks.get(block), row, price, codes, numbers, currency)) {
                    values[block].put(row, price);
                    return;
                } else if (row >= 0) {
                    kill(block, row);
                    break;
                }
            }
        }
        addedRows.put(price.id(), added.count());
        add(price, codes, numbers, currency);
    }

    void remove(String text) {
        Integer known = addedRows.remove(text);
        if (known != null) {
            removeAdded(known);
            return;
        }
        PriceColumns.Id id = new PriceColumns.Id(text);
        for (int block = blocks.size() - 1; block >= 0; block--) {
            int row = find(block, id);
            if (row >= 0) {
                kill(block, row);
                return;
            }
        }
    }

    /** Returns the row of an id in a block, or -1. */
    private int find(int block, PriceColumns.Id id) {
        Segment segment = blocks.get(block);
        int row = segment.find(id);
        long[] removed = row < 0 || dead[block] == null ? segment.dead : dead[block];
        return row < 0 || (removed != null && (removed[row >>> 6] >>> row & 1) != 0) ? -1 : row;
    }

    private static boolean isSameButValue(
            Segment segment, int row, Price price, int[] codes, long[] numbers, int currency) {
        PriceColumns prices = segment.prices;
        return segment.hasConditions(row, codes, numbers)
                && prices.currency(row) == currency
                && prices.scale(row) == price.value().scale()
                && segment.isDefault(row) == price.isDefault()
                && Objects.equals(price.payload(), prices.payload(row));
    }

    private void kill(int block, int row) {
        Segment segment = blocks.get(block);
        long[] removed = dead[block];
        if (removed == null) {
            removed = segment.dead == null ? new long[(segment.count + 63) >>> 6] : segment.dead.clone();
            dead[block] = removed;
        }
        removed[row >>> 6] |= 1L << row;
        count--;
        for (Field field : fields.list) {
            use(field, segment.code(row, field.ordinal()), -1);
        }
        uses.use(fields.list.size(), segment.prices.currency(row), -1);
    }

    private void removeAdded(int row) {
        removedRows.add(row);
        useAdded(row, -1);
        count--;
    }

    private void useAdded(int row, int change) {
        for (Field field : fields.list) {
            use(field, added.code(row, field.ordinal()), change);
        }
        uses.use(fields.list.size(), added.currency(row), change);
    }

    private void use(Field field, int code, int change) {
        if (code != 0 && !field.type().isOrdered()) {
            uses.use(field.ordinal(), code, change);
        }
    }

    /** Adds all prices to a draft of a block that several offerings share. */
    void addTo(SegmentBuilder shared) {
        changed().forEach(shared::add);
        shared.add(added);
    }

    /** Returns the first block, which leads to the others. There must be a price. */
    Segment build(Builder builder) {
        List<Segment> next = changed();
        mergeLast(next, builder);
        rebuildSparsest(next, builder);
        return Segment.chain(next);
    }

    /** Takes the removed prices from the new ones, and returns the blocks of the version before with their changes, without those that have no prices left. */
    private List<Segment> changed() {
        if (!removedRows.isEmpty()) {
            boolean[] isRemoved = new boolean[added.count()];
            removedRows.forEach(row -> isRemoved[row] = true);
            added.remove(isRemoved);
        }
        List<Segment> next = new ArrayList<>();
        for (int i = 0; i < blocks.size(); i++) {
            Segment block = blocks.get(i);
            if (dead[i] != null || values[i].isChanged()) {
                block = block.with(values[i].build(), dead[i] == null ? block.dead : dead[i]);
            }
            if (block.live() > 0) {
                next.add(block);
            }
        }
        return next;
    }

    /** Adds the new prices, and as many of the last blocks with them as are not much larger than what is behind them. */
    private void mergeLast(List<Segment> next, Builder builder) {
        if (added.count() == 0) {
            return;
        }
        long rows = added.count();
        int from = next.size();
        while (from > 0 && isWorthMerging(next.get(from - 1), rows)) {
            from--;
            rows += next.get(from).live();
        }
        replace(next, from, next.size(), true, builder);
    }

    private boolean isWorthMerging(Segment block, long behind) {
        if (wasShared) {
            return true; // the rows of a shared block have no indexes
        }
        long live = block.live();
        return live + behind <= fields.smallRows || (live <= RATIO * behind && live + behind <= fields.maxRows);
    }

    /** Rebuilds the block with the highest share of removed rows, together with its neighbours if all are small, if most of its rows are removed. */
    private void rebuildSparsest(List<Segment> next, Builder builder) {
        int sparsest = -1;
        for (int i = 0; i < next.size(); i++) {
            Segment block = next.get(i);
            if (block.deadCount > block.live() && (sparsest < 0 || block.deadCount > next.get(sparsest).deadCount)) {
                sparsest = i;
            }
        }
        if (sparsest < 0) {
            return;
        }
        int from = sparsest;
        int to = sparsest + 1;
        long rows = next.get(sparsest).live();
        while (to < next.size() && rows + next.get(to).live() <= fields.maxRows / 2) {
            rows += next.get(to++).live();
        }
        while (from > 0 && rows + next.get(from - 1).live() <= fields.maxRows / 2) {
            rows += next.get(--from).live();
        }
        replace(next, from, to, false, builder);
    }

    /** Replaces some blocks by new ones of the same prices, and of the new prices if they are asked for. */
    private void replace(List<Segment> next, int from, int to, boolean isWithAdded, Builder builder) {
        SegmentBuilder merged = added;
        if (from < to || !isWithAdded) {
            merged = new SegmentBuilder(added.offering, fields.list);
            next.subList(from, to).forEach(merged::add);
            if (isWithAdded) {
                merged.add(added);
            }
        }
        next.subList(from, to).clear();
        next.addAll(from, builder.build(merged));
    }
}
