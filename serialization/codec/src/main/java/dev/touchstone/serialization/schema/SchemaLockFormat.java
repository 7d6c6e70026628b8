package dev.touchstone.serialization.schema;

import dev.touchstone.serialization.exception.CompactLockException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The text of a lock: one line for each field, types and fields sorted by name, versions by age, so that a diff shows each change.
 *
 * <pre>
 *   # The schemas that records may have. Written by "compact accept"; a check fails on any other.
 *   compact.lock 2
 *   compatibility FULL
 *
 *   type com.example.Person
 *     version 1 2fd4e1c67a2d28fc
 *       age INT32
 *       name STRING
 *     version 2 93b885adfe0da089 breaking class com.example.Person
 *       "first name" STRING
 *       id STRING is uuid
 *       mood STRING missing CALM is enum of CALM GLAD
 *       pet COMPACT is record of com.example.Cat com.example.Dog
 * </pre>
 *
 * <p>Only the schema is known of a version without a class. Format 1, which is still read, had neither classes nor meanings of fields. The text of
 * a descriptor has the same form for one type with one version, with other first lines and without a compatibility.
 *
 * <p>A name stands in quotes unless it consists of ASCII letters, digits, underscores, dots, dollar signs and minuses. In quotes, \ and " are
 * escaped, and invisible characters are written as \\uXXXX. Each id is the fingerprint of the type's name and the fields below it.
 */
final class SchemaLockFormat {
    static final String COMMENT =
            "# The schemas that records may have. Written by \"compact accept\"; a check fails on any other.";

    static final String DESCRIPTOR_COMMENT =
            "# What the annotation processor found in a type. Compare it with \"compact diff\".";

    static final String HEAD = "compact.lock 2";
    static final String OLD_HEAD = "compact.lock 1";
    static final String DESCRIPTOR_HEAD = "compact.schema 1";
    private static final String COMPATIBILITY = "compatibility ";
    private static final String TYPE = "type ";
    private static final String VERSION = "  version ";
    private static final String BREAKING = " breaking";
    private static final String CLASS = " class ";
    private static final String MISSING = " missing ";
    private static final String IS = " is ";
    private static final String OF = " of";
    private static final String FIELD = "    ";
    private static final int ID_DIGITS = 16;
    private static final int MAX_SHOWN = 300;

    private final String[] lines;
    /** Index of the line that is read next. */
    private int at;

    private boolean isOld;

    SchemaLockFormat(String text) {
        lines = text.split("\n", -1);
        for (int i = 0; i < lines.length - 1; i++) {
            if (lines[i].endsWith("\r")) {
                lines[i] = lines[i].substring(0, lines[i].length() - 1);
            }
        }
    }

    static String text(SchemaLock lock) {
        StringBuilder text = new StringBuilder();
        text.append(COMMENT).append('\n').append(HEAD).append('\n');
        text.append(COMPATIBILITY).append(lock.compatibility()).append('\n');
        lock.types().forEach((name, versions) -> append(text, name, versions));
        return text.toString();
    }

    static String text(TypeDescriptor descriptor) {
        StringBuilder text = new StringBuilder();
        text.append(DESCRIPTOR_COMMENT).append('\n').append(DESCRIPTOR_HEAD).append('\n');
        append(text, descriptor.typeName(), List.of(new LockedVersion(descriptor, false)));
        return text.toString();
    }

    private static void append(StringBuilder text, String typeName, List<LockedVersion> versions) {
        text.append('\n').append(TYPE).append(LockName.text(typeName)).append('\n');
        for (int i = 0; i < versions.size(); i++) {
            LockedVersion version = versions.get(i);
            TypeDescriptor descriptor = version.descriptor();
            text.append(VERSION).append(i + 1).append(' ').append(id(version.schema()));
            text.append(version.isBreaking() ? BREAKING : "");
            text.append(descriptor.isBare() ? "" : CLASS + LockName.text(descriptor.className()));
            text.append('\n');
            for (FieldDescriptor field : version.schema().fields()) {
                text.append(FIELD).append(LockName.text(field.name())).append(' ');
                text.append(field.kind()).append(text(descriptor.meaning(field.name())));
                text.append('\n');
            }
        }
    }

