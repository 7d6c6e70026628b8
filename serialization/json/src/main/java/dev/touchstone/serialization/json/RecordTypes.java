package dev.touchstone.serialization.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.touchstone.serialization.exception.CompactSchemaException;
import dev.touchstone.serialization.json.CompactJsonException.Reason;
import dev.touchstone.serialization.schema.TypeDescriptor;
import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finder of the schema that an object's record has. Not thread-safe. */
final class RecordTypes {
    private static final int ID_DIGITS = 16;

    private final KnownTypes types;
    private final JsonParser parser;
    private final Failures failures;

    /**
     * The first members of an object.
     *
     * @param type value of {@code $type}, if it is there
     * @param schemaId value of {@code $schemaId}, if it is there
     * @param next name of the member behind them; null at the end of the object
     */
    record Stated(
            @Nullable String type,
            @Nullable Long schemaId,
            @Nullable String next) {}

    RecordTypes(KnownTypes types, JsonParser parser, Failures failures) {
        this.types = types;
        this.parser = parser;
        this.failures = failures;
    }

    /** Reads the members that tell the schema; they stand before all others, in any order. */
    Stated stated(@Nullable String first) throws IOException {
        @Nullable String name = first;
        @Nullable String type = null;
        @Nullable Long schemaId = null;
        while (name != null) {
            if (name.equals(MemberNames.TYPE) && type == null) {
                type = text("the name of a type");
            } else if (name.equals(MemberNames.SCHEMA_ID) && schemaId == null) {
                schemaId = id(text("the fingerprint of a schema"));
            } else {
                break;
            }
            name = parser.nextFieldName();
        }
        return new Stated(type, schemaId, name);
    }

    private String text(String expected) throws IOException {
        if (parser.nextToken() != JsonToken.VALUE_STRING) {
            throw failures.value(expected);
        }
        return parser.getText();
    }

    private long id(String digits) throws IOException {
        if (digits.length() != ID_DIGITS || !digits.chars().allMatch(HexFormat::isHexDigit)) {
            throw failures.value("the fingerprint of a schema, in " + ID_DIGITS + " hexadecimal digits");
        }
        return HexFormat.fromHexDigitsToLong(digits);
    }

    /**
     * Returns the version of the type that an object has.
     *
     * @param exact version that the object must have, or null
     * @param allowed names of the types that stand at this place; empty if every type may
     */
    TypeDescriptor resolve(Stated stated, @Nullable TypeDescriptor exact, List<String> allowed) {
        String type = type(stated, exact, allowed);
        if (exact != null) {
            if (!type.equals(exact.typeName())) {
                throw type("another type: expected=" + Quoted.of(exact.typeName()) + " got=" + Quoted.of(type));
            }
            if (stated.schemaId() != null && stated.schemaId() != exact.schema().id()) {
                throw type("another version of the type: type=" + Quoted.of(type) + " expected="
                        + digits(exact.schema().id()) + " got=" + digits(stated.schemaId()));
            }
            return exact;
        }
        if (!allowed.isEmpty() && !allowed.contains(type)) {
            throw type("type may not stand here: type=" + Quoted.of(type) + " expected=" + allowed);
        }
        return stated.schemaId() == null ? newest(type) : version(type, stated.schemaId());
    }

    private String type(Stated stated, @Nullable TypeDescriptor exact, List<String> allowed) {
        if (stated.type() != null) {
            return stated.type();
        }
        if (exact != null) {
            return exact.typeName();
        }
        if (allowed.size() != 1) {
            throw type("type is not stated: expected the first member " + MemberNames.TYPE
                    + (allowed.isEmpty() ? "" : " with one of " + allowed));
        }
        return allowed.get(0);
    }

    private TypeDescriptor newest(String type) {
        TypeDescriptor newest = types.newest(type);
        if (newest == null) {
            throw type("unknown type: type=" + Quoted.of(type));
        }
        return newest;
    }

    private TypeDescriptor version(String type, long id) {
        @Nullable TypeDescriptor version;
        try {
            version = types.find(id);
        } catch (CompactSchemaException e) {
            throw type(String.valueOf(e.getMessage()));
        }
        if (version == null || !version.typeName().equals(type)) {
            throw type((version == null ? "unknown schema: id=" : "schema of another type: id=") + digits(id) + " type="
                    + Quoted.of(type));
        }
        return version;
    }

    private static String digits(long id) {
        return HexFormat.of().toHexDigits(id);
    }

    private CompactJsonException type(String what) {
        return failures.of(Reason.TYPE, what);
    }
}
