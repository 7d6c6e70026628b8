package dev.touchstone.serialization.cli;

import dev.touchstone.serialization.exception.CompactException;
import dev.touchstone.serialization.exception.CompactLockException;
import java.nio.file.Path;

/** A file is not what it should be. */
final class DamagedFileException extends RuntimeException {
    private static final long serialVersionUID = 1;

    DamagedFileException(CompactLockException cause) {
        super(cause.getMessage(), cause);
    }

    DamagedFileException(Path file, CompactException cause) {
        super(file + ": " + cause.getMessage(), cause);
    }
}
