package dev.touchstone.serialization.schema;

/** Rules for changes of a type, each with the readers that a breach would hurt. */
public enum EvolutionRule {
    /** A field is added that cannot be null and has no default. */
    FIELD_ADDED(true, false, "new readers find no value in old records, and the kind has no null"),
    /** A field is removed that cannot be null and had no default. */
    FIELD_REMOVED(false, true, "old readers find no value in new records, and the kind has no null"),
    /** A field is removed, and another of a compatible kind is added. */
    FIELD_RENAMED(true, true, "one field goes and another of its kind comes: a new name would lose the values"),
    /** A field has another kind. */
    FIELD_KIND_CHANGED(true, true, "neither kind is read as the other"),
    /** A field that could not be null can be null from now on. */
    NULLS_ALLOWED(false, true, "old readers fail at a null in new records"),
    /** A field that could be null cannot be null any more. */
    NULLS_FORBIDDEN(true, false, "new readers fail at a null in old records"),
    /** A field cannot have some of its values any more, such as enum constants, texts of other formats, or records of other types. */
    VALUES_REMOVED(true, false, "new readers refuse values that old records may hold"),
    /** A field can have values from now on that it could not have before. */
    VALUES_ADDED(false, true, "old readers refuse values that new records may hold"),
    /** The values of a field have another format, such as that of a duration instead of an id. */
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
     * Returns whether a change must not break this rule when a compatibility is demanded.
     *
     * @param demanded compatibility that is demanded of the change
     * @return whether the rule matters to one of the readers that the compatibility protects
     */
    public boolean appliesTo(Compatibility demanded) {
        return (isAgainstNewReaders && demanded.isForNewReaders())
                || (isAgainstOldReaders && demanded.isForOldReaders());
    }

    /**
     * Returns the consequence of a breach, for people.
     *
     * @return reason, in English
     */
    public String reason() {
        return reason;
    }
}
