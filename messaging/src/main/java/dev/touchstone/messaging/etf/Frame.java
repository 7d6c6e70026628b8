package dev.touchstone.messaging.etf;

import dev.touchstone.messaging.term.Term;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A compound term that is being read. */
final class Frame {
    /** What a frame becomes. */
    static final int TUPLE = 0;

    /** Behind the parts there is a tail. */
    static final int LIST = 1;

    /** The last part is the tail. */
    static final int IMPROPER = 2;

    static final int MAP = 3;

    /** The first part is the fun without its variables. */
    static final int FUN = 4;

    /** The frame that this one is a part of; null for that of the outermost term. */
    final @Nullable Frame outer;

    final int depth;

    /** Bytes that the frames around this one need at least, when it is whole. */
    final long reserved;

    int kind;

    /** Those read so far are before {@link #at}. */
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

    /** Parts, and the tail of a list, that are still to be read when the one that is being read is whole. */
    int left() {
        int left = total - at;
        return kind == LIST ? left : left - 1;
    }

    /** Makes room for more parts than there should be at first. */
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
