package dev.touchstone.builds.master.artefact;

import dev.touchstone.builds.file.Bundle;

/**
 * Limits of artefacts. Immutable.
 *
 * @param files most files of a job
 * @param bytes most bytes of a job's files together
 * @param totalBytes most bytes of all jobs' artefacts together: the oldest go first
 */
public record ArtefactLimits(int files, long bytes, long totalBytes) {
    /** 1,000 files and 256 MiB for a job, 10 GiB for all. */
    public static final ArtefactLimits DEFAULT = new ArtefactLimits(1_000, 256L << 20, 10L << 30);

    /**
     * Checks what it is given.
     *
     * @throws IllegalArgumentException if a value is out of its range
     */
    public ArtefactLimits {
        if (files < 0 || files > Bundle.MAX_FILES || bytes < 0 || totalBytes < 0) {
            throw new IllegalArgumentException("files=" + files + " expected=0.." + Bundle.MAX_FILES + " bytes=" + bytes
                    + " totalBytes=" + totalBytes + " expected at least 0");
        }
    }
}
