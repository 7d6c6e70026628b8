package dev.touchstone.serialization.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.touchstone.serialization.exception.CompactLockException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SchemaLockTest {
    private static final Schema V1 = Schema.builder("a.Person")
            .field("age", FieldKind.INT32)
            .field("name", FieldKind.STRING)
            .build();
    private static final Schema V2 = Schema.builder("a.Person")
            .field("age", FieldKind.INT32)
            .field("email", FieldKind.ARRAY_OF_STRING)
            .field("name", FieldKind.STRING)
            .build();
    private static final Schema ODD =
            Schema.builder("").field("first \"name\"\n\\", FieldKind.DATE).build();
    private static final SchemaLock LOCK = SchemaLock.empty(Compatibility.FULL)
            .accept(TypeDescriptor.ofSchemas(List.of(V1, ODD)))
            .accept(TypeDescriptor.ofSchemas(List.of(V2, ODD)));
    private static final String TEXT = String.format(Locale.ROOT, """
            # The schemas that records may have. Written by "compact accept"; a check fails on any other.
            compact.lock 2
            compatibility FULL

            type ""
              version 1 %s
                "first \\"name\\"\\u000a\\\\" DATE

            type a.Person
              version 1 %s
                age INT32
                name STRING
              version 2 %s
                age INT32
                email ARRAY_OF_STRING
                name STRING
            """, hex(ODD), hex(V1), hex(V2));

    private static String hex(Schema schema) {
        return String.format(Locale.ROOT, "%016x", schema.id());
    }

    private static Schema person(FieldKind age) {
        return Schema.builder("a.Person")
                .field("age", age)
                .field("email", FieldKind.ARRAY_OF_STRING)
                .field("name", FieldKind.STRING)
                .build();
    }

    @Test
    void text_isLineByLineAsPromised() {
        assertThat(LOCK.text()).isEqualTo(TEXT);
        assertThat(SchemaLock.parse(TEXT)).isEqualTo(LOCK);
        assertThat(SchemaLock.parse(TEXT.replace("\n", "\r\n"))).isEqualTo(LOCK);
        SchemaLock empty = SchemaLock.empty(Compatibility.BACKWARD);
        assertThat(SchemaLock.parse(empty.text())).isEqualTo(empty);
        assertThat(empty.text()).hasLineCount(3);
    }

    @Test
    void parse_ofWhatIsNotExactlyRight_namesTheLine() {
        assertRefused("", 1, "expected=#");
        assertRefused(TEXT.replace("compact.lock 2", "compact.lock 3"), 2, "compact.lock 3");
        assertRefused(TEXT.replace("FULL", "ALL"), 3, "no compatibility");
        assertRefused(TEXT.replace("type a.Person", "<<<<<<< HEAD"), 9, "no type");
        assertRefused(TEXT.replace("type a.Person", "type \"a.Person\""), 9, "not as it would be written");
        assertRefused(TEXT.replace("type a.Person", "type a Person"), 9, "more than a name: column=7");
        assertRefused(TEXT.replace("version 2", "version 3"), 13, "not the next version");
        assertRefused(TEXT.replace(hex(V2), hex(V1)), 13, "fingerprint");
        assertRefused(TEXT.replace(hex(V1), hex(V1) + " broken"), 10, "not a version: column=29");
        assertRefused(TEXT.replace("age INT32", "age int32"), 11, "no field kind: got=int32");
        assertRefused(TEXT.replace("    age INT32", "    zoo INT32"), 12, "out of order");
        assertRefused(TEXT.replace("    age INT32", "    name STRING"), 12, "out of order, or twice");
        assertRefused(TEXT.replace("\\\\\" DATE", "\\\\ DATE"), 7, "closing quote");
        assertRefused(TEXT.replace("\\u000a", "\\u00"), 7, "hexadecimal");
        assertRefused(TEXT.substring(0, TEXT.length() - 1), 16, "not as it would be written");
        assertRefused(TEXT + "\n", 18, "no type");
        assertRefused(TEXT.replace("\n\n", "\n"), 4, "expected=");
    }

    private static void assertRefused(String text, int line, String what) {
        assertThatThrownBy(() -> SchemaLock.parse(text))
                .isInstanceOfSatisfying(
                        CompactLockException.class,
                        e -> assertThat(e.line()).as(e.getMessage()).isEqualTo(line))
                .hasMessageContaining(what)
                .hasMessageContaining("line=" + line);
    }

    /** The class of a type may move after a break: what was accepted before the break is still compared with nothing. */
    @Test
    void accept_ofAnotherClassOfABreakingVersion_leavesItBreaking() {
        SchemaLock moved = SchemaLock.empty(Compatibility.FULL)
                .accept(List.of(new TypeDescriptor(person(FieldKind.INT32), "p.A", Collections.emptySortedMap())))
                .accept(List.of(new TypeDescriptor(person(FieldKind.INT64), "p.A", Collections.emptySortedMap())))
                .accept(List.of(new TypeDescriptor(person(FieldKind.INT64), "p.B", Collections.emptySortedMap())));
        assertThat(moved.types().get("a.Person"))
                .extracting(version -> version.descriptor().className(), LockedVersion::isBreaking)
                .containsExactly(tuple("p.A", false), tuple("p.B", true));
        Schema next = Schema.builder("a.Person").field("age", FieldKind.INT64).build();
        LockReport report = moved.check(List.of(new TypeDescriptor(next, "p.B", Collections.emptySortedMap())));
        assertThat(report.violations()).isEmpty();
        assertThat(report.changes()).hasSize(1);
    }

    /** The first format had schemas alone. */
    @Test
    void parse_ofTheFirstFormat_givesVersionsOfWhichOnlySchemasAreKnown() {
        SchemaLock old = SchemaLock.parse(TEXT.replace("compact.lock 2", "compact.lock 1"));
        assertThat(old).isEqualTo(LOCK);
        SortedMap<String, FieldMeaning> meanings = new TreeMap<>();
        meanings.put("name", FieldMeaning.constants(List.of("A", "B")));
        TypeDescriptor whole = new TypeDescriptor(V2, "a.Person", meanings);
        List<TypeDescriptor> all = List.of(whole, TypeDescriptor.ofSchema(ODD));
        assertThat(old.check(all).isCompatible()).isTrue();
        assertThat(old.check(all).changes()).containsExactly(new LockChange(LockChange.Kind.NEW_DETAILS, V2));
        SchemaLock accepted = old.accept(all);
        assertThat(accepted.types().get("a.Person")).hasSize(2);
        assertThat(accepted.text()).contains(hex(V2) + " class a.Person\n", "    name STRING is enum of A B\n");
        assertThat(SchemaLock.parse(accepted.text())).isEqualTo(accepted);
        assertThat(accepted.accept(TypeDescriptor.ofSchemas(List.of(V2, ODD)))).isEqualTo(accepted);
    }

    /** A version of which only the schema is known must not stand between two that differ. */
    @Test
    void check_ofDetails_comparesWithTheVersionsBefore() {
        TypeDescriptor named = new TypeDescriptor(V1, "a.P", meaning(FieldMeaning.constants(List.of("A"))));
        TypeDescriptor other = new TypeDescriptor(V2, "a.P", meaning(FieldMeaning.format("uuid")));
        SchemaLock lock = SchemaLock.empty(Compatibility.FULL)
                .accept(List.of(named))
                .accept(List.of(TypeDescriptor.ofSchema(V2)));
        LockReport report = lock.check(List.of(other));
        assertThat(report.violations()).extracting(Violation::rule).containsExactly(EvolutionRule.FORMAT_CHANGED);
        SchemaLock after = SchemaLock.parse(lock.accept(List.of(other)).text());
        assertThat(after.types().get("a.Person"))
                .extracting(LockedVersion::isBreaking)
                .containsExactly(false, false, true);
        assertThat(after.check(List.of(other)).isAccepted()).isTrue();
        TypeDescriptor moved = new TypeDescriptor(V2, "b.Q", other.meanings());
        assertThat(after.check(List.of(moved)).changes())
                .containsExactly(new LockChange(LockChange.Kind.NEW_DETAILS, V2));
        assertThat(after.accept(List.of(moved)).types().get("a.Person")).hasSize(3);
    }

    private static SortedMap<String, FieldMeaning> meaning(FieldMeaning meaning) {
        SortedMap<String, FieldMeaning> meanings = new TreeMap<>();
        meanings.put("name", meaning);
        return meanings;
    }

    @Test
    void write_throughLinks_changesNoOtherFile(@TempDir Path folder) throws IOException {
        Path real = Files.writeString(
                folder.resolve("real"), SchemaLock.empty(Compatibility.FULL).text());
        Path link = Files.createSymbolicLink(folder.resolve(SchemaLock.FILE_NAME), real);
        Path precious = Files.writeString(folder.resolve("precious"), "precious");
        Files.createSymbolicLink(folder.resolve(SchemaLock.FILE_NAME + ".tmp"), precious);
        Files.setPosixFilePermissions(real, PosixFilePermissions.fromString("rw-------"));
        LOCK.write(link);
        assertThat(SchemaLock.read(real)).isEqualTo(LOCK);
        assertThat(link).isSymbolicLink();
        assertThat(precious).hasContent("precious");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(real)))
                .isEqualTo("rw-------");
        assertThat(folder).isDirectoryNotContaining("glob:**.*-*.tmp");
    }

    @Test
    void parse_ofADescriptor_givesIt() {
        SortedMap<String, FieldMeaning> meanings = new TreeMap<>();
        meanings.put("age", FieldMeaning.PLAIN.withMissing("-1"));
        meanings.put("email", FieldMeaning.format("uuid"));
        meanings.put(
                "name",
                FieldMeaning.constants(List.of("missing", "of", "A B", "is")).withMissing("a\"b"));
        TypeDescriptor descriptor = new TypeDescriptor(V2, "a.Person$\u00c4", meanings);
        assertThat(descriptor.text()).isEqualTo(String.format(Locale.ROOT, """
                # What the annotation processor found in a type. Compare it with "compact diff".
                compact.schema 1

                type a.Person
                  version 1 %s class "a.Person$\u00c4"
                    age INT32 missing -1
                    email ARRAY_OF_STRING is uuid
                    name STRING missing "a\\"b" is enum of "A B" is missing of
                """, hex(V2)));
        assertThat(TypeDescriptor.parse(descriptor.text())).isEqualTo(descriptor);
        assertThatThrownBy(() -> TypeDescriptor.parse(descriptor.text().replace("missing -1", "missing")))
                .isInstanceOf(CompactLockException.class);
        assertThatThrownBy(() -> TypeDescriptor.parse(descriptor.text().replace(" of\n", " \n")))
                .isInstanceOf(CompactLockException.class);
        assertThatThrownBy(() -> TypeDescriptor.parse(TEXT)).isInstanceOf(CompactLockException.class);
    }

    @Test
    void parse_ofTypesOutOfOrder_isRefused() {
        String first = TEXT.substring(TEXT.indexOf("\ntype \"\""), TEXT.indexOf("\ntype a"));
        assertRefused(TEXT.replace(first, "") + first, 5, "not as it would be written");
        assertRefused(TEXT + TEXT.substring(TEXT.indexOf("\ntype a")), 18, "type twice");
    }

    @Test
    void check_ofTheAcceptedSchemas_findsNothing() {
        LockReport report = LOCK.check(TypeDescriptor.ofSchemas(List.of(ODD, V2)));
        assertThat(report.isAccepted()).isTrue();
        assertThat(report.isCompatible()).isTrue();
        assertThat(LOCK.accept(TypeDescriptor.ofSchemas(List.of(ODD, V2)))).isEqualTo(LOCK);
    }

    @Test
    void check_ofACompatibleChange_isNotAcceptedUntilItIs() {
        Schema v3 = Schema.builder("a.Person")
                .field("age", FieldKind.INT32)
                .field("email", FieldKind.ARRAY_OF_STRING)
                .field("name", FieldKind.STRING)
                .field("since", FieldKind.DATE)
                .build();
        Schema other = Schema.builder("b.Dog").build();
        LockReport report = LOCK.check(TypeDescriptor.ofSchemas(List.of(ODD, v3, other)));
        assertThat(report.isCompatible()).isTrue();
        assertThat(report.changes())
                .containsExactly(
                        new LockChange(LockChange.Kind.NEW_VERSION, v3),
                        new LockChange(LockChange.Kind.NEW_TYPE, other));
        SchemaLock after = LOCK.accept(TypeDescriptor.ofSchemas(List.of(ODD, v3, other)));
        assertThat(after.check(TypeDescriptor.ofSchemas(List.of(ODD, v3, other)))
                        .isAccepted())
                .isTrue();
        assertThat(after.types().get("a.Person"))
                .extracting(LockedVersion::isBreaking)
                .containsExactly(false, false, false);
        assertThat(LOCK.text()).isEqualTo(TEXT);
    }

    @Test
    void check_ofAnIncompatibleChange_saysSoUntilItIsAccepted() {
        Schema v3 = person(FieldKind.STRING);
        LockReport report = LOCK.check(TypeDescriptor.ofSchemas(List.of(ODD, v3)));
        assertThat(report.violations())
                .singleElement()
                .satisfies(each -> assertThat(each.rule()).isEqualTo(EvolutionRule.FIELD_KIND_CHANGED));
        SchemaLock after = SchemaLock.parse(
                LOCK.accept(TypeDescriptor.ofSchemas(List.of(ODD, v3))).text());
        assertThat(after.check(TypeDescriptor.ofSchemas(List.of(ODD, v3))).isAccepted())
                .isTrue();
        assertThat(after.types().get("a.Person"))
                .extracting(LockedVersion::isBreaking)
                .containsExactly(false, false, true);
        Schema v4 = Schema.builder("a.Person").field("age", FieldKind.STRING).build();
        assertThat(after.check(TypeDescriptor.ofSchemas(List.of(ODD, v4))).isCompatible())
                .isTrue();
    }

    @Test
    void check_comparesWithEveryVersionSinceTheLastBreak() {
        Schema without = Schema.builder("a.Person")
                .field("age", FieldKind.INT32)
                .field("name", FieldKind.STRING)
                .build();
        SchemaLock lock = LOCK.accept(TypeDescriptor.ofSchemas(List.of(ODD, without)));
        Schema again = Schema.builder("a.Person")
                .field("age", FieldKind.INT32)
                .field("email", FieldKind.STRING)
                .field("name", FieldKind.STRING)
                .build();
        assertThat(lock.check(TypeDescriptor.ofSchemas(List.of(ODD, again))).violations())
                .extracting(Violation::rule, Violation::fieldName)
                .containsExactly(org.assertj.core.groups.Tuple.tuple(EvolutionRule.FIELD_KIND_CHANGED, "email"));
        Schema another = Schema.builder("a.Person")
                .field("age", FieldKind.INT32)
                .field("mails", FieldKind.ARRAY_OF_STRING)
                .field("name", FieldKind.STRING)
                .build();
        assertThat(lock.check(TypeDescriptor.ofSchemas(List.of(ODD, another))).isCompatible())
                .isTrue();
        assertThat(LOCK.check(TypeDescriptor.ofSchemas(List.of(ODD, another))).violations())
                .extracting(Violation::rule)
                .containsOnly(EvolutionRule.FIELD_RENAMED);
    }

    @Test
    void check_ofAnOlderVersion_isAChange() {
        SchemaLock lock = LOCK.withCompatibility(Compatibility.BACKWARD);
        assertThat(lock.check(TypeDescriptor.ofSchemas(List.of(ODD, V1))).changes())
                .containsExactly(new LockChange(LockChange.Kind.NEW_VERSION, V1));
        SchemaLock back = SchemaLock.parse(
                lock.accept(TypeDescriptor.ofSchemas(List.of(ODD, V1))).text());
        assertThat(back.types().get("a.Person"))
                .extracting(LockedVersion::schema)
                .containsExactly(V1, V2, V1);
    }

    @Test
    void check_ofATypeThatIsGone_sparesOldReaders() {
        assertThat(LOCK.check(TypeDescriptor.ofSchemas(List.of(ODD))).violations())
                .extracting(Violation::rule)
                .containsExactly(EvolutionRule.TYPE_REMOVED);
        SchemaLock forward = LOCK.withCompatibility(Compatibility.FORWARD);
        assertThat(forward.check(TypeDescriptor.ofSchemas(List.of(ODD))).isCompatible())
                .isTrue();
        assertThat(forward.check(TypeDescriptor.ofSchemas(List.of(ODD))).changes())
                .containsExactly(new LockChange(LockChange.Kind.REMOVED_TYPE, V2));
        Schema renamed = Schema.of("a.Human", V2.fields());
        assertThat(forward.check(TypeDescriptor.ofSchemas(List.of(ODD, renamed)))
                        .violations())
                .extracting(Violation::rule)
                .containsExactly(EvolutionRule.TYPE_RENAMED);
        SchemaLock both = forward.accept(TypeDescriptor.ofSchemas(List.of(ODD, V2, renamed)));
        assertThat(both.check(TypeDescriptor.ofSchemas(List.of(ODD, renamed))).isCompatible())
                .as("a type that was there before has not taken the name of another")
                .isTrue();
        assertThat(forward.accept(TypeDescriptor.ofSchemas(List.of(ODD))).types())
                .containsOnlyKeys("");
    }

    @Test
    void check_ofTwoSchemasOfAType_isRefused() {
        assertThatThrownBy(() -> LOCK.check(TypeDescriptor.ofSchemas(List.of(V1, V2))))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> LOCK.accept(TypeDescriptor.ofSchemas(List.of(V1, V2))))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(LOCK.check(TypeDescriptor.ofSchemas(List.of(V2, V2, ODD))).isAccepted())
                .isTrue();
    }
}
