package dev.touchstone.serialization.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.touchstone.cli.Console;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.serialization.CompactCodec;
import dev.touchstone.serialization.CompactReader;
import dev.touchstone.serialization.CompactSerialization;
import dev.touchstone.serialization.CompactWriter;
import dev.touchstone.serialization.container.ContainerWriter;
import dev.touchstone.serialization.schema.FieldKind;
import dev.touchstone.serialization.schema.FieldMeaning;
import dev.touchstone.serialization.schema.Schema;
import dev.touchstone.serialization.schema.SchemaFormat;
import dev.touchstone.serialization.schema.SchemaLock;
import dev.touchstone.serialization.schema.TypeDescriptor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CompactTest {
    private static final Schema INNER =
            Schema.builder("inner").field("flags", FieldKind.ARRAY_OF_BOOLEAN).build();
    private static final Schema SCHEMA = Schema.builder("com.example.Thing")
            .field("inner", FieldKind.COMPACT)
            .field("number", FieldKind.FLOAT64)
            .field("price", FieldKind.DECIMAL)
            .field("text", FieldKind.STRING)
            .build();
    private static final Schema NEXT = Schema.builder("com.example.Thing")
            .field("inner", FieldKind.COMPACT)
            .field("number", FieldKind.NULLABLE_FLOAT64)
            .field("price", FieldKind.DECIMAL)
            .field("since", FieldKind.DATE)
            .field("text", FieldKind.STRING)
            .build();

    @TempDir
    Path folder = Path.of("");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(byte[] in, Object... args) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        Console console = Console.of(new PrintWriter(out), new PrintWriter(err));
        int exitCode = Commands.execute(
                new ByteArrayInputStream(in),
                console,
                Arrays.stream(args).map(Object::toString).toArray(String[]::new));
        assertThat(out.toString()
                        .lines()
                        .filter(line ->
                                !line.startsWith("{") && !line.startsWith(" ") && !line.contains(folder.toString())))
                .allMatch(line -> line.length() <= 100);
        return exitCode;
    }

    private int run(Object... args) {
        return run(new byte[0], args);
    }

    private JsonNode json() throws IOException {
        return new ObjectMapper().readTree(out.toString());
    }

    private Path descriptor(String name, Schema schema) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.write(file, SchemaFormat.encode(schema));
    }

    /** The same verdict as the compiler's, from the files that it writes. */
    @Test
    void diff_ofDescriptors_knowsDefaultsConstantsAndNestedTypes() throws IOException {
        Schema before = Schema.builder("t").field("color", FieldKind.STRING).build();
        Schema after = Schema.builder("t")
                .field("color", FieldKind.STRING)
                .field("size", FieldKind.INT32)
                .build();
        FieldMeaning stated = FieldMeaning.PLAIN.withMissing("7");
        Path old = text("old", before, Map.of("color", FieldMeaning.constants(List.of("A", "B"))));
        Path more =
                text("more", after, Map.of("color", FieldMeaning.constants(List.of("A", "B", "C")), "size", stated));
        Path fewer = text("fewer", after, Map.of("color", FieldMeaning.constants(List.of("A")), "size", stated));
        assertThat(run("diff", "--compatibility", "BACKWARD", old, more)).isZero();
        assertThat(out.toString()).contains("ok: added", "missing 7", "ok: changed", "enum of A B C");
        assertThat(run("diff", "--compatibility", "BACKWARD", old, fewer)).isEqualTo(1);
        assertThat(out.toString()).contains("VALUES_REMOVED", "values=[B]");
        assertThat(run("diff", "--compatibility", "FORWARD", "--json", old, more))
                .isEqualTo(1);
        assertThat(json().at("/violations/0/detail").asText()).isEqualTo("values=[C]");
        assertThat(run("inspect", more)).isZero();
        assertThat(out.toString()).contains("MEANING", "is enum of A B C");
    }

    private Path text(String name, Schema schema, Map<String, FieldMeaning> meanings) throws IOException {
        TypeDescriptor descriptor = new TypeDescriptor(schema, "p.T", new TreeMap<>(meanings));
        return Files.writeString(folder.resolve(name + ".schema"), descriptor.text());
    }

    /** Two records, each with one inside. */
    private Path container() throws IOException {
        Path file = folder.resolve("things.compact");
        try (ContainerWriter writer = new ContainerWriter(Files.newOutputStream(file), List.of(SCHEMA, INNER))) {
            writer.write(record(1.5));
            writer.write(record(Double.NaN));
        }
        return file;
    }

    private static byte[] record(double number) {
        CompactCodec<boolean[]> inner =
                codec(boolean[].class, INNER, (writer, value) -> writer.writeArrayOfBoolean(0, value));
        CompactCodec<Double> thing = codec(Double.class, SCHEMA, (writer, value) -> {
            writer.writeCompact("inner", new boolean[] {true, false}, inner);
            writer.writeFloat64("number", value);
            writer.writeDecimal("price", new BigDecimal("1.10"));
            writer.writeString("text", null);
        });
        return CompactSerialization.builder().build().encode(number, thing);
    }

    private static <T> CompactCodec<T> codec(
            Class<T> type, Schema schema, java.util.function.BiConsumer<CompactWriter, T> write) {
        return new CompactCodec<>() {
            @Override
            public Class<T> type() {
                return type;
            }

            @Override
            public Schema schema() {
                return schema;
            }

            @Override
            public void write(CompactWriter writer, T value) {
                write.accept(writer, value);
            }

            @Override
            public T read(CompactReader reader) {
                throw new UnsupportedOperationException();
            }
        };
    }

    @Test
    void help_ofEveryCommand_fitsAndSucceeds() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString()).contains("Exit codes", "inspect", "accept");
        for (String command : List.of("inspect", "diff", "dump", "check", "accept")) {
            assertThat(run(command, "--help")).isZero();
            assertThat(out.toString()).contains("Usage: compact " + command, "--json");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {80, 100})
    void help_everyCommand_wholeSentencesWithinTheColumns(int columns) {
        CommandLine root = Commands.program(
                        InputStream.nullInputStream(), Console.of(new PrintWriter(out), new PrintWriter(err)))
                .commandLine()
                .setUsageHelpWidth(columns);
        String list = root.getUsageMessage().replaceAll("\\s+", " ");
        root.getSubcommands().forEach((name, command) -> {
            String[] description = command.getCommandSpec().usageMessage().description();
            assertThat(command.getUsageMessage().lines())
                    .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(columns));
            assertThat(description)
                    .as(name)
                    .allSatisfy(paragraph -> assertThat(paragraph).matches("|.*\\."));
            assertThat(list).as("summary in full").contains(name + " " + description[0]);
        });
    }

    @Test
    void commandLine_thatIsWrong_is2() {
        assertThat(run("inspct")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("unknown command: 'inspct'; did you mean 'inspect'?");
        assertThat(run("dump", "--limit", -1, "-")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString().strip()).isEqualTo("--limit: expected 0 or more, got -1");
        assertThat(run()).isEqualTo(ExitCode.USAGE);
        assertThat(run("frobnicate")).isEqualTo(ExitCode.USAGE);
        assertThat(run("inspect")).isEqualTo(ExitCode.USAGE);
        assertThat(run("inspect", folder.resolve("none"))).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("no such file or folder: path=" + folder.resolve("none"));
        assertThat(run("dump")).isEqualTo(ExitCode.USAGE);
        assertThat(run("dump", "--hex", "xyz")).isEqualTo(ExitCode.USAGE);
        assertThat(run("check", "--lock", folder.resolve("compact.lock"), folder))
                .isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("compact accept makes one");
        assertThat(run("accept", "--lock", folder.resolve("compact.lock"), folder))
                .isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("no descriptors");
    }

    @Test
    void inspect_ofADescriptorAFolderAndALock_showsFields() throws IOException {
        Path file = descriptor("META-INF/compact/com.example.Thing.schema", SCHEMA);
        assertThat(run("inspect", file)).isZero();
        assertThat(out.toString())
                .contains("com.example.Thing", Texts.id(SCHEMA.id()), "number", "FLOAT64", ": descriptor");
        descriptor("META-INF/compact/inner.schema", INNER);
        Path lock = folder.resolve("compact.lock");
        assertThat(run("accept", "--lock", lock, folder)).isZero();
        assertThat(run("inspect", "--json", folder, lock)).isZero();
        assertThat(json().get(0).get("schemas")).hasSize(2);
        assertThat(json().get(0).get("schemas").get(0).get("type").asText()).isEqualTo("com.example.Thing");
        assertThat(json().get(1).get("compatibility").asText()).isEqualTo("FULL");
        assertThat(run("inspect", lock)).isZero();
        assertThat(out.toString()).contains(Texts.id(SCHEMA.id()) + " v1", "compatibility FULL");
    }

    @Test
    void inspectAndDump_ofAContainer_showSchemasAndRecords() throws IOException {
        Path file = container();
        assertThat(run("inspect", file)).isZero();
        assertThat(out.toString()).contains("container, complete", "2 records", "0 records");
        assertThat(run("inspect", "--json", file)).isZero();
        assertThat(json().get(0).get("records").asInt()).isEqualTo(2);
        assertThat(json().get(0).get("complete").asBoolean()).isTrue();
        assertThat(run("dump", file)).isZero();
        List<String> lines = out.toString().lines().toList();
        assertThat(lines).hasSize(2);
        String inner = "{\"$type\":\"inner\",\"$schemaId\":\"" + Texts.id(INNER.id()) + "\",\"flags\":[true,false]}";
        assertThat(lines.get(0))
                .isEqualTo("{\"$type\":\"com.example.Thing\",\"$schemaId\":\"" + Texts.id(SCHEMA.id()) + "\",\"inner\":"
                        + inner + ",\"number\":1.5,\"price\":\"1.10\",\"text\":null}");
        assertThat(lines.get(1)).contains("\"number\":\"NaN\"");
        assertThat(run(Files.readAllBytes(file), "dump", "-")).isZero();
        assertThat(out.toString().lines().toList()).isEqualTo(lines);
        assertThat(run("dump", "--limit", 1, file)).isZero();
        assertThat(out.toString().lines()).hasSize(1);
    }

    @Test
    void inspectAndDump_ofACutContainer_showWhatIsSound() throws IOException {
        byte[] bytes = Files.readAllBytes(container());
        Path cut = Files.write(folder.resolve("cut"), Arrays.copyOf(bytes, bytes.length - 60));
        assertThat(run("inspect", cut)).isEqualTo(CompactExitCode.DAMAGED);
        assertThat(out.toString()).contains("container, TORN", "records 1");
        assertThat(err.toString()).contains("offset=");
        assertThat(run("dump", cut)).isEqualTo(CompactExitCode.DAMAGED);
        assertThat(out.toString().lines()).hasSize(1);
        bytes[bytes.length - 1]++;
        Path changed = Files.write(folder.resolve("changed"), bytes);
        assertThat(run("diff", changed, changed)).isEqualTo(CompactExitCode.DAMAGED);
        assertThat(run("inspect", "--json", changed)).isEqualTo(CompactExitCode.DAMAGED);
        assertThat(json().get(0).get("failure").asText()).isEqualTo("DAMAGED");
    }

    @Test
    void dump_ofABareRecord_needsItsSchemas() throws IOException {
        byte[] record = record(2);
        Path file = Files.write(folder.resolve("record"), record);
        assertThat(run("dump", file)).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("unknown schema: id=", "--schemas");
        Path schemas = container();
        assertThat(run("dump", "--schemas", schemas, file)).isZero();
        assertThat(json().get("number").asDouble()).isEqualTo(2);
        assertThat(run("dump", "--schemas", schemas, "--hex", HexFormat.of().formatHex(record)))
                .isZero();
        assertThat(run(record, "dump", "--schemas", schemas, "-")).isZero();
        assertThat(json().get("$type").asText()).isEqualTo("com.example.Thing");
        assertThat(run("dump", "--schemas", schemas, "--hex", "00000000ffffffc9"))
                .isEqualTo(CompactExitCode.DAMAGED);
        assertThat(run("dump", "--schemas", schemas, "--hex", "00000000ffffffc8"))
                .isEqualTo(CompactExitCode.DAMAGED);
    }

    @Test
    void diff_ofDescriptors_saysWhichRuleEachChangeBreaks() throws IOException {
        Path before = descriptor("before.schema", SCHEMA);
        Path after = descriptor("after.schema", NEXT);
        assertThat(run("diff", before, before)).isZero();
        assertThat(out.toString()).isEqualToIgnoringNewLines("compatible: FULL");
        assertThat(run("diff", before, after)).isEqualTo(CompactExitCode.INCOMPATIBLE);
        assertThat(out.toString()).contains("NULLS_ALLOWED", "ok: added", "NULLABLE_FLOAT64", "not compatible: FULL");
        assertThat(run("diff", "--compatibility", "backward", before, after)).isZero();
        assertThat(out.toString()).contains("ok: changed", "compatible: BACKWARD");
        assertThat(run("diff", "--json", before, after)).isEqualTo(CompactExitCode.INCOMPATIBLE);
        assertThat(json().get("compatible").asBoolean()).isFalse();
        assertThat(json().get("violations").get(0).get("rule").asText()).isEqualTo("NULLS_ALLOWED");
        assertThat(json().get("differences")).hasSize(2);
        Path other = descriptor("other.schema", INNER);
        assertThat(run("diff", before, other)).isEqualTo(CompactExitCode.INCOMPATIBLE);
        assertThat(out.toString()).contains("TYPE_REMOVED", "ok: new type");
    }

    @Test
    void checkAndAccept_keepTheLock() throws IOException {
        Path classes = folder.resolve("classes");
        Path lock = folder.resolve("compact.lock");
        descriptor("classes/a.schema", SCHEMA);
        assertThat(run("accept", "--lock", lock, classes)).isZero();
        assertThat(run("check", "--lock", lock, classes)).isZero();
        String text = Files.readString(lock);
        assertThat(SchemaLock.parse(text).types()).containsOnlyKeys("com.example.Thing");

        descriptor("classes/b.schema", INNER);
        assertThat(run("check", "--lock", lock, classes)).isEqualTo(CompactExitCode.NOT_ACCEPTED);
        assertThat(out.toString()).contains("NEW_TYPE", "run compact accept and commit");
        assertThat(Files.readString(lock)).isEqualTo(text);
        assertThat(run("accept", "--lock", lock, classes)).isZero();
        assertThat(run("check", "--lock", lock, classes)).isZero();

        text = Files.readString(lock);
        descriptor("classes/a.schema", NEXT);
        assertThat(run("check", "--lock", lock, classes)).isEqualTo(CompactExitCode.INCOMPATIBLE);
        assertThat(out.toString()).contains("NULLS_ALLOWED", "accept --breaking");
        assertThat(run("accept", "--lock", lock, classes)).isEqualTo(CompactExitCode.INCOMPATIBLE);
        assertThat(run("diff", lock, classes)).isEqualTo(CompactExitCode.INCOMPATIBLE);
        assertThat(Files.readString(lock)).isEqualTo(text);
        assertThat(run("accept", "--json", "--breaking", "--lock", lock, classes))
                .isZero();
        assertThat(json().get("written").asBoolean()).isTrue();
        assertThat(Files.readString(lock)).contains(" breaking");
        assertThat(run("check", "--json", "--lock", lock, classes)).isZero();
        assertThat(json().get("accepted").asBoolean()).isTrue();
        assertThat(run("accept", "--compatibility", "BACKWARD", "--lock", lock, classes))
                .isZero();
        assertThat(Files.readString(lock)).contains("compatibility BACKWARD");
    }

    @Test
    void damagedFiles_areNamed() throws IOException {
        Path lock = Files.writeString(folder.resolve("compact.lock"), "<<<<<<<\n");
        assertThat(run("inspect", lock)).isEqualTo(CompactExitCode.DAMAGED);
        assertThat(err.toString()).contains("compact.lock: not a schema lock", "line=1");
        Path descriptor = Files.write(folder.resolve("a.schema"), new byte[] {0, 0, 0, 9, 1});
        assertThat(run("inspect", descriptor)).isEqualTo(CompactExitCode.DAMAGED);
        assertThat(err.toString()).contains("a.schema: not a schema");
        Files.write(lock, new byte[] {'#', (byte) 0xff});
        assertThat(run("check", "--lock", lock, folder)).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("not UTF-8");
    }

    @Test
    void twoSchemasOfAType_areNotUsable() throws IOException {
        descriptor("classes/a.schema", SCHEMA);
        descriptor("classes/b.schema", NEXT);
        assertThat(run("accept", "--lock", folder.resolve("compact.lock"), folder.resolve("classes")))
                .isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("two descriptors of a type");
        assertThat(folder.resolve("compact.lock")).doesNotExist();
    }
}
