package dev.touchstone.benchmarks.index.tariff;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * A hash table from whole conditions to prices, in which a search looks up one key for each combination of fields that prices of the offering have
 * values of, the most specific combination first, and ends at the first price.
 *
 * <p>A key packs the codes of the offering and of the fields into one number. The table has open addressing and no objects, and is at most half full.
 */
public final class MapTariffs implements TariffSearch {
    private static final long FACTOR = 0x9E3779B97F4A7C15L;

    private final TariffCodes codes;
    private final int[] shifts = new int[TariffList.FIELDS]; // of the code of a field in a key
    private final int offeringShift;
    private final long[][] masks; // by offering, the bits of the fields of a combination, the most specific first
    private final long[] keys; // 0 is free: the code of an offering is never 0
    private final int[] numbers;

    /** Puts a tariff list into the table. */
    public MapTariffs(List<Tariff> prices) {
        codes = new TariffCodes(prices);
        int used = 0;
        for (int i = shifts.length - 1;
                i >= 0;
                i--) { // the first field in the highest bits, so that masks are in the order of precedence
            shifts[i] = used;
            used += bits(codes.sizes[i]);
        }
        offeringShift = used;
        keys = new long[Integer.highestOneBit(prices.size()) * 4];
        numbers = new int[keys.length];
        Map<Integer, TreeSet<Long>> combinations = new HashMap<>();
        for (Tariff price : prices) {
            long key = 0;
            long mask = 0;
            for (int i = 0; i < shifts.length; i++) {
                int code = codes.code(i, price.values()[i]);
                key |= (long) code << shifts[i];
                mask |= code == 0 ? 0 : ((1L << bits(codes.sizes[i])) - 1) << shifts[i];
            }
            int offering = codes.offerings.code(price.offering());
            int at = place(key | (long) offering << offeringShift);
            keys[at] = key | (long) offering << offeringShift;
            numbers[at] = price.number();
            combinations.computeIfAbsent(offering, made -> new TreeSet<>()).add(mask);
        }
        masks = new long[combinations.size() + 1][];
        Arrays.setAll(
                masks,
                offering -> combinations.getOrDefault(offering, new TreeSet<>()).descendingSet().stream()
                        .mapToLong(Long::longValue)
                        .toArray());
    }

    private static int bits(int highest) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(highest);
    }

    /** Returns the slot of a key, or the free slot where it would go. */
    private int place(long key) {
        int at = (int) ((key * FACTOR) >>> 33) & (keys.length - 1);
        while (keys[at] != 0 && keys[at] != key) {
            at = (at + 1) & (keys.length - 1);
        }
        return at;
    }

    @Override
    public int search(TariffRequest request) {
        int offering = codes.offerings.code(request.offering());
        long whole = 0;
        long unknown = 0; // bits of fields whose value no price has
        for (int i = 0; i < shifts.length; i++) {
            int code = codes.code(i, request.values()[i]);
            whole |= (long) code << shifts[i];
            unknown |= code == 0 ? 1L << shifts[i] : 0;
        }
        for (long mask : masks[offering]) {
            if ((mask & unknown) == 0) {
                long key = (whole & mask) | ((long) offering << offeringShift);
                int at = place(key);
                if (keys[at] != 0) {
                    return numbers[at];
                }
            }
        }
        return NONE;
    }
}
