package dev.touchstone.messaging.dist;

import dev.touchstone.messaging.term.Atom;
import org.jspecify.annotations.Nullable;

/**
 * The atoms that a peer has told in the distribution headers of one connection, and those of the header read last. Confined to the leader.
 *
 * <pre>
 *   | N | flags: N + 1 half bytes, rounded up | N references |
 *   half byte of a reference: bit 3 = it is new, bits 0..2 = segment; the last half byte: bit 0 = lengths of new atoms have 2 bytes
 *   reference: | index in segment | length, UTF-8 text (if new) |
 * </pre>
 *
 * @see <a href="https://www.erlang.org/doc/apps/erts/erl_ext_dist.html">External Term Format, "Distribution Header"</a>
 */
final class DistHeader {
    private static final int SEGMENT_ATOMS = 256;
    private static final int SEGMENTS = 8;
    private static final int NEW = 8;
    private static final int SEGMENT_MASK = 7;
    private static final int MAX_ATOM_BYTES = 255 * 4;

    private final @Nullable Atom[] cache = new @Nullable Atom[SEGMENTS * SEGMENT_ATOMS];
    private Atom[] atoms = {};
    private byte[] buffer = {};
    private int position;
    private int end;

    /** Reads a header, from its number of references on; where it ends. */
    int read(byte[] from, int offset, int limit) {
        buffer = from;
        position = offset;
        end = limit;
        int count = u8();
        atoms = new Atom[count];
        if (count > 0) {
            int flags = position;
            take(count / 2 + 1);
            boolean longAtoms = (half(flags, count) & 1) != 0;
            for (int i = 0; i < count; i++) {
                atoms[i] = reference(half(flags, i), longAtoms);
            }
        }
        return position;
    }

    /** Returns the atoms that the header's terms refer to, by their places. */
    Atom[] atoms() {
        return atoms;
    }

    private Atom reference(int half, boolean longAtoms) {
        int place = (half & SEGMENT_MASK) * SEGMENT_ATOMS + u8();
        if ((half & NEW) != 0) {
            int length = longAtoms ? u8() << Byte.SIZE | u8() : u8();
            if (length > MAX_ATOM_BYTES) {
                throw malformed("atom length", length);
            }
            int text = take(length);
            try {
                cache[place] = Atom.ofUtf8(buffer, text, length);
            } catch (IllegalArgumentException e) { // the peer's fault
                throw new IllegalStateException("malformed distribution header: " + e.getMessage(), e);
            }
        }
        Atom known = cache[place];
        if (known == null) {
            throw malformed("reference to an atom that was not told, place", place);
        }
        return known;
    }

    private int half(int flags, int index) {
        int pair = buffer[flags + index / 2];
        return (index % 2 == 0 ? pair : pair >> 4) & 0xf;
    }

    private int u8() {
        return buffer[take(1)] & 0xff;
    }

    private int take(int bytes) {
        if (bytes > end - position) {
            throw malformed("bytes needed", bytes);
        }
        int at = position;
        position += bytes;
        return at;
    }

    private IllegalStateException malformed(String what, int value) {
        return new IllegalStateException(
                "malformed distribution header: " + what + "=" + value + " left=" + (end - position));
    }
}
