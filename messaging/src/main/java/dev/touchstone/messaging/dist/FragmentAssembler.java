package dev.touchstone.messaging.dist;

import dev.touchstone.messaging.term.Atom;
import java.io.ByteArrayOutputStream;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Puts the fragments of one connection's long messages together; those of several messages may be mixed. The leader's.
 *
 * <p>A message's fragments are numbered down to 1, and its first one has the distribution header and the highest number.
 */
final class FragmentAssembler {
    private static final int MAX_MESSAGES = 256;
    private static final long MAX_BYTES = 128L << 20;

    private final Map<Long, Parts> messages = new HashMap<>();
    private long bytes;

    /** A message whose fragments have all come, without header. */
    @SuppressWarnings("ArrayRecordComponent") // handed over, never compared
    record Whole(byte[] bytes, Atom[] atoms) {}

    private static final class Parts {
        final Atom[] atoms;
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        long next;

        Parts(Atom[] atoms, long next) {
            this.atoms = atoms;
            this.next = next;
        }
    }

    /** @param number of fragments of the message, this one included */
    @Nullable
    Whole first(long sequence, long number, Atom[] atoms, byte[] buffer, int offset, int length) {
        if (messages.size() >= MAX_MESSAGES) {
            throw new IllegalStateException("too many fragmented messages under way: most=" + MAX_MESSAGES);
        }
        if (number < 1 || messages.put(sequence, new Parts(atoms, number)) != null) {
            throw new IllegalStateException("fragment out of order: sequence=" + sequence + " fragment=" + number);
        }
        return next(sequence, number, buffer, offset, length);
    }

    /** The whole message with its last fragment; null before. */
    @Nullable
    Whole next(long sequence, long number, byte[] buffer, int offset, int length) {
        Parts parts = messages.get(sequence);
        if (parts == null || parts.next != number) {
            throw new IllegalStateException("fragment out of order: sequence=" + sequence + " fragment=" + number
                    + " expected=" + (parts == null ? "a first one" : parts.next));
        }
        bytes += length;
        if (bytes > MAX_BYTES) {
            throw new IllegalStateException("fragmented messages too large: bytes=" + bytes + " most=" + MAX_BYTES);
        }
        parts.bytes.write(buffer, offset, length);
        parts.next--;
        if (parts.next > 0) {
            return null;
        }
        messages.remove(sequence);
        bytes -= parts.bytes.size();
        return new Whole(parts.bytes.toByteArray(), parts.atoms);
    }
}
