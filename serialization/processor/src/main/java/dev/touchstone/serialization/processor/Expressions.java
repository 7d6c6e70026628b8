package dev.touchstone.serialization.processor;

import dev.touchstone.serialization.processor.model.FieldModel;
import dev.touchstone.serialization.processor.model.MemberModel;
import dev.touchstone.serialization.schema.FieldKind;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The expressions that the generated classes have in common. */
final class Expressions {
    private static final Pattern PART_OF_MAP = Pattern.compile("#[kv]");

    private final AccessorSyntax dialect;
    private final Imports imports;

    Expressions(AccessorSyntax dialect, Imports imports) {
        this.dialect = dialect;
        this.imports = imports;
    }

    /** Returns the part behind {@code read} and {@code write} in the names of the methods for a kind. */
    static String suffix(FieldKind kind) {
        StringBuilder suffix = new StringBuilder();
        for (String word : kind.name().split("_", -1)) {
            suffix.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
        }
        return suffix.toString();
    }

    /** A string in sources. */
    static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c >= ' ' && c <= '~') {
                quoted.append(c);
            } else if (c < ' ') { // the compiler takes \\u000a for the end of the line
                quoted.append(String.format(Locale.ROOT, "\\%03o", (int) c));
            } else {
                quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            }
        }
        return quoted.append('"').toString();
    }

    /** The value of a field's kind, of a variable {@code javaValue} that holds the object. */
    String toField(FieldModel field) {
        return fill(field.type().conversion().to(), field).replace("#v", field.accessor());
    }

    /** The Java value of a member that the record has. */
    String read(MemberModel member) {
        if (member.fields().size() == 1) {
            return read(member.fields().get(0));
        }
        FieldModel keys = member.fields().get(0);
        FieldModel values = member.fields().get(1);
        return PART_OF_MAP
                .matcher(fill(member.joined().from(), keys))
                .replaceAll(part -> Matcher.quoteReplacement(read(part.group().equals("#k") ? keys : values)));
    }

    private String read(FieldModel field) {
        return fill(field.type().conversion().from(), field).replace("#v", dialect.read(field));
    }

    /** Returns the expression that says whether the record has a member. */
    String has(MemberModel member) {
        return member.fields().stream().map(dialect::has).collect(Collectors.joining(" && "));
    }

    /** The Java value of a member, or what stands for it where the record lacks it. */
    String readOrMissing(MemberModel member) {
        return has(member) + " ? " + read(member) + " : " + member.missing().expression(imports::resolve);
    }

    private String fill(String text, FieldModel field) {
        return imports.resolve(text).replace("#f", dialect.context(field));
    }
}
