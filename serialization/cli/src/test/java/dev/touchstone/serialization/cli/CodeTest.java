package dev.touchstone.serialization.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.cli.Console;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.serialization.schema.Compatibility;
import dev.touchstone.serialization.schema.FieldKind;
import dev.touchstone.serialization.schema.FieldMeaning;
import dev.touchstone.serialization.schema.Schema;
import dev.touchstone.serialization.schema.SchemaLock;
import dev.touchstone.serialization.schema.TypeDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Generated code, compared with files; OtherClientsTest of serialization-hazelcast runs such code in the clients. */
class CodeTest {
    @TempDir
    Path folder = Path.of("");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(Object... args) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return Commands.execute(
                InputStream.nullInputStream(),
                Console.of(new PrintWriter(out), new PrintWriter(err)),
                Arrays.stream(args).map(Object::toString).toArray(String[]::new));
    }

    private Path lock(TypeDescriptor... types) throws IOException {
        Path file = folder.resolve("compact.lock");
        SchemaLock.empty(Compatibility.FULL).accept(List.of(types)).write(file);
        return file;
    }

    private static TypeDescriptor type(Schema schema, Map<String, FieldMeaning> meanings) {
        return new TypeDescriptor(schema, "p.C", new TreeMap<>(meanings));
    }

    /** A field of each kind. */
    private static TypeDescriptor everyKind() {
        Schema.Builder schema = Schema.builder("com.example.Everything");
        for (FieldKind kind : FieldKind.values()) {
            schema.field("f" + kind.name().toLowerCase(Locale.ROOT), kind);
        }
        return type(
                schema.build(),
                Map.of(
                        "fcompact", FieldMeaning.records(List.of("com.example.Point")),
                        "farray_of_compact", FieldMeaning.records(List.of("com.example.Point", "com.other.Point")),
                        "farray_of_string", FieldMeaning.constants(List.of("GREEN", "RED")),
                        "fstring",
                                FieldMeaning.constants(List.of("None", "name", "_x", "RED", "größe"))
                                        .withMissing("RED")));
    }

    private static TypeDescriptor everyDefault() {
        Schema.Builder schema = Schema.builder("com.example.Defaults");
        Map<String, FieldMeaning> meanings = new TreeMap<>();
        Map<FieldKind, String> texts = new TreeMap<>(Map.ofEntries(
                Map.entry(FieldKind.BOOLEAN, "true"),
                Map.entry(FieldKind.NULLABLE_INT8, "-128"),
                Map.entry(FieldKind.INT64, "9007199254740993"),
                Map.entry(FieldKind.FLOAT32, "0.1"),
                Map.entry(FieldKind.FLOAT64, "-Infinity"),
                Map.entry(FieldKind.NULLABLE_FLOAT64, "NaN"),
                Map.entry(FieldKind.STRING, "it's \"\\ 中😀\n"),
                Map.entry(FieldKind.DECIMAL, "-1.10"),
                Map.entry(FieldKind.TIME, "10:15:30.000001"),
                Map.entry(FieldKind.DATE, "2026-02-28"),
                Map.entry(FieldKind.TIMESTAMP, "2026-02-28T10:15"),
                Map.entry(FieldKind.TIMESTAMP_WITH_TIMEZONE, "2026-02-28T10:15:30+01:00")));
        texts.forEach((kind, text) -> {
            schema.field("of" + kind, kind);
            meanings.put("of" + kind, FieldMeaning.PLAIN.withMissing(text));
        });
        schema.field("id", FieldKind.ARRAY_OF_INT64);
        meanings.put("id", FieldMeaning.format("uuid").withMissing("00000000-0000-0001-ffff-fffffffffffe"));
        schema.field("letter", FieldKind.INT16);
        meanings.put("letter", FieldMeaning.format("char").withMissing("A"));
        return type(schema.build(), meanings);
    }

    private static TypeDescriptor oddNames() {
        Schema.Builder schema = Schema.builder("odd names.none");
        List<String> names = List.of(
                "",
                "1st",
                "class",
                "Class",
                "constructor",
                "__proto__",
                "first name",
                "firstName",
                "first_name",
                "f!keys",
                "int",
                "self",
                "😀",
                "名前",
                "toString",
                "isOpen",
                "HTTPServer",
                "a\"b\\c*/");
        names.forEach(name -> schema.field(name, FieldKind.NULLABLE_INT32));
        return type(schema.build(), Map.of());
    }

    private static TypeDescriptor plain(String name) {
        return type(Schema.builder(name).field("x", FieldKind.INT32).build(), Map.of());
    }

    @ParameterizedTest
    @CsvSource({"python,compact_types.py", "TypeScript,compact-types.ts"})
    void code_ofEveryKindNameAndDefault_isAsTheFile(String language, String name)
            throws IOException, URISyntaxException {
        Path lock = lock(
                everyKind(),
                everyDefault(),
                oddNames(),
                plain("com.example.Point"),
                plain("com.other.Point"),
                plain("com.example.EverythingSerializer"),
                plain("None"),
                plain("Long"),
                plain("9"),
                type(Schema.builder("中文").build(), Map.of()));
        assertThat(run("code", "--language", language, "--lock", lock, "--out", folder.resolve("a/b")))
                .isZero();
        assertThat(out.toString()).contains("generated: ", name + " has 10 types");
        Path file = folder.resolve("a/b").resolve(name);
        Path golden = Path.of(Objects.requireNonNull(CodeTest.class.getResource("/golden/" + name))
                .toURI());
        Path copy = Files.createDirectories(Path.of("target", "golden")).resolve(name);
        Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
        assertThat(file).as("if the change is meant, take " + copy).hasSameTextualContentAs(golden);
        assertThat(run("code", "--language", language, "--lock", lock, "--out", folder.resolve("a/b")))
                .as("replaces what it has made")
                .isZero();
    }

    /** U+2E2F is a letter that neither language has in identifiers. */
    @ParameterizedTest
    @CsvSource({"python,compact_types.py,a: int = 0", "typescript,compact-types.ts,a: number;"})
    void code_ofALetterThatNoIdentifierHas_isWithoutIt(String language, String name, String attribute)
            throws IOException {
        Schema schema = Schema.builder("t").field("\u2e2fa", FieldKind.INT32).build();
        assertThat(run("code", "--language", language, "--lock", lock(type(schema, Map.of())), "--out", folder))
                .isZero();
        assertThat(folder.resolve(name)).content().contains("    " + attribute);
    }

    @Test
    void code_ofTwoVersions_isOfTheNewest() throws IOException {
        Schema next = Schema.builder("t").field("y", FieldKind.STRING).build();
        Path lock = folder.resolve("compact.lock");
        SchemaLock.empty(Compatibility.FULL)
                .accept(List.of(plain("t")))
                .accept(List.of(type(next, Map.of())))
                .write(lock);
        assertThat(run("code", "--language", "python", "--lock", lock, "--out", folder))
                .isZero();
        assertThat(folder.resolve("compact_types.py"))
                .content()
                .contains("y: _typing.Optional[str] = None")
                .doesNotContain("\"x\"");
    }

    @Test
    void code_thatCannotBeMade_is2() throws IOException {
        assertThat(run("code", "--lock", lock())).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("--language");
        assertThat(run("code", "--language", "cobol", "--lock", lock())).isEqualTo(ExitCode.USAGE);
        assertThat(run("code", "--language", "python", "--lock", lock())).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("lock has no types");
        assertThat(run("code", "--language", "python", "--lock", folder.resolve("none")))
                .isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("no such lock");
        Files.writeString(folder.resolve("compact_types.py"), "mine\n");
        assertThat(run("code", "--language", "python", "--lock", lock(plain("t")), "--out", folder))
                .isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("was not generated");
        assertThat(folder.resolve("compact_types.py")).hasContent("mine\n");
    }

    @ParameterizedTest
    @CsvSource({"DATE,10000-01-01", "TIME,10:15:30.000000001", "INT32,x", "COMPACT,x"})
    void code_ofADefaultThatPythonCannotHold_is2(FieldKind kind, String value) throws IOException {
        Schema schema = Schema.builder("t").field("f", kind).build();
        String text = kind == FieldKind.DATE ? "+" + value : value;
        Path lock = lock(type(schema, Map.of("f", FieldMeaning.PLAIN.withMissing(text))));
        assertThat(run("code", "--language", "python", "--lock", lock, "--out", folder))
                .isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("cannot be written in Python: type=t field=f value=" + text);
    }
}