    /** Returns the text that stands behind the kind of a field. */
    static String text(FieldMeaning meaning) {
        StringBuilder text = new StringBuilder();
        meaning.missing().ifPresent(value -> text.append(MISSING).append(LockName.text(value)));
        if (!meaning.isPlain()) {
            text.append(IS).append(LockName.text(meaning.format()));
        }
        if (!meaning.values().isEmpty()) {
            text.append(OF);
            meaning.values().forEach(value -> text.append(' ').append(LockName.text(value)));
        }
        return text.toString();
    }

    private static String id(Schema schema) {
        return String.format(Locale.ROOT, "%0" + ID_DIGITS + "x", schema.id());
    }

    SchemaLock parse() {
        expect(COMMENT);
        isOld = lineIs(OLD_HEAD);
        expect(isOld ? OLD_HEAD : HEAD);
        Compatibility compatibility = compatibility();
        SortedMap<String, List<LockedVersion>> types = new TreeMap<>();
        while (at < lines.length - 1) {
            String name = typeName();
            if (types.put(name, List.of()) != null) {
                throw wrong("type twice: name=" + name);
            }
            at++;
            types.put(name, versions(name));
        }
        SchemaLock lock = new SchemaLock(compatibility, types);
        checkWritten(isOld ? lock.text().replaceFirst(HEAD, OLD_HEAD) : lock.text());
        return lock;
    }

    TypeDescriptor parseDescriptor() {
        expect(DESCRIPTOR_COMMENT);
        expect(DESCRIPTOR_HEAD);
        String name = typeName();
        at++;
        TypeDescriptor descriptor = versions(name).get(0).descriptor();
        checkWritten(text(descriptor));
        return descriptor;
    }

    private String typeName() {
        expect("");
        if (!isAt(TYPE)) {
            throw wrong("no type");
        }
        LockName name = LockName.parse(lines[at], TYPE.length(), at + 1);
        if (name.end() < lines[at].length()) {
            throw wrong("more than a name: column=" + (name.end() + 1));
        }
        return name.value();
    }

    private Compatibility compatibility() {
        for (Compatibility each : Compatibility.values()) {
            if (lineIs(COMPATIBILITY + each)) {
                at++;
                return each;
            }
        }
        throw wrong("no compatibility");
    }

    private List<LockedVersion> versions(String typeName) {
        List<LockedVersion> versions = new ArrayList<>();
        while (isAt(VERSION)) {
            versions.add(version(typeName, versions));
        }
        if (versions.isEmpty()) {
            throw wrong("no version");
        }
        return versions;
    }

    private LockedVersion version(String typeName, List<LockedVersion> before) {
        int line = at;
        String number = VERSION + (before.size() + 1) + " ";
        int idEnd = number.length() + ID_DIGITS;
        if (!isAt(number) || lines[at].length() < idEnd) {
            throw wrong("not the next version: got=" + lines[at].trim() + " expected=" + number.trim());
        }
        String id = lines[at].substring(number.length(), idEnd);
        boolean isBreaking = lines[at].startsWith(BREAKING, idEnd);
        int end = idEnd + (isBreaking ? BREAKING.length() : 0);
        String className = "";
        if (!isOld && lines[at].startsWith(CLASS, end)) {
            LockName name = LockName.parse(lines[at], end + CLASS.length(), at + 1);
            className = name.value();
            end = name.end();
        }
        if (end != lines[at].length()) {
            throw wrong("not a version: column=" + (end + 1));
        }
        at++;
        List<FieldDescriptor> fields = new ArrayList<>();
        SortedMap<String, FieldMeaning> meanings = new TreeMap<>();
        while (isAt(FIELD)) {
            fields.add(field(fields, meanings));
        }
        meanings.values().removeIf(FieldMeaning.PLAIN::equals);
        if (className.isEmpty() && !meanings.isEmpty()) {
            at = line;
            throw wrong("meanings of fields without a class");
        }
        Schema schema = Schema.of(typeName, fields);
        if (!id.equals(id(schema))) {
            at = line;
            throw wrong("not the fingerprint of these fields: got=" + id + " expected=" + id(schema));
        }
        TypeDescriptor descriptor = new TypeDescriptor(schema, className, meanings);
        if (!before.isEmpty() && before.get(before.size() - 1).descriptor().equals(descriptor)) {
            at = line;
            throw wrong("the same as the version before");
        }
        return new LockedVersion(descriptor, isBreaking);
    }

