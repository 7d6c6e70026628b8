package dev.touchstone.serialization.json;

/** The names of members in JSON: those that tell a record's type, and those of fields. */
final class MemberNames {
    /** The member with the name of a record's type. */
    static final String TYPE = "$type";
    /** The member with the fingerprint of a record's schema, in 16 hexadecimal digits. */
    static final String SCHEMA_ID = "$schemaId";

    private static final String SIGN = "$";

    private MemberNames() {}

    /** Returns the member of a field: its name, with one more {@code $} in front if it begins with that sign. */
    static String ofField(String field) {
        return field.startsWith(SIGN) ? SIGN + field : field;
    }

    /** Returns whether a member is none of a field. */
    static boolean isReserved(String member) {
        return member.startsWith(SIGN) && !member.startsWith(SIGN + SIGN);
    }

    /** Returns the field of a member that is not reserved. */
    static String fieldOf(String member) {
        return member.startsWith(SIGN) ? member.substring(SIGN.length()) : member;
    }
}
