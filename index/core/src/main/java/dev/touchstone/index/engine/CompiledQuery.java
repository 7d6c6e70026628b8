package dev.touchstone.index.engine;

import dev.touchstone.index.InvalidValueException;
import dev.touchstone.index.table.Dictionary;
import dev.touchstone.index.table.RowLayout;
import java.util.Arrays;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** The conditions of a query, in the codes of one snapshot. Reused by one {@link BoundQuery}. Not thread-safe. */
final class CompiledQuery {
    /** Code that stands for any offering. */
    static final int ANY = 0;

    private static final int[] NO_CODES = {};
    private static final long[] NO_NUMBERS = {};

    /** Maximum number of queries that are nested in one, directly or not. */
    static final int MAX_NESTED = 256;

    private static final Group[] NO_GROUPS = {};

    Group[] groups = NO_GROUPS; // conditions on several queries, which hold beside the others
    final long allFields; // a bit for each field of the index
    int offering = ANY; // code of the offering
    int size;
    boolean hasWildcards; // whether a row without a value meets each condition on its field
    int[] field = new int[8]; // ordinals
    Operator[] operator = new Operator[8];
    boolean[] isOrdered = new boolean[8]; // whether the field is
    int[] code = new int[8]; // of the string of a condition with one; 0 if no price has the string
    int[][] codes = new int[8][]; // for IN and NOT_IN over strings, without strings that no price has; many are sorted
    long[][] numbers = new long[8][]; // for IN and NOT_IN over ordered values, sorted
    long[] low = new long[8];
    long[] high = new long[8];
    int strings; // number of conditions that are EQ; a string that is in sets too is compared by IN
    long keyFields; // a bit for each field for which one value is asked
    long keyConditions; // a bit for each condition that asks for such a value, one for each field
    private int unmet; // number of conditions that no price with a value of their field meets

    CompiledQuery(int fields) {
        allFields = (1L << fields) - 1;
        Arrays.fill(codes, NO_CODES);
        Arrays.fill(numbers, NO_NUMBERS);
        Arrays.fill(operator, Operator.EQ);
    }

    /**
     * A condition that holds if one of some queries matches, or if none does.
     *
     * @param isNone whether no query may match
     * @param queries queries without an offering, which are bound when they are used
     */
    record Group(boolean isNone, List<BoundQuery> queries) {
        /** Returns whether the condition holds for a row of a snapshot with given dictionaries. */
        boolean holds(Snapshot.Codes codes, Segment block, int row) {
            boolean isAny = false;
            for (BoundQuery one : queries) {
                isAny |= one.bind(codes) && one.compiled.holds(codes, block, row);
            }
            return isAny != isNone;
        }

        @Override
        public String toString() {
            StringJoiner text = new StringJoiner("), (", isNone ? "none of (" : "any of (", ")");
            for (BoundQuery one : queries) {
                text.add(one.shown());
            }
            return text.toString();
        }
    }

