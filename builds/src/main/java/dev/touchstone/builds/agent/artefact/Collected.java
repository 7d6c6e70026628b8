package dev.touchstone.builds.agent.artefact;

/**
 * The artefacts of an attempt. Immutable.
 *
 * @param files number of files
 * @param bytes bytes of these together
 * @param bundleBytes length of the bundle, which has their list too; 0 if there is none
 */
public record Collected(int files, long bytes, long bundleBytes) {
    /** No files. */
    public static final Collected NONE = new Collected(0, 0, 0);
}
