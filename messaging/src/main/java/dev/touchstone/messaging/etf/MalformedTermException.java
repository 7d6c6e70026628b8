package dev.touchstone.messaging.etf;

import org.jspecify.annotations.Nullable;

/** The bytes are no term, or another than was asked for. */
public final class MalformedTermException extends EtfException {
    private static final long serialVersionUID = 1;

    private final int offset;

    MalformedTermException(String what, int offset) {
        this(what, offset, null);
    }

    MalformedTermException(String what, int offset, @Nullable Throwable cause) {
        super(what + " offset=" + offset, cause);
        this.offset = offset;
    }

    /** Where in the array that was read, or in what a compressed term was inflated to. */
    public int offset() {
        return offset;
    }
}
