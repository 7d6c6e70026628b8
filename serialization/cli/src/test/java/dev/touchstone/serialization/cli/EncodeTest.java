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
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EncodeTest {
    private static final Schema FIRST =
            Schema.builder("city").field("name", FieldKind.STRING).build();
    private static final Schema CITY = Schema.builder("city")
            .field("mayor", FieldKind.COMPACT)
            .field("name", FieldKind.STRING)
            .field("people", FieldKind.INT64)
            .build();
    private static final Schema PERSON =
            Schema.builder("person").field("name", FieldKind.STRING).build();
    private static final String OSLO =
            "{\"$type\":\"city\",\"mayor\":{\"$type\":\"person\",\"name\":\"Ada\"},\"name\":\"Oslo\",\"people\":717710}";
    private static final String FARO = "{\"$type\":\"city\",\"mayor\":null,\"name\":\"Faro\",\"people\":0}";

    @TempDir
    Path folder = Path.of("");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private Path lock = Path.of("");

    @BeforeEach
    void writeLock() throws IOException {
        lock = folder.resolve("compact.lock");
        TypeDescriptor city = descriptor(
                CITY,
                Map.of(
                        "people", FieldMeaning.PLAIN.withMissing("0"),
                        "mayor", FieldMeaning.records(List.of("person"))));
        SchemaLock.empty(Compatibility.BACKWARD)
                .accept(List.of(descriptor(FIRST, Map.of())))
                .accept(List.of(city, descriptor(PERSON, Map.of())))
                .write(lock);
    }

    private static TypeDescriptor descriptor(Schema schema, Map<String, FieldMeaning> meanings) {
        return new TypeDescriptor(schema, "p." + schema.typeName(), new TreeMap<>(meanings));
    }

    private int run(String in, Object... args) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return Commands.execute(
                new ByteArrayInputStream(in.getBytes(StandardCharsets.ISO_8859_1)),
                Console.of(new PrintWriter(out), new PrintWriter(err)),
                Arrays.stream(args).map(Object::toString).toArray(String[]::new));
    }

    @Test
    void encode_ofOneObject_isARecordThatDumpShowsTheSame() throws IOException {
        Path json = Files.writeString(folder.resolve("oslo.json"), OSLO);
        Path record = folder.resolve("record");
        assertThat(run("", "encode", "--schemas", lock, "--out", record, json)).isZero();
        assertThat(run("", "dump", "--schemas", lock, record)).isZero();
        assertThat(out.toString()).isEqualToIgnoringNewLines(OSLO);
        assertThat(run("{\"name\":\"Faro\"}", "encode", "--schemas", lock, "--type", "city", "--hex", "-"))
                .isZero();
        String digits = out.toString().strip();
        assertThat(run("", "dump", "--schemas", lock, "--hex", digits)).isZero();
        assertThat(out.toString()).isEqualToIgnoringNewLines(FARO);
    }

    @Test
    void encode_ofLines_isAContainerWithAllSchemas() throws IOException {
        String old = "{\"$type\":\"city\",\"$schemaId\":\"" + Texts.id(FIRST.id()) + "\",\"name\":\"Rome\"}";
        Path container = folder.resolve("cities");
        String lines = OSLO + "\n" + FARO + "\n" + old + "\n";
        assertThat(run(lines, "encode", "--schemas", lock, "--container", "--out", container, "-"))
                .isZero();
        assertThat(run("", "dump", container, "--schemas", lock)).isZero();
        assertThat(out.toString()).isEqualToNormalizingNewlines(lines);
        assertThat(run("", "dump", container)).isZero();
        assertThat(out.toString()).contains("{\"$type\":\"person\",\"$schemaId\":\"" + Texts.id(PERSON.id()));
        Path copy = folder.resolve("copy");
        assertThat(run(out.toString(), "encode", "--schemas", container, "--container", "--out", copy, "-"))
                .isZero();
        assertThat(copy).hasSameBinaryContentAs(container);
        try (var files = Files.list(folder)) {
            assertThat(files).as("no temporary files").hasSize(3);
        }
    }

    @Test
    void encode_ofWrongJson_saysWhereAndLeavesTheFile() throws IOException {
        Path file = Files.writeString(folder.resolve("out"), "before");
        String lines = FARO + "\n" + FARO.replace("0", "1.5");
        assertThat(run(lines, "encode", "--schemas", lock, "--container", "--out", file, "-"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("-: expected a whole number", "got \"1.5\" path=$.people line=2 column=53");
        assertThat(file).hasContent("before");
        assertThat(run("{\"\u00ff\":1}", "encode", "--schemas", lock, "--out", file, "-"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("not UTF-8");
    }

    @Test
    void encode_commandLineThatIsWrong_is2() {
        assertThat(run(FARO, "encode", "--hex", "-")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("--schemas");
        assertThat(run(FARO, "encode", "--schemas", lock, "-")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("expected either --out, or --hex");
        assertThat(run(FARO, "encode", "--schemas", lock, "--container", "--hex", "-"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(run(FARO, "encode", "--schemas", lock, "--type", "town", "--hex", "-"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("no such type in --schemas: town");
        assertThat(run(FARO + FARO, "encode", "--schemas", lock, "--hex", "-")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("--container takes any number");
        assertThat(run("", "encode", "--schemas", lock, "--hex", "-")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("got none");
    }

    @Test
    void folder_inPlaceOfAFile_is2AndNamed() throws IOException {
        Path place = Files.createDirectory(folder.resolve("place"));
        List<List<Object>> commands = List.of(
                List.of("dump", place),
                List.of("encode", "--schemas", lock, "--hex", place),
                List.of("code", "--language", "python", "--lock", place, "--out", folder));
        for (List<Object> command : commands) {
            err.getBuffer().setLength(0);
            assertThat(run("", command.toArray())).as(command.toString()).isEqualTo(ExitCode.USAGE);
            assertThat(err.toString()).contains("expected a file, got a folder: path=" + place);
        }
    }
}
