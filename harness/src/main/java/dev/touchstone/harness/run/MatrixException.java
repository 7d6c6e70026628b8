package dev.touchstone.harness.run;

/** A {@code matrix.json} that cannot be used; the message names the resource and the place in it. */
public final class MatrixException extends Exception {
    private static final long serialVersionUID = 1L;

    public MatrixException(String message) {
        super(message);
    }
}
