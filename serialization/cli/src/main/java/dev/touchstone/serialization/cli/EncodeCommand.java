package dev.touchstone.serialization.cli;

import dev.touchstone.cli.Console;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.cli.UsageException;
import dev.touchstone.serialization.CompactSerialization;
import dev.touchstone.serialization.GenericView;
import dev.touchstone.serialization.container.ContainerWriter;
import dev.touchstone.serialization.json.CompactJson;
import dev.touchstone.serialization.json.CompactJsonException;
import dev.touchstone.serialization.json.JsonRecordReader;
import dev.touchstone.serialization.schema.Schema;
import dev.touchstone.serialization.schema.TypeDescriptor;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code encode}: makes records of JSON. */
@Command(
        name = "encode",
        description = {
            "Makes a record or a container of JSON.",
            "",
            "Takes JSON as compact dump prints it: one object for a record, any number of them for a container. A missing "
                    + "field has the value that a lock or a descriptor states for it, else null."
        })
final class EncodeCommand implements Callable<Integer> {
    private static final String STANDARD_INPUT = "-";

    @Option(
            names = "--schemas",
            arity = "1",
            required = true,
            paramLabel = "PATH",
            description =
                    "Schemas of the records: a descriptor, a folder of descriptors, a lock or a container; may be "
                            + "repeated.")
    List<Path> schemas = List.of();

    @Option(
            names = "--type",
            paramLabel = "NAME",
            description =
                    "Type of all records, by its newest version. Default: each object begins with a member $type.")
    @Nullable
    String type;

    @Option(names = "--container", description = "Write a container of all records, with their schemas.")
    boolean isContainer;

    @Option(names = "--hex", description = "Print the record in hexadecimal digits.")
    boolean isHex;

    @Option(names = "--out", paramLabel = "FILE", description = "Write the record or the container to this file.")
    @Nullable
    Path out;

    @Parameters(paramLabel = "FILE", description = "JSON in UTF-8; - is standard input.")
    Path file = Path.of(STANDARD_INPUT);

    private final InputStream in;
    private final Console console;

    EncodeCommand(InputStream in, Console console) {
        this.in = in;
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        if (isHex == (out != null) || (isHex && isContainer)) {
            throw new UsageException("expected either --out, or --hex for a single record");
        }
        List<TypeDescriptor> known = Source.descriptors(schemas);
        CompactJson json = CompactJson.builder().types(known).build();
        try (JsonRecordReader objects = open(json, known)) {
            if (isContainer) {
                WholeFile.write(target(), stream -> container(objects, known, stream));
            } else {
                byte[] record = single(objects);
                if (isHex) {
                    console.out().println(HexFormat.of().formatHex(record));
                } else {
                    WholeFile.write(target(), stream -> stream.write(record));
                }
            }
        } catch (CompactJsonException e) {
            throw new UsageException(file + ": " + e.getMessage());
        } catch (CharacterCodingException e) {
            throw new UsageException(file + ": not JSON, since it is not UTF-8");
        }
        return ExitCode.OK;
    }

    private Path target() {
        if (out == null) {
            throw new IllegalStateException("checked before");
        }
        return out;
    }

    private JsonRecordReader open(CompactJson json, List<TypeDescriptor> known) throws IOException {
        boolean isStandardInput = file.toString().equals(STANDARD_INPUT);
        if (!isStandardInput) {
            Source.requireNoFolder(file);
        }
        Optional<Schema> schema = type == null ? Optional.empty() : Optional.of(newest(known, type));
        Reader text = new BufferedReader(new InputStreamReader(
                isStandardInput ? in : Files.newInputStream(file), StandardCharsets.UTF_8.newDecoder()));
        return schema.isPresent() ? json.reader(schema.get(), text) : json.reader(text);
    }

    private static Schema newest(List<TypeDescriptor> known, String typeName) {
        return known.stream()
                .filter(each -> each.typeName().equals(typeName))
                .reduce((older, newer) -> newer)
                .map(TypeDescriptor::schema)
                .orElseThrow(() -> new UsageException("--type: no such type in --schemas: " + Texts.name(typeName)));
    }

    private byte[] single(JsonRecordReader objects) throws IOException {
        byte[] record = objects.next().orElseThrow(() -> new UsageException(file + ": expected one object, got none"));
        if (objects.next().isPresent()) {
            throw new UsageException(file + ": expected one object, got more; --container takes any number");
        }
        return record;
    }

    private static void container(JsonRecordReader objects, List<TypeDescriptor> known, OutputStream out)
            throws IOException {
        CompactSerialization.Builder schemas = CompactSerialization.builder();
        known.forEach(each -> schemas.schema(each.schema()));
        CompactSerialization serialization = schemas.build();
        try (ContainerWriter writer = new ContainerWriter(out, List.of())) {
            for (Optional<byte[]> next = objects.next(); next.isPresent(); next = objects.next()) {
                add(serialization.view(next.get()), writer);
                writer.write(next.get());
            }
        }
    }

    /** Adds the schemas of a record and of all records inside it. */
    private static void add(GenericView view, ContainerWriter writer) throws IOException {
        writer.add(view.schema());
        for (int field = 0; field < view.schema().fields().size(); field++) {
            switch (view.schema().field(field).kind()) {
                case COMPACT -> addAll(writer, view.reader().readView(field));
                case ARRAY_OF_COMPACT -> addAll(writer, view.reader().readArrayOfViews(field));
                default -> {
                    // Holds no records.
                }
            }
        }
    }

    private static void addAll(ContainerWriter writer, @Nullable GenericView @Nullable ... views) throws IOException {
        if (views != null) {
            for (GenericView each : views) {
                if (each != null) {
                    add(each, writer);
                }
            }
        }
    }
}
