package dev.touchstone.messaging.etf;

import org.jspecify.annotations.Nullable;

/** A failure to read bytes that are no term, or another one than was asked for. */
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

    /**
     * Returns the place of the failure.
     *
     * @return index in the array that was read, or in the inflated bytes of a compressed term
     */
    public int offset() {
        return offset;
    }
}
