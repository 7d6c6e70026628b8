package dev.touchstone.harness.run;

/** A {@code matrix.json} that cannot be used; the message names the resource and the place in it. */
public final class MatrixException extends Exception {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message names the resource, the place in it, and what was expected there
     */
    public MatrixException(String message) {
        super(message);
    }
}
