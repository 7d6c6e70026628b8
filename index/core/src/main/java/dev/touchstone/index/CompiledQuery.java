package dev.touchstone.index;

import dev.touchstone.index.table.RowLayout;
import java.util.Arrays;

/** The conditions of a query, in the codes of one snapshot. Scratch of one {@link PriceQuery}; not thread-safe. */
final class CompiledQuery {
    /** Any offering. */
    static final int ANY = 0;

    private static final int[] NO_CODES = {};
    private static final long[] NO_NUMBERS = {};

    final long allFields; // a bit for each field of the index
    int offering = ANY; // a code
    int size;
    int[] field = new int[8]; // ordinals
    Operator[] operator = new Operator[8];
    boolean[] isOrdered = new boolean[8]; // whether the field is
    int[] code = new int[8]; // of EQ and NE; 0 if no price has the string
    int[][] codes = new int[8][]; // of IN and NOT_IN over strings, without those that no price has
    long[][] numbers = new long[8][]; // of IN and NOT_IN over ordered values
    long[] low = new long[8];
    long[] high = new long[8];
    int strings; // how many conditions are EQ
    long keyFields; // a bit for each field that one value is asked for
    long keyConditions; // the conditions that ask for those, one for each field

    CompiledQuery(int fields) {
        allFields = (1L << fields) - 1;
        Arrays.fill(codes, NO_CODES);
        Arrays.fill(numbers, NO_NUMBERS);
        Arrays.fill(operator, Operator.EQ);
    }

    void clear() {
        offering = ANY;
        size = 0;
        strings = 0;
        keyFields = 0;
        keyConditions = 0;
    }

    /** Adds a condition on a string, with one code; the place of it. */
    int add(int ordinal, Operator how, int one) {
        int at = add(ordinal, how, false);
        code[at] = one;
        if (how == Operator.EQ) {
            strings++;
            noteKey(ordinal, at);
        }
        return at;
    }

    /** Adds a range. */
    int add(int ordinal, Operator how, long least, long most) {
        int at = add(ordinal, how, true);
        low[at] = least;
        high[at] = most;
        if (how == Operator.BETWEEN && least == most) {
            noteKey(ordinal, at);
        }
        return at;
    }

    /** Adds a choice of codes. */
    int add(int ordinal, Operator how, int[] some) {
        int at = add(ordinal, how, false);
        codes[at] = some;
        return at;
    }

    /** Adds a choice of sorted numbers. */
    int add(int ordinal, Operator how, long[] some) {
        int at = add(ordinal, how, true);
        numbers[at] = some;
        return at;
    }

    private int add(int ordinal, Operator how, boolean ordered) {
        int at = size++;
        if (at == field.length) {
            enlarge(at * 2);
        }
        field[at] = ordinal;
        isOrdered[at] = ordered;
        if (operator[at]
                != how) { // to store a reference costs more than to look at it, and most queries are like the one
            // before
            operator[at] = how;
        }
        return at;
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

    /** The row that is asked for, where each field is asked for one string and a row is one word; else {@link RowLayout#NO_ROW}. */
    long row(RowLayout layout) {
        boolean isWhole = strings == size && keyFields == allFields && Long.bitCount(allFields) == size;
        return isWhole && layout.words() == 1 ? layout.row(field, code, size) : RowLayout.NO_ROW;
    }

    /** Whether a condition is one of those that make the key. */
    boolean isKey(int condition) {
        return condition < Long.SIZE && (keyConditions >>> condition & 1) != 0;
    }

    /** Whether each condition is one that some price may meet. */
    boolean isPossible() {
        for (int i = 0; i < size; i++) {
            if (!operator[i].isNegative && isNone(i)) {
                return false;
            }
        }
        return true;
    }

    /** Whether a condition, or the opposite of a negative one, holds for no price. */
    private boolean isNone(int condition) {
        return switch (operator[condition]) {
            case EQ, NE -> code[condition] == 0;
            case IN, NOT_IN -> isOrdered[condition] ? numbers[condition].length == 0 : codes[condition].length == 0;
            case BETWEEN, NOT_BETWEEN -> low[condition] > high[condition];
        };
    }

    /** Whether a condition holds for a row, by looking at its code alone. */
    boolean holds(int condition, Segment segment, int row) {
        int at = field[condition];
        int found = segment.code(row, at);
        if (found == 0) {
            return operator[condition].isNegative;
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

    private static boolean isAmong(int[] codes, int code) {
        for (int one : codes) {
            if (one == code) {
                return true;
            }
        }
        return false;
    }
}
