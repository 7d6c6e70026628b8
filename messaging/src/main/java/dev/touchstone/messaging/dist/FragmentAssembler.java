package dev.touchstone.messaging.dist;

import dev.touchstone.messaging.term.Atom;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The state of one connection's long messages, whose fragments come one by one; those of several messages may be mixed. A message beyond
 * the bounds is refused alone: its fragments are counted and dropped. Confined to the leader.
 *
 * <p>A message's fragments are numbered down to 1, and its first one has the distribution header and the highest number.
 */
final class FragmentAssembler {
    private static final int MAX_MESSAGES = 16_384; // each sending process of the peer may have one under way
    private static final int ATOM_BYTES = 64; // of an atom on the heap, besides its name
    private static final byte[] NOTHING = {};
    private static final Atom[] NO_ATOMS = {};

    private final int maxMessageBytes;
    private final long maxHeldBytes;
    private final Refusals refusals;
    private final Map<Long, Parts> messages = new HashMap<>();
    private long held;

    /** The receiver of reports of messages that are longer than messages may be. */
    interface Refusals {
        /** Takes the number of bytes of one such message, all of which were dropped. */
        void refused(long bytes);
    }

    /**
     * A message whose fragments have all come, without header.
     *
     * @param length of the message, which the array begins with
     */
    @SuppressWarnings("ArrayRecordComponent") // handed over, never compared
    record Whole(byte[] bytes, int length, Atom[] atoms) {}

    private static final class Parts {
        Atom[] atoms = NO_ATOMS;
        long atomBytes;
        byte[] bytes = NOTHING;
        int length;
        long next;
        long came;
        boolean refused;

        Parts(long next) {
            this.next = next;
        }

        /** Returns the capacity for further bytes: grows with those that came, and not beyond what fragments of this size amount to. */
        int capacityFor(int more, int most) {
            long needed = (long) length + more;
            long expected = next > most ? most : Math.min(most, length + next * more);
            return needed <= bytes.length
                    ? bytes.length
                    : (int) Math.max(needed, Math.min(expected, 2L * bytes.length));
        }
    }

    /**
     * Creates an assembler.
     *
     * @param maxMessageBytes the longest message; all that are under way, with their atoms, may hold twice as much, but no more than a
     *     quarter of the heap where one message may be shorter
     * @param refusals told of longer ones
     */
    FragmentAssembler(int maxMessageBytes, Refusals refusals) {
        this.maxMessageBytes = maxMessageBytes;
        this.maxHeldBytes = Math.max(
                maxMessageBytes,
                Math.min(2L * maxMessageBytes, Runtime.getRuntime().maxMemory() / 4));
        this.refusals = refusals;
    }

    /**
     * Begins a message.
     *
     * @param number of fragments of the message, this one included
     * @param atoms the atoms that the message refers to
     */
    void begin(long sequence, long number, Atom[] atoms) {
        if (messages.size() >= MAX_MESSAGES) {
            throw new IllegalStateException("too many fragmented messages under way: maxMessages=" + MAX_MESSAGES);
        }
        Parts parts = new Parts(number);
        if (number < 1 || messages.put(sequence, parts) != null) {
            throw new IllegalStateException("fragment out of order: sequence=" + sequence + " fragment=" + number);
        }
        if (number == 1) {
            parts.atoms = atoms; // complete with this fragment
        } else {
            hold(parts, atoms);
        }
    }

    /** Keeps a message's atoms until its last fragment has come; refuses the message where too much is held. */
    private void hold(Parts parts, Atom[] atoms) {
        for (Atom atom : atoms) {
            parts.atomBytes += ATOM_BYTES + atom.utf8Length();
        }
        held += parts.atomBytes;
        parts.atoms = atoms;
        if (held > maxHeldBytes) {
            refuse(parts);
        }
    }

    /** Takes a fragment's bytes; returns the whole message with its last one, and null before, and where the message is refused. */
    @Nullable
    Whole next(long sequence, long number, byte[] buffer, int offset, int length) {
        Parts parts = expected(sequence, number);
        if (!parts.refused) {
            append(parts, buffer, offset, length);
        }
        return passed(sequence, parts, length);
    }

    /** Passes a fragment that is too long to be read, and refuses its message. */
    void skip(long sequence, long number, long length) {
        Parts parts = expected(sequence, number);
        refuse(parts);
        Whole unused = passed(sequence, parts, length);
    }

    private Parts expected(long sequence, long number) {
        Parts parts = messages.get(sequence);
        if (parts == null || parts.next != number) {
            throw new IllegalStateException("fragment out of order: sequence=" + sequence + " fragment=" + number
                    + " expected=" + (parts == null ? "a first one" : parts.next));
        }
        return parts;
    }

    private void append(Parts parts, byte[] buffer, int offset, int length) {
        int capacity = parts.capacityFor(length, maxMessageBytes);
        if ((long) parts.length + length > maxMessageBytes || held + capacity - parts.bytes.length > maxHeldBytes) {
            refuse(parts);
            return;
        }
        if (capacity > parts.bytes.length) {
            held += capacity - parts.bytes.length;
            parts.bytes = Arrays.copyOf(parts.bytes, capacity);
        }
        System.arraycopy(buffer, offset, parts.bytes, parts.length, length);
        parts.length += length;
    }

    private void refuse(Parts parts) {
        parts.refused = true;
        release(parts);
        parts.bytes = NOTHING;
        parts.atoms = NO_ATOMS;
        parts.atomBytes = 0;
    }

    private void release(Parts parts) {
        held -= parts.bytes.length + parts.atomBytes;
    }

    private @Nullable Whole passed(long sequence, Parts parts, long length) {
        parts.came += length;
        parts.next--;
        if (parts.next > 0) {
            return null;
        }
        messages.remove(sequence);
        if (parts.refused) {
            refusals.refused(parts.came);
            return null;
        }
        release(parts);
        return new Whole(parts.bytes, parts.length, parts.atoms);
    }
}
