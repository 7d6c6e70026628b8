package dev.touchstone.messaging.etf;

import dev.touchstone.messaging.term.Term;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A compound term that is being read. */
final class Frame {
    /** Kind of a frame that becomes a tuple. */
    static final int TUPLE = 0;

    /** Kind of a frame that becomes a list; a tail follows its parts. */
    static final int LIST = 1;

    /** Kind of a frame that becomes an improper list; its last part is the tail. */
    static final int IMPROPER = 2;

    /** Kind of a frame that becomes a map. */
    static final int MAP = 3;

    /** Kind of a frame that becomes a fun; its first part is the fun without free variables. */
    static final int FUN = 4;

    /** The frame that this one is a part of; null for the outermost term's. */
    final @Nullable Frame outer;

    final int depth;

    /** Bytes that the frames around this one need at least, when this one is complete. */
    final long reserved;

    int kind;

    /** The parts; those before {@link #at} are read. */
    Term[] parts;

    int at;
    int total;

    Frame(@Nullable Frame outer, int kind, Term[] parts, int at) {
        this.outer = outer;
        this.depth = outer == null ? 1 : outer.depth + 1;
        this.reserved = outer == null ? 0 : outer.reserved + outer.left();
        this.kind = kind;
        this.parts = parts;
        this.at = at;
        this.total = parts.length;
    }

    /** Returns how many parts, with a list's tail, are still to be read when the one that is being read is complete. */
    int left() {
        int left = total - at;
        return kind == LIST ? left : left - 1;
    }

    /** Makes room for more parts than were announced at first. */
    void grow(int more) {
        total += more;
        if (total > parts.length) {
            parts = Arrays.copyOf(parts, Math.max(total, parts.length + (parts.length >> 1)));
        }
    }

    Term[] trimmed() {
        return parts.length == total ? parts : Arrays.copyOf(parts, total);
    }
}
