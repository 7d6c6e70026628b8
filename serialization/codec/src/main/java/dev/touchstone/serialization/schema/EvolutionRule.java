package dev.touchstone.serialization.schema;

/** What a change of a type must not do, and whom it would hurt. */
public enum EvolutionRule {
    /** A field is added that cannot be null and has no default. */
    FIELD_ADDED(true, false, "new readers find no value in old records, and the kind has no null"),
    /** A field is removed that cannot be null and had no default. */
    FIELD_REMOVED(false, true, "old readers find no value in new records, and the kind has no null"),
    /** A field is removed, and another of a compatible kind is added. */
    FIELD_RENAMED(true, true, "one field goes and another of its kind comes: a new name would lose the values"),
    /** A field has another kind. */
    FIELD_KIND_CHANGED(true, true, "neither kind is read as the other"),
    /** A field may be null from now on. */
    NULLS_ALLOWED(false, true, "old readers fail at a null in new records"),
    /** A field may not be null any more. */
    NULLS_FORBIDDEN(true, false, "new readers fail at a null in old records"),
    /** A field may not have some values any more: constants, texts of other formats, records of other types. */
    VALUES_REMOVED(true, false, "new readers refuse values that old records may hold"),
    /** A field may have more values from now on. */
    VALUES_ADDED(false, true, "old readers refuse values that new records may hold"),
    /** The values of a field have another format, such as a duration instead of an id. */
    FORMAT_CHANGED(true, true, "neither side can read the other's values"),
    /** A type is removed from the program. */
    TYPE_REMOVED(true, false, "new readers do not know the type of old records"),
    /** A type has another name. */
    TYPE_RENAMED(true, true, "a record is read as the type that it names, and no other");

    private final boolean isAgainstNewReaders;
    private final boolean isAgainstOldReaders;
    private final String reason;

    EvolutionRule(boolean isAgainstNewReaders, boolean isAgainstOldReaders, String reason) {
        this.isAgainstNewReaders = isAgainstNewReaders;
        this.isAgainstOldReaders = isAgainstOldReaders;
        this.reason = reason;
    }

    /**
     * Returns whether a breach is one where this is demanded.
     *
     * @param demanded whose records must stay readable for whom
     * @return whether a breach is one where this is demanded
     */
    public boolean appliesTo(Compatibility demanded) {
        return (isAgainstNewReaders && demanded.isForNewReaders())
                || (isAgainstOldReaders && demanded.isForOldReaders());
    }

    /**
     * Returns what goes wrong, for people.
     *
     * @return what goes wrong, for people
     */
    public String reason() {
        return reason;
    }
}
