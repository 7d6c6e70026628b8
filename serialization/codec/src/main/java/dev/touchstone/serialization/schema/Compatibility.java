package dev.touchstone.serialization.schema;

/** Demands on a change of a schema: which readers must still be able to read which records. */
public enum Compatibility {
    /** Readers of the new schema can read records of the old one: stored records stay readable. */
    BACKWARD(true, false),
    /** Readers of the old schema can read records of the new one: programs that were not updated keep working. */
    FORWARD(false, true),
    /** Both {@link #BACKWARD} and {@link #FORWARD}. */
    FULL(true, true);

    private final boolean isForNewReaders;
    private final boolean isForOldReaders;

    Compatibility(boolean isForNewReaders, boolean isForOldReaders) {
        this.isForNewReaders = isForNewReaders;
        this.isForOldReaders = isForOldReaders;
    }

    /**
     * Returns whether readers of the new schema must be able to read records of the old one.
     *
     * @return true for {@link #BACKWARD} and {@link #FULL}
     */
    public boolean isForNewReaders() {
        return isForNewReaders;
    }

    /**
     * Returns whether readers of the old schema must be able to read records of the new one.
     *
     * @return true for {@link #FORWARD} and {@link #FULL}
     */
    public boolean isForOldReaders() {
        return isForOldReaders;
    }
}
