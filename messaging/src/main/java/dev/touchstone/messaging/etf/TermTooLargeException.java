package dev.touchstone.messaging.etf;

/** A failure to write a term that takes more bytes than the writer may hold. */
public final class TermTooLargeException extends EtfException {
    private static final long serialVersionUID = 1;

    TermTooLargeException(long bytes, int maxBytes) {
        super("term is too large: bytes=" + bytes + " maxBytes=" + maxBytes, null);
    }
}
