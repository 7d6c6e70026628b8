package dev.touchstone.messaging.etf;

import dev.touchstone.messaging.term.Atom;
import org.jspecify.annotations.Nullable;

/**
 * A table that finds the atom for a name's bytes without making it again. Bounded: a new atom takes the place of an older one, so that a
 * peer which sends ever new atoms costs time but no memory. Thread-safe without locks.
 */
public final class AtomTable {
    /*
     * Who calls:      any number of threads.
     * Invariants:     a set of two slots per hash; an atom is only ever in the set of its hash.
     * Non-invariants: an atom may be in both slots, or lost, after threads wrote the same set; then it is made again.
     * Ordering:       none is needed. Slots are read and written plainly: an atom is seen whole because its fields are final.
     */
    private static final int DEFAULT_SLOTS = 8192;
    /** Longest name that is kept, which bounds the table to a few MiB. */
    private static final int MAX_KEPT_BYTES = 255;

    private final @Nullable Atom[] slots;

    /** Makes an empty table for 8,192 atoms. */
    public AtomTable() {
        this(DEFAULT_SLOTS);
    }

    /**
     * Makes an empty table.
     *
     * @param slots most atoms that are kept: a power of two, 2 at least
     * @throws IllegalArgumentException for another number
     */
    public AtomTable(int slots) {
        if (slots < 2 || Integer.bitCount(slots) != 1) {
            throw new IllegalArgumentException("number of slots is no power of two: slots=" + slots + " min=2");
        }
        this.slots = new @Nullable Atom[slots];
    }

    /**
     * Returns the atom whose name is given in UTF-8; makes it where the table does not have it.
     *
     * @param source array that holds the name; copied where the atom is made
     * @param offset index of the name's first byte
     * @param length bytes of the name; 0 or more
     * @return the atom
     * @throws IllegalArgumentException if the bytes are not UTF-8, or are more than 255 characters
     */
    public Atom get(byte[] source, int offset, int length) {
        int first = Atom.hashUtf8(source, offset, length) & slots.length - 2;
        Atom atom = slots[first];
        if (atom != null && atom.equalsUtf8(source, offset, length)) {
            return atom;
        }
        atom = slots[first + 1];
        if (atom != null && atom.equalsUtf8(source, offset, length)) {
            return atom;
        }
        return make(first, source, offset, length);
    }

    private Atom make(int first, byte[] source, int offset, int length) {
        Atom atom = Atom.ofUtf8(source, offset, length);
        if (length <= MAX_KEPT_BYTES) {
            slots[first + 1] = slots[first];
            slots[first] = atom;
        }
        return atom;
    }

    /** Returns the number of slots that hold an atom. */
    int size() {
        int size = 0;
        for (Atom atom : slots) {
            size += atom == null ? 0 : 1;
        }
        return size;
    }
}
