package dev.touchstone.serialization.schema;

import dev.touchstone.serialization.CompactLockException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The text of a lock: one line for each fact, types and fields by name, versions by age, so that a change is seen in a diff.
 *
 * <pre>
 *   # The schemas that records may have. Written by "compact accept"; a check fails on any other.
 *   compact.lock 1
 *   compatibility FULL
 *
 *   type com.example.Person
 *     version 1 2fd4e1c67a2d28fc
 *       age INT32
 *       name STRING
 *     version 2 93b885adfe0da089 breaking
 *       "first name" STRING
 * </pre>
 *
 * <p>A name stands in quotes, with \ and " escaped and what cannot be seen as \\uXXXX, unless it consists of the letters, digits and other
 * signs of a Java name, dots and minuses. Each id is the fingerprint of what stands below it.
 */
final class SchemaLockFormat {
    static final String COMMENT =
            "# The schemas that records may have. Written by \"compact accept\"; a check fails on any other.";

    static final String HEAD = "compact.lock 1";
    private static final String COMPATIBILITY = "compatibility ";
    private static final String TYPE = "type ";
    private static final String VERSION = "  version ";
    private static final String BREAKING = "breaking";
    private static final String FIELD = "    ";
    private static final int ID_DIGITS = 16;
    private static final int MAX_SHOWN = 300;

    private final String[] lines;
    /** Index of the line that is read. */
    private int at;

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
        lock.types().forEach((name, versions) -> {
            text.append('\n').append(TYPE).append(LockName.text(name)).append('\n');
            for (int i = 0; i < versions.size(); i++) {
                append(text, i + 1, versions.get(i));
            }
        });
        return text.toString();
    }

    private static void append(StringBuilder text, int number, LockedVersion version) {
        text.append(VERSION).append(number).append(' ').append(id(version.schema()));
        text.append(version.isBreaking() ? " " + BREAKING : "").append('\n');
        for (FieldDescriptor field : version.schema().fields()) {
            text.append(FIELD).append(LockName.text(field.name())).append(' ');
            text.append(field.kind()).append('\n');
        }
    }

    private static String id(Schema schema) {
        return String.format(Locale.ROOT, "%0" + ID_DIGITS + "x", schema.id());
    }

    SchemaLock parse() {
        expect(COMMENT);
        expect(HEAD);
        Compatibility compatibility = compatibility();
        SortedMap<String, List<LockedVersion>> types = new TreeMap<>();
        while (at < lines.length - 1) {
            expect("");
            if (!isAt(TYPE)) {
                throw wrong("no type");
            }
            LockName name = LockName.parse(lines[at], TYPE.length(), at + 1);
            if (name.end() < lines[at].length()) {
                throw wrong("more than a name: column=" + (name.end() + 1));
            }
            if (types.put(name.value(), List.of()) != null) {
                throw wrong("type twice: name=" + name.value());
            }
            at++;
            types.put(name.value(), versions(name.value()));
        }
        SchemaLock lock = new SchemaLock(compatibility, types);
        checkWritten(lock.text());
        return lock;
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
        String[] words = lines[at].substring(VERSION.length()).split(" ", -1);
        boolean isBreaking = words.length == 3 && words[2].equals(BREAKING);
        if (words.length != 2 && !isBreaking) {
            throw wrong("not a version: " + Arrays.toString(words));
        }
        if (!words[0].equals(String.valueOf(before.size() + 1))) {
            throw wrong("not the next version: got=" + words[0] + " expected=" + (before.size() + 1));
        }
        at++;
        List<FieldDescriptor> fields = new ArrayList<>();
        while (isAt(FIELD)) {
            fields.add(field(fields));
        }
        Schema schema = Schema.of(typeName, fields);
        if (!words[1].equals(id(schema))) {
            at = line;
            throw wrong("not the fingerprint of these fields: got=" + words[1] + " expected=" + id(schema));
        }
        if (!before.isEmpty() && before.get(before.size() - 1).schema().equals(schema)) {
            at = line;
            throw wrong("the same as the version before");
        }
        return new LockedVersion(schema, isBreaking);
    }

    private FieldDescriptor field(List<FieldDescriptor> before) {
        LockName name = LockName.parse(lines[at], FIELD.length(), at + 1);
        if (!before.isEmpty() && before.get(before.size() - 1).name().compareTo(name.value()) >= 0) {
            throw wrong("field out of order, or twice: name=" + name.value());
        }
        String kind = name.end() < lines[at].length() ? lines[at].substring(name.end() + 1) : "";
        for (FieldKind each : FieldKind.values()) {
            if (each.name().equals(kind)) {
                at++;
                return new FieldDescriptor(name.value(), each);
            }
        }
        throw wrong("no field kind: got=" + kind);
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

    /** Order, quotes and the last line's end: all that is not said above is found by writing the lock again. */
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
