package dev.touchstone.serialization.schema;

/** Whose records must stay readable for whom when the schema of a type changes. */
public enum Compatibility {
    /** New readers take old records: what is stored stays readable. */
    BACKWARD(true, false),
    /** Old readers take new records: programs that were not updated go on. */
    FORWARD(false, true),
    /** Both. */
    FULL(true, true);

    private final boolean isForNewReaders;
    private final boolean isForOldReaders;

    Compatibility(boolean isForNewReaders, boolean isForOldReaders) {
        this.isForNewReaders = isForNewReaders;
        this.isForOldReaders = isForOldReaders;
    }

    /** Whether readers of the new schema must take records of the old one. */
    public boolean isForNewReaders() {
        return isForNewReaders;
    }

    /** Whether readers of the old schema must take records of the new one. */
    public boolean isForOldReaders() {
        return isForOldReaders;
    }
}