    /** Returns whether all conditions hold for a row of a snapshot with given dictionaries, to which this query is bound. */
    private boolean holds(Snapshot.Codes codes, Segment block, int row) {
        for (int i = 0; i < size; i++) {
            if (!holds(i, block, row)) {
                return false;
            }
        }
        for (Group group : groups) {
            if (!group.holds(codes, block, row)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Adds a condition on several queries.
     *
     * @throws InvalidValueException as by {@link #requireFew}; the query stays as it was
     */
    void add(Group group) {
        Group[] before = groups;
        groups = Arrays.copyOf(before, before.length + 1);
        groups[before.length] = group;
        try {
            requireFew();
        } catch (InvalidValueException e) {
            groups = before;
            throw e;
        }
    }

    /**
     * Checks how many queries are nested in this one.
     *
     * @throws InvalidValueException if there are more than {@link #MAX_NESTED}, or a query is nested in itself
     */
    void requireFew() {
        if (nested(0) > MAX_NESTED) {
            throw new InvalidValueException(
                    "too many nested queries, or a query in itself: expected=at most " + MAX_NESTED);
        }
    }

    /** Returns the number of nested queries plus that of others; some number above {@link #MAX_NESTED} if there are more. */
    private int nested(int others) {
        int count = others;
        for (Group group : groups) {
            for (BoundQuery one : group.queries()) {
                count = count > MAX_NESTED ? count : one.compiled.nested(count + 1);
            }
        }
        return count;
    }

    void clear() {
        if (groups.length > 0) {
            groups = NO_GROUPS;
        }
        offering = ANY;
        size = 0;
        strings = 0;
        keyFields = 0;
        keyConditions = 0;
        unmet = 0;
    }

    /** Adds a condition on a string, with one code. Returns the index of the condition. */
    int add(int ordinal, Operator how, int one) {
        int at = add(ordinal, how, false);
        code[at] = one;
        if (how == Operator.EQ) {
            strings++;
            unmet += one == 0 ? 1 : 0;
            noteKey(ordinal, at);
        }
        return at;
    }

    /** Adds a condition on a string that is in sets, with the codes that stand for it. Returns the index of the condition. */
    int add(int ordinal, Operator how, int one, int[] all) {
        int at = add(ordinal, how, all);
        code[at] = one;
        return at;
    }

    /** Replaces the codes of a condition on one string; the caller calls {@link #noteKeys} then. */
    void replace(int condition, int one, int @Nullable [] all) {
        code[condition] = one;
        codes[condition] = all == null ? NO_CODES : all;
        operator[condition] = Operator.ofStrings(all != null, operator[condition].isNegative);
    }

    /** Adds a condition with a range. Returns the index of the condition. */
    int add(int ordinal, Operator how, long least, long most) {
        int at = add(ordinal, how, true);
        low[at] = least;
        high[at] = most;
        if (how == Operator.BETWEEN && least == most) {
            noteKey(ordinal, at);
        }
        unmet += isUnmet(at) ? 1 : 0;
        return at;
    }

    /** Adds a condition with a choice of codes. Returns the index of the condition. */
    int add(int ordinal, Operator how, int[] some) {
        int at = add(ordinal, how, false);
        codes[at] = some;
        unmet += isUnmet(at) ? 1 : 0;
        return at;
    }

    /** Adds a condition with a choice of sorted numbers. Returns the index of the condition. */
    int add(int ordinal, Operator how, long[] some) {
        int at = add(ordinal, how, true);
        numbers[at] = some;
        unmet += isUnmet(at) ? 1 : 0;
        return at;
    }

    private int add(int ordinal, Operator how, boolean ordered) {
        int at = size++;
        if (at == field.length) {
            enlarge(at * 2);
        }
        field[at] = ordinal;
        isOrdered[at] = ordered;
        if (operator[at] != how) { // storing a reference is slower than this test, and most queries repeat the last one
            operator[at] = how;
        }
        return at;
    }

    /** Notes anew which conditions ask for one value, and which cannot be met, after some were replaced. */
    void noteKeys() {
        strings = 0;
        keyFields = 0;
        keyConditions = 0;
        unmet = 0;
        for (int i = 0; i < size; i++) {
            unmet += isUnmet(i) ? 1 : 0;
            strings += operator[i] == Operator.EQ ? 1 : 0;
            if (operator[i] == Operator.EQ || (operator[i] == Operator.BETWEEN && low[i] == high[i])) {
                noteKey(field[i], i);
            }
        }
    }

    private void noteKey(int ordinal, int condition) {
        long bit = 1L << ordinal;
        if ((keyFields & bit) == 0 && condition < Long.SIZE) {
            keyFields |= bit;
            keyConditions |= 1L << condition;
        }
    }

    private void enlarge(int length) {
        int known = field.length;
        field = Arrays.copyOf(field, length);
        operator = Arrays.copyOf(operator, length);
        isOrdered = Arrays.copyOf(isOrdered, length);
        code = Arrays.copyOf(code, length);
        codes = Arrays.copyOf(codes, length);
        numbers = Arrays.copyOf(numbers, length);
        low = Arrays.copyOf(low, length);
        high = Arrays.copyOf(high, length);
        Arrays.fill(operator, known, length, Operator.EQ);
        Arrays.fill(codes, known, length, NO_CODES);
        Arrays.fill(numbers, known, length, NO_NUMBERS);
    }

    /** Returns the row that the query asks for, if it asks for one string of each field and a row is one word; else {@link RowLayout#NO_ROW}. */
    long row(RowLayout layout) {
        boolean isWhole =
                !hasWildcards && strings == size && keyFields == allFields && Long.bitCount(allFields) == size;
        return isWhole && layout.words() == 1 ? layout.row(field, code, size) : RowLayout.NO_ROW;
    }

    /** Returns whether a condition is part of the key. */
    boolean isKey(int condition) {
        return condition < Long.SIZE && (keyConditions >>> condition & 1) != 0;
    }

    /** Returns whether each condition may hold for some price. */
    boolean isPossible() {
        return unmet == 0 || hasWildcards;
    }

    /** Returns whether no price with a value of the field of a condition meets it. */
    private boolean isUnmet(int condition) {
        return switch (operator[condition]) {
            case EQ -> code[condition] == 0;
            case IN -> isOrdered[condition] ? numbers[condition].length == 0 : codes[condition].length == 0;
            case BETWEEN -> low[condition] > high[condition];
            case NE, NOT_IN, NOT_BETWEEN -> false;
        };
    }

    /** Returns whether a condition holds for a row, by its code alone. */
    boolean holds(int condition, Segment segment, int row) {
        int at = field[condition];
        int found = segment.code(row, at);
        if (found == 0) {
            return hasWildcards || operator[condition].isNegative;
        }
        return operator[condition].isNegative
                != switch (operator[condition]) {
                    case EQ, NE -> found == code[condition];
                    case BETWEEN, NOT_BETWEEN -> {
                        long value = segment.distinct[at][found - 1];
                        yield low[condition] <= value && value <= high[condition];
                    }
                    case IN, NOT_IN ->
                        isOrdered[condition]
                                ? Arrays.binarySearch(numbers[condition], segment.distinct[at][found - 1]) >= 0
                                : isAmong(codes[condition], found);
                };
    }

    /** Returns whether a code is one of those of a condition. */
    static boolean isAmong(int[] codes, int code) {
        if (codes.length > Dictionary.MAX_UNSORTED) {
            return Arrays.binarySearch(codes, code) >= 0;
        }
        for (int one : codes) {
            if (one == code) {
                return true;
            }
        }
        return false;
    }
}
