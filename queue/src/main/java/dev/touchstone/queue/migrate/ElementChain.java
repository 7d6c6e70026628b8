package dev.touchstone.queue.migrate;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A sequence of elements {@code length:4 | payload} without gaps, whose number and end are known. Only the lengths say where an element
 * begins, so all of them are checked before the first element is returned. If they do not add up to the end, one of them is damaged,
 * and the check finds only the place where that shows.
 *
 * <p>If damage is skipped, the elements of a damaged chain are returned up to the one whose length may be wrong: the last before the
 * place where the damage shows, or before the first empty element, since zeroed bytes look like empty elements.
 */
final class ElementChain {
    static final int LENGTH_BYTES = Integer.BYTES;

    /**
     * A range that elements should fill.
     *
     * @param source the bytes
     * @param begin offset of the first element
     * @param end offset behind the last element
     * @param count number of elements, not negative
     * @param negativeIsRemoved whether a negative length marks a removed element, which is passed over, or is damage
     */
    record Range(ByteSource source, long begin, long end, int count, boolean negativeIsRemoved) {}

    private final ByteSource source;
    private final Range range;
    private long lastAt;
    private int passed; // elements returned or removed
    private int trusted; // elements that may be returned
    private long at;

    private ElementChain(Range range) {
        this.source = range.source;
        this.range = range;
        this.at = range.begin;
    }

    /** Checks the lengths of the elements, and logs damage. */
    static ElementChain open(Range range, DamageLog log) throws IOException {
        ElementChain chain = new ElementChain(range);
        CorruptSourceException damage = chain.check();
        if (damage != null) {
            log.damage(damage, (range.count - chain.trusted) + " of " + range.count + " elements lost");
        }
        return chain;
    }

    /** Returns whether elements fill the range. */
    static boolean isSound(Range range) throws IOException {
        return range.count >= 0 && new ElementChain(range).check() == null;
    }

    /** Returns the offset of the last element; the chain is sound and not empty. */
    long lastAt() {
        return lastAt;
    }

    /** Returns the next element that was not removed, or null at the end. */
    @Nullable
    SourceRecord next() throws IOException {
        while (passed < trusted) {
            int length = source.intAt(at);
            long from = at + LENGTH_BYTES;
            at = from + Math.abs((long) length);
            passed++;
            if (length >= 0) {
                return new SourceRecord(source, from, length);
            }
        }
        return null;
    }

    private @Nullable CorruptSourceException check() throws IOException {
        int count = range.count;
        long position = range.begin;
        int empty = count; // the first element of length 0
        for (int i = 0; i < count; i++) {
            CorruptSourceException damage = damageAt(position, count - 1 - i);
            if (damage != null) {
                trusted = Math.max(0, Math.min(i, empty) - 1);
                return damage;
            }
            int length = source.intAt(position);
            if (length == 0 && empty == count) {
                empty = i;
            }
            lastAt = position;
            position += LENGTH_BYTES + Math.abs((long) length);
        }
        if (position != range.end) {
            trusted = Math.max(0, Math.min(count, empty) - 1);
            return source.corrupt(
                    position, "end of " + count + " elements", range.end - range.begin, position - range.begin);
        }
        trusted = count;
        return null;
    }

    /** Returns the damage of the element at {@code position}, which {@code following} elements follow, or null. */
    private @Nullable CorruptSourceException damageAt(long position, int following) throws IOException {
        if (!source.has(position, LENGTH_BYTES) || range.end - position < LENGTH_BYTES) {
            return source.corrupt(position, "element length", LENGTH_BYTES + " bytes", "the end");
        }
        int length = source.intAt(position);
        long max = range.end - position - LENGTH_BYTES - (long) following * LENGTH_BYTES;
        boolean validSign = length >= 0 || range.negativeIsRemoved;
        long size = Math.abs((long) length);
        if (!validSign || size > max || !source.has(position + LENGTH_BYTES, size)) {
            return source.corrupt(position, "element length", "0.." + Math.max(0, max), length);
        }
        return null;
    }
}