    private FieldDescriptor field(List<FieldDescriptor> before, SortedMap<String, FieldMeaning> meanings) {
        LockName name = LockName.parse(lines[at], FIELD.length(), at + 1);
        if (!before.isEmpty() && before.get(before.size() - 1).name().compareTo(name.value()) >= 0) {
            throw wrong("field out of order, or twice: name=" + name.value());
        }
        int kindAt = Math.min(name.end() + 1, lines[at].length());
        int blank = lines[at].indexOf(' ', kindAt);
        int kindEnd = blank < 0 ? lines[at].length() : blank;
        String kind = lines[at].substring(kindAt, kindEnd);
        for (FieldKind each : FieldKind.values()) {
            if (each.name().equals(kind)) {
                meanings.put(name.value(), meaning(kindEnd));
                at++;
                return new FieldDescriptor(name.value(), each);
            }
        }
        throw wrong("no field kind: got=" + kind);
    }

    /** Reads the meaning of a field, which begins at an index of the line. */
    private FieldMeaning meaning(int from) {
        String line = lines[at];
        int end = from;
        Optional<String> missing = Optional.empty();
        if (line.startsWith(MISSING, end)) {
            LockName value = LockName.parse(line, end + MISSING.length(), at + 1);
            missing = Optional.of(value.value());
            end = value.end();
        }
        String format = "";
        if (line.startsWith(IS, end)) {
            LockName value = LockName.parse(line, end + IS.length(), at + 1);
            format = value.value();
            end = value.end();
        }
        List<String> values = new ArrayList<>();
        if (line.startsWith(OF, end)) {
            end += OF.length();
            while (end < line.length()) {
                LockName value = LockName.parse(line, end + 1, at + 1);
                values.add(value.value());
                end = value.end();
            }
        }
        if (end != line.length()) {
            throw wrong("no meaning of a field: column=" + (end + 1));
        }
        return new FieldMeaning(format, values, missing);
    }

    private boolean isAt(String start) {
        return at < lines.length && lines[at].startsWith(start);
    }

    private boolean lineIs(String line) {
        return at < lines.length && lines[at].equals(line);
    }

    private void expect(String line) {
        if (!lineIs(line)) {
            throw wrong("got=" + (at < lines.length ? lines[at] : "end") + " expected=" + line);
        }
        at++;
    }

    /** Checks order, quotes and the last line end, which the parser does not check, by comparing the text with that of the parsed lock. */
    private void checkWritten(String text) {
        String[] written = text.split("\n", -1);
        int line = Arrays.mismatch(written, lines);
        if (line >= 0) {
            at = line;
            throw wrong("not as it would be written: expected=" + (line < written.length ? written[line] : "end"));
        }
    }

    private CompactLockException wrong(String what) {
        boolean isLong = what.length() > MAX_SHOWN;
        return new CompactLockException(
                isLong ? what.substring(0, MAX_SHOWN) + "..." : what, Math.min(at + 1, lines.length));
    }
}
