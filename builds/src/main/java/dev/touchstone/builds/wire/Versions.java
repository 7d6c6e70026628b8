package dev.touchstone.builds.wire;

import dev.touchstone.builds.wire.v1.Wire;

/** The protocol's versions that this code speaks: a range, of which a session speaks the newest that both ends have. Stateless. */
public final class Versions {
    /** The oldest version. */
    public static final int OLDEST = 1;

    /** The oldest version that knows artefacts and caches. */
    public static final int FILES = 2;

    /** The newest version. */
    public static final int NEWEST = FILES;

    private Versions() {}

    /** Returns what a hello says. */
    public static Wire.Versions ours() {
        return Wire.Versions.newBuilder().setOldest(OLDEST).setNewest(NEWEST).build();
    }

    /**
     * Returns the newest version that both ends speak.
     *
     * @param theirs what the other end's hello says; not null
     * @throws WireException if there is none
     */
    public static int common(Wire.Versions theirs) {
        int version = Math.min(NEWEST, theirs.getNewest());
        if (version < Math.max(OLDEST, theirs.getOldest()) || theirs.getNewest() < 0) {
            throw new WireException("no version of the protocol is common: here=" + OLDEST + ".." + NEWEST + " there="
                    + Integer.toUnsignedString(theirs.getOldest()) + ".."
                    + Integer.toUnsignedString(theirs.getNewest()));
        }
        return version;
    }
}
