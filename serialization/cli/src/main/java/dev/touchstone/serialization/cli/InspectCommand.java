package dev.touchstone.serialization.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.touchstone.cli.Console;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.serialization.schema.FieldDescriptor;
import dev.touchstone.serialization.schema.LockedVersion;
import dev.touchstone.serialization.schema.Schema;
import dev.touchstone.serialization.schema.SchemaLock;
import dev.touchstone.serialization.schema.TypeDescriptor;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code inspect}: shows the schemas in files and folders, and the number of records in a container. */
@Command(
        name = "inspect",
        description = "Shows the schemas in descriptors, folders of descriptors, a lock or a container.")
final class InspectCommand implements Callable<Integer> {
    @Option(names = "--json", description = "Print one JSON document.")
    boolean isJson;

    @Parameters(arity = "1..*", paramLabel = "PATH", description = "File, or folder with descriptors below it.")
    List<Path> paths = List.of();

    private final Console console;

    InspectCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        int exitCode = ExitCode.OK;
        try (JsonGenerator json = Json.pretty(console.out())) {
            if (isJson) {
                json.writeStartArray();
            }
            for (Path path : paths) {
                exitCode = Math.max(exitCode, inspect(path, json));
            }
            if (isJson) {
                json.writeEndArray();
            }
        }
        if (isJson) {
            console.out().println();
        }
        return exitCode;
    }

    private int inspect(Path path, JsonGenerator json) throws IOException {
        if (Files.isRegularFile(path) && ContainerScan.isContainer(path)) {
            ContainerScan scan = ContainerScan.of(path);
            if (isJson) {
                write(scan, json);
            } else {
                print(scan);
            }
            scan.failure().ifPresent(failure -> console.err().println(path + ": " + failure.getMessage()));
            return scan.failure().isPresent() || scan.unreadable() > 0 ? CompactExitCode.DAMAGED : ExitCode.OK;
        }
        Source source = Source.read(path);
        if (isJson) {
            write(source, json);
        } else {
            print(source);
        }
        return ExitCode.OK;
    }

    private void print(Source source) {
        console.out().println(source.path() + ": " + source.kind().name().toLowerCase(Locale.ROOT));
        Table table = new Table("TYPE", "SCHEMA", "FIELD", "KIND", "MEANING");
        if (source.lock().isPresent()) {
            SchemaLock lock = source.lock().get();
            console.out().println("compatibility " + lock.compatibility());
            lock.types().values().forEach(versions -> {
                for (int i = 0; i < versions.size(); i++) {
                    LockedVersion version = versions.get(i);
                    String mark = " v" + (i + 1) + (version.isBreaking() ? " breaking" : "");
                    rows(table, version.descriptor(), mark);
                }
            });
        } else {
            source.descriptors().forEach(descriptor -> rows(table, descriptor, ""));
        }
        console.out().print(table);
    }

    private void print(ContainerScan scan) {
        PrintWriter out = console.out();
        String state = scan.isComplete()
                ? "complete"
                : scan.failure()
                        .map(failure -> String.valueOf(failure.reason()))
                        .orElse("without an end");
        out.println(scan.path() + ": container, " + state);
        out.println("records " + scan.records() + ", of them unreadable " + scan.unreadable() + ", sound up to byte "
                + scan.soundBytes());
        Table table = new Table("TYPE", "SCHEMA", "FIELD", "KIND", "MEANING");
        for (Schema schema : scan.schemas()) {
            rows(
                    table,
                    TypeDescriptor.ofSchema(schema),
                    " " + scan.recordsBySchema().getOrDefault(schema.id(), 0L) + " records");
        }
        out.print(table);
    }

    private static void rows(Table table, TypeDescriptor descriptor, String mark) {
        Schema schema = descriptor.schema();
        table.row(Texts.name(schema.typeName()), Texts.id(schema.id()) + mark, "", "", "");
        for (FieldDescriptor field : schema.fields()) {
            String meaning = descriptor.meaning(field.name()).toString();
            table.row("", "", Texts.name(field.name()), field.kind().name(), meaning);
        }
    }

    private static void write(Source source, JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeStringField("path", source.path().toString());
        json.writeStringField("kind", source.kind().name());
        if (source.lock().isPresent()) {
            SchemaLock lock = source.lock().get();
            json.writeStringField("compatibility", lock.compatibility().name());
            json.writeArrayFieldStart("schemas");
            for (List<LockedVersion> versions : lock.types().values()) {
                for (int i = 0; i < versions.size(); i++) {
                    json.writeStartObject();
                    json.writeNumberField("version", i + 1);
                    json.writeBooleanField("breaking", versions.get(i).isBreaking());
                    Json.descriptor(json, versions.get(i).descriptor());
                    json.writeEndObject();
                }
            }
        } else {
            json.writeArrayFieldStart("schemas");
            for (TypeDescriptor descriptor : source.descriptors()) {
                json.writeStartObject();
                Json.descriptor(json, descriptor);
                json.writeEndObject();
            }
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void write(ContainerScan scan, JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeStringField("path", scan.path().toString());
        json.writeStringField("kind", Source.Kind.CONTAINER.name());
        json.writeBooleanField("complete", scan.isComplete());
        json.writeStringField(
                "failure", scan.failure().map(each -> each.reason().name()).orElse(null));
        json.writeNumberField("soundBytes", scan.soundBytes());
        json.writeNumberField("records", scan.records());
        json.writeNumberField("unreadable", scan.unreadable());
        json.writeArrayFieldStart("schemas");
        for (Schema schema : scan.schemas()) {
            json.writeStartObject();
            Json.descriptor(json, TypeDescriptor.ofSchema(schema));
            json.writeNumberField("records", scan.recordsBySchema().getOrDefault(schema.id(), 0L));
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }
}
