package dev.touchstone.index;

import dev.touchstone.index.table.Dictionary;
import java.util.Arrays;

/** A query in the codes of one snapshot. Scratch of one {@link PriceQuery}; not thread-safe. */
final class CompiledQuery {
    /** Any offering. */
    static final int ANY = 0;

    private static final int[] NO_CODES = {};

    int offering; // a code, or ANY
    int size;
    Field[] field = new Field[8];
    Operator[] operator = new Operator[8];
    int[] code = new int[8]; // of EQ and NE
    int[][] codes = new int[8][]; // of IN and NOT_IN over strings, without those that no price has
    long[][] numbers = new long[8][]; // of IN and NOT_IN over ordered values
    long[] low = new long[8];
    long[] high = new long[8];
    long allFields; // a bit for each field of the index
    long keyFields; // a bit for each field that one value is asked for
    long keyConditions; // the conditions that ask for those, one for each field

    /**
     * Translates a query.
     *
     * @return false if no price can match
     */
    boolean compile(Snapshot snapshot, PriceQuery query) {
        offering = ANY;
        if (query.offeringUtf8 != null) {
            offering = snapshot.offerings().code(query.offeringUtf8, query.offeringFrom, query.offeringTo);
        } else if (query.offering != null) {
            offering = snapshot.offerings().code(query.offering);
        }
        if (offering == ANY && (query.offering != null || query.offeringUtf8 != null)) {
            return false;
        }
        if (query.size > field.length) {
            enlarge(query.field.length);
        }
        size = 0;
        allFields = (1L << snapshot.dictionaries().length) - 1;
        keyFields = 0;
        keyConditions = 0;
        for (int i = 0; i < query.size; i++) {
            field[size] = query.field[i];
            operator[size] = query.operator[i];
            translate(snapshot, query, i);
            if (isNone(size)) {
                if (!operator[size].isNegative) {
                    return false;
                }
                continue; // holds for every price
            }
            noteKey();
            size++;
        }
        return true;
    }

    private void translate(Snapshot snapshot, PriceQuery query, int condition) {
        switch (operator[size]) {
            case EQ, NE -> code[size] = code(snapshot.dictionaries()[field[size].ordinal()], query, condition);
            case IN, NOT_IN -> set(snapshot, field[size], query.operand[condition]);
            case BETWEEN, NOT_BETWEEN -> {
                low[size] = query.low[condition];
                high[size] = query.high[condition];
            }
        }
    }

    private void noteKey() {
        boolean isOne =
                operator[size] == Operator.EQ || (operator[size] == Operator.BETWEEN && low[size] == high[size]);
        long bit = 1L << field[size].ordinal();
        if (isOne && (keyFields & bit) == 0 && size < Long.SIZE) {
            keyFields |= bit;
            keyConditions |= 1L << size;
        }
    }

    /** Whether a condition is one of those that make the key. */
    boolean isKey(int condition) {
        return condition < Long.SIZE && (keyConditions >>> condition & 1) != 0;
    }

    private static int code(Dictionary dictionary, PriceQuery query, int condition) {
        return query.operand[condition] instanceof byte[] utf8
                ? dictionary.code(utf8, (int) query.low[condition], (int) query.high[condition])
                : dictionary.code((String) query.operand[condition]);
    }

    private void set(Snapshot snapshot, Field where, Object operand) {
        if (operand instanceof long[] values) {
            numbers[size] = values;
            codes[size] = NO_CODES;
            return;
        }
        Dictionary dictionary = snapshot.dictionaries()[where.ordinal()];
        String[] texts = (String[]) operand;
        int[] found = new int[texts.length];
        int used = 0;
        for (String text : texts) {
            int known = dictionary.code(text);
            if (known != 0) {
                found[used++] = known;
            }
        }
        codes[size] = used == found.length ? found : Arrays.copyOf(found, used);
    }

    /** Whether a condition, or the opposite of a negative one, holds for no price. */
    private boolean isNone(int condition) {
        return switch (operator[condition]) {
            case EQ, NE -> code[condition] == 0;
            case IN, NOT_IN ->
                field[condition].type().isOrdered() ? numbers[condition].length == 0 : codes[condition].length == 0;
            case BETWEEN, NOT_BETWEEN -> low[condition] > high[condition];
        };
    }

    private void enlarge(int length) {
        field = new Field[length];
        operator = new Operator[length];
        code = new int[length];
        codes = new int[length][];
        numbers = new long[length][];
        low = new long[length];
        high = new long[length];
    }

    /** Whether a condition holds for a row, by looking at its code alone. */
    boolean holds(int condition, Segment segment, int row) {
        int at = field[condition].ordinal();
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
                        field[condition].type().isOrdered()
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
