package dev.touchstone.queue.migrate;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Elements of the form {@code length:4 | payload}, one behind the other, of which number and end are known. Nothing but the lengths
 * says where an element begins, so all of them are walked before the first payload is handed out: a chain that does not come out at
 * its end is damaged somewhere, and its checks say only where that shows.
 *
 * <p>What is still handed out of a damaged chain, where damage is skipped, ends in front of the element whose length may be the wrong
 * one: the last before the place where it shows, or before the first empty element, which zeroed bytes look like.
 */
final class ElementChain {
    static final int LENGTH_BYTES = Integer.BYTES;

    /** Where the elements are. */
    interface Bytes {
        /** Whether a range is there to be read. */
        boolean has(long at, long bytes);

        int intAt(long at) throws IOException;

        void read(long at, byte[] target) throws IOException;

        /** Damage at a place of the chain. */
        CorruptSourceException corrupt(long at, String field, Object expected, Object got);
    }

    /**
     * @param removedAreNegative whether an element of negative length counts, and is passed over
     * @param maxRecordBytes longest payload for which memory is taken
     */
    record Rules(boolean removedAreNegative, int maxRecordBytes) {}

    private final Bytes bytes;
    private final long begin;
    private final long end;
    private final int count;
    private final Rules rules;
    private long lastAt;
    private int handedOut; // up to this element, those that were passed over too
    private int trusted;
    private long at;

    private ElementChain(Bytes bytes, long begin, long end, int count, Rules rules) {
        this.bytes = bytes;
        this.begin = begin;
        this.end = end;
        this.count = count;
        this.rules = rules;
        this.at = begin;
    }

    /** Walks the lengths of {@code count} elements that should fill {@code begin} to {@code end}; {@code count} is not negative. */
    static ElementChain open(Bytes bytes, long begin, long end, int count, Rules rules, DamageLog log)
            throws IOException {
        ElementChain chain = new ElementChain(bytes, begin, end, count, rules);
        CorruptSourceException damage = chain.walk();
        if (damage != null) {
            log.damage(damage, (count - chain.trusted) + " of " + count + " elements lost");
        }
        return chain;
    }

    /** Whether such elements fill the range. */
    static boolean isSound(Bytes bytes, long begin, long end, int count, Rules rules) throws IOException {
        return count >= 0 && new ElementChain(bytes, begin, end, count, rules).walk() == null;
    }

    /** Where the last element begins; of a sound chain that is not empty. */
    long lastAt() {
        return lastAt;
    }

    /** The next payload, or null at the end. */
    byte @Nullable [] next(DamageLog log) throws IOException {
        while (handedOut < trusted) {
            int length = bytes.intAt(at);
            long from = at + LENGTH_BYTES;
            at = from + Math.abs((long) length);
            handedOut++;
            if (length > rules.maxRecordBytes) {
                log.damage(
                        bytes.corrupt(from - LENGTH_BYTES, "element length", "at most " + rules.maxRecordBytes, length),
                        "1 element lost");
            } else if (length >= 0) {
                byte[] payload = new byte[length];
                bytes.read(from, payload);
                return payload;
            }
        }
        return null;
    }

    private @Nullable CorruptSourceException walk() throws IOException {
        long position = begin;
        int empty = count; // the first element of length 0
        for (int i = 0; i < count; i++) {
            CorruptSourceException damage = damageAt(position, count - 1 - i);
            if (damage != null) {
                trusted = Math.max(0, Math.min(i, empty) - 1);
                return damage;
            }
            int length = bytes.intAt(position);
            if (length == 0 && empty == count) {
                empty = i;
            }
            lastAt = position;
            position += LENGTH_BYTES + Math.abs((long) length);
        }
        if (position != end) {
            trusted = Math.max(0, Math.min(count, empty) - 1);
            return bytes.corrupt(position, "end of " + count + " elements", end - begin, position - begin);
        }
        trusted = count;
        return null;
    }

    /** What is wrong with the element at {@code position}, which {@code behind} others follow. */
    private @Nullable CorruptSourceException damageAt(long position, int behind) throws IOException {
        if (!bytes.has(position, LENGTH_BYTES) || end - position < LENGTH_BYTES) {
            return bytes.corrupt(position, "element length", LENGTH_BYTES + " bytes", "the end");
        }
        int length = bytes.intAt(position);
        long most = end - position - LENGTH_BYTES - (long) behind * LENGTH_BYTES;
        boolean signed = length >= 0 || rules.removedAreNegative;
        long size = Math.abs((long) length);
        if (!signed || size > most || !bytes.has(position + LENGTH_BYTES, size)) {
            return bytes.corrupt(position, "element length", "0.." + Math.max(0, most), length);
        }
        return null;
    }
}
