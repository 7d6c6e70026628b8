package dev.touchstone.serialization.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.touchstone.serialization.CompactContainerException;
import dev.touchstone.serialization.CompactException;
import dev.touchstone.serialization.CompactSerialization;
import dev.touchstone.serialization.Limits;
import dev.touchstone.serialization.UnknownSchemaException;
import dev.touchstone.serialization.container.ContainerReader;
import dev.touchstone.serialization.schema.Schema;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows records as JSON. */
@Command(
        name = "dump",
        description = "Show a record, or all of a container, as JSON: one line each. Times and decimals are strings.")
final class DumpCommand implements Callable<Integer> {
    private static final String STANDARD_INPUT = "-";

    @Mixin
    final HelpOption help = new HelpOption();

    @Option(
            names = "--hex",
            paramLabel = "DIGITS",
            description = "The record in hexadecimal digits, in place of a file.")
    @Nullable
    String hex;

    @Option(
            names = "--schemas",
            arity = "1",
            paramLabel = "PATH",
            description =
                    "Where the schemas are: a descriptor, a folder of them, a lock or a container; may be repeated. "
                            + "A container needs none.")
    List<Path> schemas = List.of();

    @Option(names = "--limit", paramLabel = "N", description = "Show so many records at most.")
    long limit = Long.MAX_VALUE;

    @Option(names = "--json", description = "Has no effect: the answer is JSON.")
    boolean isJson;

    @Parameters(
            arity = "0..1",
            paramLabel = "FILE",
            description = "A container, or the bytes of a record; - is standard input.")
    @Nullable
    Path file;

    private final Console console;

    DumpCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        if ((hex == null) == (file == null)) {
            throw new UsageException("either --hex or a file is needed");
        }
        CompactSerialization.Builder known = CompactSerialization.builder();
        for (Schema schema : Source.schemas(schemas)) {
            known.schema(schema);
        }
        if (hex != null) {
            print(known.build(), digits(hex), "record");
            return ExitCode.OK;
        }
        String name = String.valueOf(file);
        try (InputStream in = new BufferedInputStream(open(name))) {
            in.mark(ContainerReader.MAGIC_BYTES);
            boolean isContainer = ContainerReader.isContainer(in.readNBytes(ContainerReader.MAGIC_BYTES));
            in.reset();
            if (isContainer) {
                container(in, name, known);
            } else {
                print(known.build(), bytes(in, name), name);
            }
        }
        return ExitCode.OK;
    }

    private InputStream open(String name) throws IOException {
        return name.equals(STANDARD_INPUT) ? console.in() : Files.newInputStream(Path.of(name));
    }

    private void container(InputStream in, String name, CompactSerialization.Builder known) throws IOException {
        try (ContainerReader reader = new ContainerReader(in, Limits.DEFAULT)) {
            CompactSerialization serialization = known.schemas(reader).build();
            for (long shown = 0; shown < limit; shown++) {
                Optional<byte[]> next = reader.next();
                if (next.isEmpty()) {
                    return;
                }
                print(serialization, next.get(), name + ": record=" + shown);
            }
        } catch (CompactContainerException e) {
            throw new DamagedFileException(Path.of(name), e);
        }
    }

    private void print(CompactSerialization serialization, byte[] record, String where) throws IOException {
        StringWriter line = new StringWriter();
        try (JsonGenerator json = Json.compact(line)) {
            new RecordJson(json).write(serialization.view(record));
        } catch (UnknownSchemaException e) {
            throw new UsageException(where + ": " + e.getMessage() + "; --schemas says where it is");
        } catch (CompactException e) {
            throw new DamagedFileException(Path.of(where), e);
        }
        console.out().println(line);
    }

    private static byte[] bytes(InputStream in, String name) throws IOException {
        int most = Limits.DEFAULT.maxBytes();
        byte[] bytes = in.readNBytes(most + 1);
        if (bytes.length > most) {
            throw new UsageException(name + ": too large: most=" + most);
        }
        return bytes;
    }

    private static byte[] digits(String text) {
        try {
            return HexFormat.of().parseHex(text.replaceAll("[\\s_]", ""));
        } catch (IllegalArgumentException e) {
            throw new UsageException("--hex: " + e.getMessage());
        }
    }
}
