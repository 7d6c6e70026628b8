package dev.touchstone.benchmarks.index.tariff;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.roaringbitmap.RoaringBitmap;

/**
 * Roaring bitmaps over all prices, which are arranged by offering and then by falling specificity, so that the first row that is left is the answer.
 *
 * <p>The bitmap of a value has also the rows that leave the field out, and is intersected with those of the offering, the smallest one first. The
 * unions are made before, because value and absence would else be united for each request. Other plans were not measured yet.
 */
public final class RoaringTariffs implements TariffSearch {
    private final TariffCodes codes;
    private final int[] numbers; // by row
    private final RoaringBitmap[] byOffering;
    private final RoaringBitmap[][]
            byField; // by field and code; those of code 0 have only rows that leave the field out
    private final RoaringBitmap[] some = new RoaringBitmap[TariffList.FIELDS]; // of the request

    /** Makes the bitmaps of a tariff list. */
    public RoaringTariffs(List<Tariff> prices) {
        codes = new TariffCodes(prices);
        List<Tariff> rows = prices.stream()
                .sorted(Comparator.comparing(Tariff::offering)
                        .thenComparing(
                                Comparator.comparingInt(Tariff::specificity).reversed()))
                .toList();
        numbers = rows.stream().mapToInt(Tariff::number).toArray();
        byOffering = empty(rows.stream().map(Tariff::offering).distinct().toArray().length);
        byField = new RoaringBitmap[TariffList.FIELDS][];
        for (int row = 0; row < numbers.length; row++) {
            byOffering[codes.offerings.code(rows.get(row).offering())].add(row);
        }
        for (int i = 0; i < byField.length; i++) {
            byField[i] = empty(codes.sizes[i]);
            for (int row = 0; row < numbers.length; row++) {
                byField[i][codes.code(i, rows.get(row).values()[i])].add(row);
            }
            for (int code = 1; code < byField[i].length; code++) {
                byField[i][code].or(byField[i][0]);
                byField[i][code].runOptimize();
            }
        }
    }

    private static RoaringBitmap[] empty(int highest) {
        RoaringBitmap[] bitmaps = new RoaringBitmap[highest + 1];
        Arrays.setAll(bitmaps, code -> new RoaringBitmap());
        return bitmaps;
    }

    @Override
    public int search(TariffRequest request) {
        for (int i = 0; i < some.length; i++) {
            RoaringBitmap bitmap = byField[i][codes.code(i, request.values()[i])];
            int at = i;
            for (; at > 0 && some[at - 1].getLongSizeInBytes() > bitmap.getLongSizeInBytes(); at--) {
                some[at] = some[at - 1];
            }
            some[at] = bitmap;
        }
        RoaringBitmap left = RoaringBitmap.and(byOffering[codes.offerings.code(request.offering())], some[0]);
        for (int i = 1; i < some.length && !left.isEmpty(); i++) {
            left.and(some[i]);
        }
        return left.isEmpty() ? NONE : numbers[left.first()];
    }
}
