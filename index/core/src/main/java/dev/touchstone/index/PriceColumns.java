package dev.touchstone.index;

import dev.touchstone.index.table.TextColumn;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The columns of the prices of one offering, without their conditions; in the heap or in a mapped file. Immutable and thread-safe.
 *
 * @param uuids two words for each price, if all ids are UUIDs; else null
 * @param ids ids of the prices, if not all are UUIDs; else null
 * @param values values without their decimal points
 * @param scales numbers of digits behind the decimal point, one byte for each price; a single one if all are the same
 * @param currencies codes of the currencies, one for each price; a single one if all are the same
 * @param payloads payloads of the prices, with empty texts for prices without one; null if no price has a payload
 */
record PriceColumns(
        @Nullable LongBuffer uuids,
        @Nullable TextColumn ids,
        LongBuffer values,
        ByteBuffer scales,
        IntBuffer currencies,
        @Nullable TextColumn payloads) {
    private static final int UUID_LENGTH = 36;

    /** Returns the same columns with other values, which have the same scales. */
    PriceColumns withValues(long[] unscaled) {
        return new PriceColumns(uuids, ids, LongBuffer.wrap(unscaled), scales, currencies, payloads);
    }

    boolean hasUuids() {
        return uuids != null;
    }

    long idHigh(int row) {
        return uuids == null ? 0 : uuids.get(2 * row);
    }

    long idLow(int row) {
        return uuids == null ? 0 : uuids.get(2 * row + 1);
    }

    String id(int row) {
        if (uuids != null) {
            return new UUID(idHigh(row), idLow(row)).toString();
        }
        return ids == null ? "" : ids.get(row);
    }

    long unscaled(int row) {
        return values.get(row);
    }

    int scale(int row) {
        return scales.get(scales.limit() == 1 ? 0 : row);
    }

    BigDecimal value(int row) {
        return BigDecimal.valueOf(unscaled(row), scale(row));
    }

    int currency(int row) {
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
