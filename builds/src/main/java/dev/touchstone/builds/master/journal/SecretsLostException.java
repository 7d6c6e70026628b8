package dev.touchstone.builds.master.journal;

/** Thrown where the secrets of a job cannot be read, because the key is lost or the bytes are not what was written. */
public final class SecretsLostException extends Exception {
    private static final long serialVersionUID = 1;

    SecretsLostException(String message) {
        super(message);
    }
}
