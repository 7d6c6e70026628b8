package dev.touchstone.serialization.schema;

/** What a change of a type must not do, and whom it would hurt. */
public enum EvolutionRule {
    FIELD_ADDED(true, false, "new readers find no value in old records, and the kind has no null"),
    FIELD_REMOVED(false, true, "old readers find no value in new records, and the kind has no null"),
    FIELD_RENAMED(true, true, "one field goes and another of its kind comes: a new name would lose the values"),
    FIELD_KIND_CHANGED(true, true, "neither kind is read as the other"),
    NULLS_ALLOWED(false, true, "old readers fail at a null in new records"),
    NULLS_FORBIDDEN(true, false, "new readers fail at a null in old records"),
    VALUES_REMOVED(true, false, "new readers refuse values that old records may hold"),
    VALUES_ADDED(false, true, "old readers refuse values that new records may hold"),
    FORMAT_CHANGED(true, true, "neither side can read the other's values"),
    TYPE_REMOVED(true, false, "new readers do not know the type of old records"),
    TYPE_RENAMED(true, true, "a record is read as the type that it names, and no other");

    private final boolean isAgainstNewReaders;
    private final boolean isAgainstOldReaders;
    private final String reason;

    EvolutionRule(boolean isAgainstNewReaders, boolean isAgainstOldReaders, String reason) {
        this.isAgainstNewReaders = isAgainstNewReaders;
        this.isAgainstOldReaders = isAgainstOldReaders;
        this.reason = reason;
    }

    /** Whether a breach is one where this is demanded. */
    public boolean appliesTo(Compatibility demanded) {
        return (isAgainstNewReaders && demanded.isForNewReaders())
                || (isAgainstOldReaders && demanded.isForOldReaders());
    }

    /** What goes wrong, for people. */
    public String reason() {
        return reason;
    }
}
