package dev.touchstone.index;

import dev.touchstone.index.table.TextColumn;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What the prices of one offering have beside their conditions, a column each; in the heap or in a mapped file. Immutable and thread-safe.
 *
 * @param uuids two words a price, if all ids are UUIDs
 * @param ids the ids, if they are not
 * @param values without their points
 * @param scales digits behind the point, a byte a price; of length 1 if all have the same
 * @param currencies codes, as many bytes as all of them have; of length 1 if all prices have the same one
 * @param payloads null if no price has one; an empty text is a price that has none
 */
record PriceColumns(
        @Nullable LongBuffer uuids,
        @Nullable TextColumn ids,
        LongBuffer values,
        ByteBuffer scales,
        IntBuffer currencies,
        @Nullable TextColumn payloads) {
    private static final int UUID_LENGTH = 36;

    /** The same with other values of the same scales. */
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

    /** Whether a text is a UUID as {@link java.util.UUID#toString} writes it. */
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
