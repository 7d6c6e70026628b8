package dev.touchstone.index.engine;

import dev.touchstone.index.Plan;
import dev.touchstone.index.table.BitSlices;
import dev.touchstone.index.table.Bits;
import dev.touchstone.index.table.Dictionary;
import dev.touchstone.index.table.PostingLists;
import dev.touchstone.index.table.RowHashIndex;
import dev.touchstone.index.table.RowLayout;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A search of one segment after the other for one compiled query, by the plan that suits both. Reused by one {@link BoundQuery}. Not thread-safe.
 *
 * <p>A dense search processes blocks of {@value #BLOCK} words, so that the current block stays in the nearest cache: first the bitmaps, two at a
 * time, then all other conditions. If the intersection of the summaries of the bitmaps leaves few words, only these words are read, so that no part
 * of a bitmap without a match is fetched from memory.
 */
final class SegmentSearch {
    private static final int BLOCK = 256;

    /**
     * Maximum number of words of rows that are compared one after the other. Rows are contiguous in memory, while each bitmap is somewhere else,
     * which makes the scan faster in an index larger than the caches. Within the caches, a scan of this size costs no more than finding the bitmaps.
     */
    private static final int MAX_SCANNED = 1024;

    /** Maximum number of posting lists that are united for a condition; if there may be more, the codes of rows are compared. */
    private static final int MAX_LISTS = 1 << 13;

    /** Maximum number of ranks that are looked for in bit slices, one after the other; if there are more, the codes of rows are compared. */
    private static final int MAX_RANKS = 32;

    /** Maximum number of posting lists in which one word is looked up. */
    private static final int MAX_LISTS_OF_WORD = Dictionary.MAX_UNSORTED; // the codes of more lists are sorted

    /** Number of shapes of rows that are told apart at once; those behind them need not be if a match is more specific. */
    private static final int SHAPES_AT_ONCE = 8;

    private static final int BY_ROW = -1; // in place of a number of places

    /** Ratio of words of a block to candidate words from which on only the candidates are read. */
    private static final int FEW = 3;

    int mostScanned = MAX_SCANNED; // lower in tests, which need the other plans for few rows, too
    private final long[] block = new long[BLOCK];
    private final long[] other = new long[BLOCK];
    private final long[] below = new long[BLOCK];
    private long[] key = new long[1];
    private long[] keyMask = new long[1]; // the bits of the key that are compared
    private long[] keyOfShape = new long[1];
    private long[][] bitmaps = new long[8][];
    private long[][] summaries = new long[8][];
    private int bitmapCount;
    private final long[] candidates = new long[BLOCK / Long.SIZE]; // words of the block that may not be 0
    private int candidateWords;
    private int[] rest = new int[8]; // indexes in the query of the conditions that have no bitmap
    private int restCount;
    private int[] lowRank = new int[8]; // by condition, the first rank in the range
    private int[] highRank = new int[8];
    private int[][] places = new int[8]
            [2]; // by condition, those of its codes in the posting lists, or the ranks of its numbers, behind their
    // number
    private int @Nullable [] shortest;
    private int[] hits = new int[8]; // rows of Plan.KEYS

    Plan plan(CompiledQuery query, Segment segment) {
        if (segment.count == 0) {
            return Plan.NOTHING;
        }
        if (query.size == 0) {
            return Plan.ALL;
        }
        boolean hasKey = (query.keyFields | segment.constantFields) == query.allFields;
        if (query.hasWildcards && hasKey && segment.shapes.length > 0) {
            return Plan.KEYS;
        }
        if (hasKey && !query.hasWildcards) {
            return bindKey(query, segment) == 0 ? Plan.KEY : Plan.NOTHING;
        }
        boolean isOne = query.offering != CompiledQuery.ANY && !query.hasWildcards;
        if (isOne && query.keyConditions != 0 && segment.count * segment.layout.words() <= mostScanned) {
            return bindKey(query, segment) == 0 ? Plan.SCAN : Plan.NOTHING;
        }
        if (segment.isTiny()) {
            return Plan.SCAN;
        }
        if (!bind(query, segment)) {
            return Plan.NOTHING;
        }
        return shortest != null ? Plan.LIST : Plan.BITMAP;
    }

    /**
     * Adds the prices of a block that match.
     *
     * @param first place of the first row of the block
     */
    void search(CompiledQuery query, Segment segment, long first, ResultCollector matches) {
        long whole = query.row(segment.layout);
        if (whole != RowLayout.NO_ROW) {
            byRow(whole, segment, first, matches);
            return;
        }
        switch (plan(query, segment)) {
            case ALL -> matches.addAll(first, segment);
            case KEY -> byKey(query, segment, first, matches);
            case KEYS -> byKeys(query, segment, first, matches);
            case SCAN -> scan(query, segment, first, matches);
            case LIST -> alongList(query, segment, first, matches, Objects.requireNonNull(shortest));
            case BITMAP -> dense(query, segment, first, matches);
            default -> {}
        }
    }

    /**
     * Computes the row that is looked for, and the mask of its known bits.
     *
     * @return the fields whose value no row of the segment has, a bit for each; their bits of the row are 0
     */
    private long bindKey(CompiledQuery query, Segment segment) {
        RowLayout layout = segment.layout;
        long[] row = key;
        if (row.length < layout.words()) {
            row = new long[layout.words()];
            key = row;
            keyMask = new long[layout.words()];
            keyOfShape = new long[layout.words()];
        }
        if (query.keyFields == query.allFields) {
            Arrays.fill(row, 0, layout.words(), 0);
        } else {
            System.arraycopy(segment.constants, 0, row, 0, layout.words());
            row[layout.words() - 1] &= layout.codes();
        }
        Arrays.fill(keyMask, 0, layout.words(), 0);
        long missing = 0;
        for (int i = 0; i < query.size; i++) {
            if (!query.isKey(i)) {
                continue;
            }
            int field = query.field[i];
            int code = query.code[i];
            if (query.operator[i] == Operator.BETWEEN) {
                int rank = segment.firstRank(field, query.low[i]);
                code = rank > segment.lastRank(field, query.low[i]) ? 0 : rank;
            }
            int word = layout.word(field);
            row[word] &= ~layout.mask(field);
            keyMask[word] |= layout.mask(field);
            if (code == 0 || !layout.holds(field, code)) {
                missing |= 1L << field;
            } else {
                row[word] |= layout.placed(field, code);
            }
        }
        return missing;
    }

    /** Searches by {@link Plan#KEY} in rows of one word. */
    private static void byRow(long wanted, Segment segment, long first, ResultCollector matches) {
        RowHashIndex keys = segment.keys;
        for (int row = keys.first(wanted); row != RowHashIndex.NONE && !matches.isEnough(); row = keys.next(row)) {
            if (!segment.isDead(row)) {
                matches.add(first, row, segment.isDefault(row));
            }
        }
    }

    private void byKey(CompiledQuery query, Segment segment, long first, ResultCollector matches) {
        RowHashIndex keys = segment.keys;
        boolean isAll = Long.bitCount(query.keyConditions) == query.size;
        for (int row = keys.first(key); row != RowHashIndex.NONE && !matches.isEnough(); row = keys.next(row)) {
            if (!segment.isDead(row) && (isAll || holdsAll(query, segment, row))) {
                matches.add(first, row, segment.isDefault(row));
            }
        }
    }

    /**
     * Looks up a key for each set of fields that rows have values of: where a row has no value, no value is looked for. Leaves out the sets whose rows
     * are less specific than a match, if only the most specific matches count.
     */
    private void byKeys(CompiledQuery query, Segment segment, long first, ResultCollector matches) {
        long missing = bindKey(query, segment);
        boolean isAll = Long.bitCount(query.keyConditions) == query.size;
        long best = matches.bestRank();
        int found = 0;
        long[] shapes = segment.shapes;
        for (int at = 0; at < shapes.length && !matches.areLessSpecific(shapes[at], best); at += SHAPES_AT_ONCE) {
            int end = Math.min(at + SHAPES_AT_ONCE, shapes.length);
            for (long left = segment.shapesOf(key, at, end); left != 0; left &= left - 1) {
                int i = Long.numberOfTrailingZeros(left);
                long rank = matches.rank(shapes[i]);
                if ((shapes[i] & missing) != 0 || rank < best) {
                    continue;
                }
                RowHashIndex keys = segment.keys;
                for (int row = firstOfShape(segment, i); row != RowHashIndex.NONE; row = keys.next(row)) {
                    if (!segment.isDead(row) && (isAll || holdsAll(query, segment, row))) {
                        found = rank > best ? 0 : found;
                        best = rank;
                        hits = found < hits.length ? hits : Arrays.copyOf(hits, 2 * found);
                        hits[found++] = row;
                    }
                }
            }
        }
        Arrays.sort(hits, 0, found);
        for (int i = 0; i < found && !matches.isEnough(); i++) {
            matches.add(first, hits[i], segment.isDefault(hits[i]));
        }
    }

    /**
     * Tests each condition for some rows of a block.
     *
     * @param first place of the first one of these rows
     */
    static void scan(CompiledQuery query, Segment segment, int from, int to, long first, ResultCollector matches) {
        for (int row = from; row < to && !matches.isEnough(); row++) {
            if (!segment.isDead(row) && holdsAll(query, segment, row)) {
                matches.add(first, row - from, segment.isDefault(row));
            }
        }
    }

    /** Returns the first row that has the values of the key in the fields of a shape, and no value of another field. */
    private int firstOfShape(Segment segment, int shape) {
        int words = segment.layout.words();
        if (words == 1) {
            return segment.keys.first(key[0] & segment.shapeMasks[shape]);
        }
        for (int i = 0; i < words; i++) {
            keyOfShape[i] = key[i] & segment.shapeMasks[shape * words + i];
        }
        return segment.keys.first(keyOfShape);
    }

    /** Compares each row with the known bits of the key; or in a tiny block, with each condition. */
    private void scan(CompiledQuery query, Segment segment, long first, ResultCollector matches) {
        if (segment.isTiny()) {
            scan(query, segment, 0, segment.count, first, matches);
            return;
        }
        boolean isAll = Long.bitCount(query.keyConditions) == query.size;
        long[] rows = segment.rows;
        int words = segment.layout.words();
        for (int i = 0; i < words; i++) {
            key[i] &= keyMask[i]; // the constants hold for each row
        }
        long wanted = key[0];
        long mask = keyMask[0];
        for (int row = 0, at = 0; row < segment.count; row++, at += words) {
            if ((rows[at] & mask) == wanted
                    && isEqualBehind(rows, at, words)
                    && !segment.isDead(row)
                    && (isAll || holdsAll(query, segment, row))) {
                matches.add(first, row, segment.isDefault(row));
                if (matches.isEnough()) {
                    return;
                }
            }
        }
    }

    /** Returns whether all words of a row but the first equal those of the key. */
    private boolean isEqualBehind(long[] rows, int from, int words) {
        for (int i = 1; i < words; i++) {
            if ((rows[from + i] & keyMask[i]) != key[i]) {
                return false;
            }
        }
        return true;
    }

    private static boolean holdsAll(CompiledQuery query, Segment segment, int row) {
        for (int i = 0; i < query.size; i++) {
            if (!query.holds(i, segment, row)) {
                return false;
            }
        }
        return true;
    }

    /** Finds the bitmap, list or range of each condition; returns false if a condition holds for no price of the segment. */
    private boolean bind(CompiledQuery query, Segment segment) {
        if (bitmaps.length < query.size) {
            bitmaps = new long[query.size][];
            summaries = new long[query.size][];
            rest = new int[query.size];
            lowRank = new int[query.size];
            highRank = new int[query.size];
            places = Arrays.copyOf(places, query.size);
            Arrays.setAll(places, i -> places[i] == null ? new int[2] : places[i]);
        }
        bitmapCount = 0;
        restCount = 0;
        shortest = null;
        for (int i = 0; i < query.size; i++) {
            if (query.operator[i] != Operator.EQ) {
                boolean isPossible = query.isOrdered[i] ? bindRange(query, i, segment) : bindCodes(query, i, segment);
                if (!isPossible && !query.hasWildcards) {
                    return false;
                }
                rest[restCount++] = i;
                continue;
            }
            PostingLists lists = segment.postings(query.field[i]);
            int place = lists.place(query.code[i]);
            if (query.hasWildcards && lists.absent().length > 0) {
                bindCode(i, place);
                rest[restCount++] = i;
                continue;
            }
            if (place < 0) {
                return false;
            }
            long[] bitmap = lists.bitmap(place);
            int[] list = lists.list(place);
            if (bitmap != null) {
                summaries[bitmapCount] = lists.summary(place);
                bitmaps[bitmapCount++] = bitmap;
            } else if (list != null && (shortest == null || list.length < shortest.length)) {
                shortest = list;
            }
        }
        return true;
    }

    /** Finds the ranks of a range, if the condition is one; returns false if the condition needs a value in the range and the segment has none. */
    private boolean bindRange(CompiledQuery query, int condition, Segment segment) {
        Operator operator = query.operator[condition];
        if (operator != Operator.BETWEEN && operator != Operator.NOT_BETWEEN) {
            return true;
        }
        lowRank[condition] = segment.firstRank(query.field[condition], query.low[condition]);
        highRank[condition] = segment.lastRank(query.field[condition], query.high[condition]);
        return operator == Operator.NOT_BETWEEN || lowRank[condition] <= highRank[condition];
    }

    /** Finds the places of the codes of a condition; returns false if the condition needs one of them and the segment has none. */
    private boolean bindCodes(CompiledQuery query, int condition, Segment segment) {
        PostingLists lists = segment.postings(query.field[condition]);
        if (query.operator[condition] == Operator.NE) {
            bindCode(condition, lists.place(query.code[condition]));
        } else if (Math.min(query.codes[condition].length, lists.size()) > MAX_LISTS) {
            places[condition][0] = BY_ROW;
        } else {
            places[condition] = lists.places(query.codes[condition], places[condition]);
        }
        return query.operator[condition].isNegative || places[condition][0] != 0;
    }

    private void bindCode(int condition, int place) {
        places[condition][0] = place < 0 ? 0 : 1;
        places[condition][1] = place;
    }

    private static void alongList(
            CompiledQuery query, Segment segment, long first, ResultCollector matches, int[] list) {
        for (int row : list) {
            if (!segment.isDead(row) && holdsAll(query, segment, row)) {
                matches.add(first, row, segment.isDefault(row));
                if (matches.isEnough()) {
                    return;
                }
            }
        }
    }

    /** Finds the ranks of the numbers of each condition with a choice of numbers. */
    private void bindNumbers(CompiledQuery query, Segment segment) {
        for (int i = 0; i < restCount; i++) {
            int condition = rest[i];
            Operator operator = query.operator[condition];
            if (query.isOrdered[condition] && (operator == Operator.IN || operator == Operator.NOT_IN)) {
                places[condition] = segment.ranks(query.field[condition], query.numbers[condition], places[condition]);
            }
        }
    }

    private void dense(CompiledQuery query, Segment segment, long first, ResultCollector matches) {
        bindNumbers(query, segment);
        int all = Bits.words(segment.count);
        for (int from = 0; from < all && !matches.isEnough(); from += BLOCK) {
            int words = Math.min(BLOCK, all - from);
            if (bitmapCount > 0 && fewWords(words, from)) {
                byWord(query, segment, first, matches, from);
                continue;
            }
            intersect(segment, words, from);
            for (int i = 0; i < restCount; i++) {
                apply(query, rest[i], segment, words, from);
            }
            long[] dead = segment.dead;
            if (dead != null) {
                Bits.andNot(block, words, dead, from);
            }
            matches.add(first, segment.defaults, block, words, from);
        }
    }

    /** Intersects the summaries of a block; returns false if so many words are left that reading all words of the block is faster. */
    private boolean fewWords(int words, int from) {
        int left = 0;
        for (int i = 0; i < Bits.words(words); i++) {
            long some = -1;
            for (int j = 0; j < bitmapCount; j++) {
                some &= summaries[j][(from >>> 6) + i];
            }
            candidates[i] = some;
            left += Long.bitCount(some);
        }
        candidateWords = Bits.words(words);
        return left * FEW <= words;
    }

    private void byWord(CompiledQuery query, Segment segment, long first, ResultCollector matches, int from) {
        long[] dead = segment.dead;
        for (int i = 0; i < candidateWords; i++) {
            for (long left = candidates[i]; left != 0; left &= left - 1) {
                int at = from + (i << 6) + Long.numberOfTrailingZeros(left);
                long found = dead == null ? bitmaps[0][at] : bitmaps[0][at] & ~dead[at];
                for (int j = 1; j < bitmapCount; j++) {
                    found &= bitmaps[j][at];
                }
                for (int j = 0; j < restCount && found != 0; j++) {
                    long one = word(query, rest[j], segment, at, found);
                    found &= query.operator[rest[j]].isNegative ? ~one : one;
                }
                if (found != 0) {
                    matches.add(first, segment.defaults, found, at);
                    if (matches.isEnough()) {
                        return;
                    }
                }
            }
        }
    }

    /** Returns the bits of some rows of a word for which a condition holds, or for a negative condition, its opposite; and perhaps bits of other rows. */
    private long word(CompiledQuery query, int condition, Segment segment, int at, long some) {
        boolean isWild = query.hasWildcards && !query.operator[condition].isNegative;
        return isWild
                ? wordOfValues(query, condition, segment, at, some) | absent(query, condition, segment, at)
                : wordOfValues(query, condition, segment, at, some);
    }

    /** Returns the bits of the 64 rows of a word that have no value of the field of a condition, and perhaps some bits behind the last row. */
    private static long absent(CompiledQuery query, int condition, Segment segment, int at) {
        int field = query.field[condition];
        if (query.isOrdered[condition]) {
            return segment.slices(field).word(at, 0, 0);
        }
        long[] absent = segment.postings(field).absent();
        return absent.length == 0 ? 0 : absent[at];
    }

    private long wordOfValues(CompiledQuery query, int condition, Segment segment, int at, long some) {
        int field = query.field[condition];
        if (query.operator[condition] == Operator.BETWEEN || query.operator[condition] == Operator.NOT_BETWEEN) {
            return word(segment, field, at, lowRank[condition], highRank[condition]);
        }
        if (query.isOrdered[condition]) {
            return wordOfRanks(places[condition], segment, field, at, some);
        }
        long found = 0;
        int[] own = places[condition];
        if (own[0] == BY_ROW || own[0] > MAX_LISTS_OF_WORD) {
            return byRow(query, condition, segment, at, some);
        }
        PostingLists lists = segment.postings(field);
        for (int i = 1; i <= own[0]; i++) {
            found |= lists.word(own[i], at);
        }
        return found;
    }

    /** Returns the bits of those of some rows of a word whose code is one of a condition. */
    private static long byRow(CompiledQuery query, int condition, Segment segment, int at, long some) {
        long found = 0;
        for (long left = some; left != 0; left &= left - 1) {
            int code = segment.code((at << 6) + Long.numberOfTrailingZeros(left), query.field[condition]);
            found |= CompiledQuery.isAmong(query.codes[condition], code) ? left & -left : 0;
        }
        return found;
    }

    private static long word(Segment segment, int field, int at, int low, int high) {
        return low <= high ? segment.slices(field).word(at, low, high) : 0;
    }

    private void intersect(Segment segment, int words, int from) {
        int done = 2;
        if (bitmapCount == 0) {
            Bits.all(block, words, segment.count - (from << 6));
        } else if (bitmapCount == 1) {
            System.arraycopy(bitmaps[0], from, block, 0, words);
        } else {
            Bits.and(block, words, bitmaps[0], bitmaps[1], from);
            for (; done + 1 < bitmapCount; done += 2) {
                Bits.andBoth(block, words, bitmaps[done], bitmaps[done + 1], from);
            }
            if (done < bitmapCount) {
                Bits.and(block, words, bitmaps[done], from);
            }
        }
    }

    private void apply(CompiledQuery query, int condition, Segment segment, int words, int from) {
        int field = query.field[condition];
        switch (query.operator[condition]) {
            case EQ, NE, IN, NOT_IN -> {
                long[] single = query.operator[condition] == Operator.NE ? bitmap(segment, field, condition) : null;
                if (single != null) {
                    Bits.andNot(block, words, single, from);
                    return;
                }
                Arrays.fill(other, 0, words, 0);
                if (query.isOrdered[condition]) {
                    orRanks(places[condition], segment, field, words, from);
                } else if (places[condition][0] == BY_ROW) {
                    for (int i = 0; i < words; i++) {
                        other[i] = byRow(query, condition, segment, from + i, block[i]);
                    }
                } else {
                    segment.postings(field).or(other, words, from, places[condition]);
                }
                keep(query, condition, segment, words, from);
            }
            case BETWEEN, NOT_BETWEEN -> {
                if (lowRank[condition] <= highRank[condition]) {
                    segment.slices(field).range(other, below, words, from, lowRank[condition], highRank[condition]);
                } else {
                    Arrays.fill(other, 0, words, 0);
                }
                keep(query, condition, segment, words, from);
            }
        }
    }

    /** Returns the bitmap of the first code of a condition, or null if it has none. */
    private long @Nullable [] bitmap(Segment segment, int field, int condition) {
        return places[condition][0] == 0 ? null : segment.postings(field).bitmap(places[condition][1]);
    }

    /** Keeps the rows of the block for which a condition holds, from those in {@code other}, which have one of its values. */
    private void keep(CompiledQuery query, int condition, Segment segment, int words, int from) {
        if (query.operator[condition].isNegative) {
            Bits.andNot(block, words, other, 0);
        } else {
            for (int i = 0; i < words && query.hasWildcards; i++) {
                other[i] |= absent(query, condition, segment, from + i);
            }
            Bits.and(block, words, other, 0);
        }
    }

    private void orRanks(int[] ranks, Segment segment, int field, int words, int from) {
        if (ranks[0] > MAX_RANKS) {
            for (int i = 0; i < words; i++) {
                other[i] = byRank(ranks, segment, field, from + i, block[i]);
            }
            return;
        }
        BitSlices slices = segment.slices(field);
        for (int k = 1; k <= ranks[0]; k++) {
            for (int i = 0; i < words; i++) {
                other[i] |= slices.word(from + i, ranks[k], ranks[k]);
            }
        }
    }

    /** Returns the bits of some rows of a word whose codes are among some ranks; if these are few, perhaps also bits of other rows. */
    private static long wordOfRanks(int[] ranks, Segment segment, int field, int at, long some) {
        if (ranks[0] > MAX_RANKS) {
            return byRank(ranks, segment, field, at, some);
        }
        long found = 0;
        for (int k = 1; k <= ranks[0]; k++) {
            found |= segment.slices(field).word(at, ranks[k], ranks[k]);
        }
        return found;
    }

    /** Returns the bits of those of some rows of a word whose code is among some ranks. */
    private static long byRank(int[] ranks, Segment segment, int field, int at, long some) {
        long found = 0;
        for (long left = some; left != 0; left &= left - 1) {
            int code = segment.code((at << 6) + Long.numberOfTrailingZeros(left), field);
            found |= Arrays.binarySearch(ranks, 1, ranks[0] + 1, code) >= 0 ? left & -left : 0;
        }
        return found;
    }
}
