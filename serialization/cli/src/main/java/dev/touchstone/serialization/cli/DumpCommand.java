package dev.touchstone.serialization.cli;

import dev.touchstone.cli.Console;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.cli.Ranges;
import dev.touchstone.cli.UsageException;
import dev.touchstone.serialization.Limits;
import dev.touchstone.serialization.container.ContainerReader;
import dev.touchstone.serialization.exception.CompactContainerException;
import dev.touchstone.serialization.exception.CompactException;
import dev.touchstone.serialization.exception.UnknownSchemaException;
import dev.touchstone.serialization.json.CompactJson;
import dev.touchstone.serialization.json.CompactJsonException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
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

/** {@code dump}: shows records as JSON. */
@Command(
        name = "dump",
        description = {
            "Shows a record, or all records of a container, as JSON.",
            "",
            "Each record is one line, with the members $type and, unless the newest version of the type is known to have "
                    + "written it, $schemaId in front. compact encode takes these lines."
        })
final class DumpCommand implements Callable<Integer> {
    private static final String STANDARD_INPUT = "-";

    @Option(names = "--hex", paramLabel = "DIGITS", description = "Record in hexadecimal digits, instead of a file.")
    @Nullable
    String hex;

    @Option(
            names = "--schemas",
            arity = "1",
            paramLabel = "PATH",
            description = "Schemas of the record: a descriptor, a folder of descriptors, a lock or a container; may be "
                    + "repeated. A container needs none.")
    List<Path> schemas = List.of();

    @Option(names = "--limit", paramLabel = "N", description = "Show at most this many records. Default: all.")
    long limit = Long.MAX_VALUE;

    @Option(names = "--json", description = "No effect: the output is always JSON.")
    boolean isJson;

    @Parameters(
            arity = "0..1",
            paramLabel = "FILE",
            description = "Container, or the bytes of a record; - is standard input.")
    @Nullable
    Path file;

    private final InputStream in;
    private final Console console;

    DumpCommand(InputStream in, Console console) {
        this.in = in;
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        Ranges.check("--limit", limit, 0, Long.MAX_VALUE);
        if ((hex == null) == (file == null)) {
            throw new UsageException("expected either --hex or a file, got " + (file == null ? "neither" : "both"));
        }
        CompactJson.Builder known = CompactJson.builder().types(Source.descriptors(schemas));
        if (hex != null) {
            print(known.build(), digits(hex), "record");
            return ExitCode.OK;
        }
        String name = String.valueOf(file);
        try (InputStream bytes = new BufferedInputStream(open(name))) {
            bytes.mark(ContainerReader.MAGIC_BYTES);
            boolean isContainer = ContainerReader.isContainer(bytes.readNBytes(ContainerReader.MAGIC_BYTES));
            bytes.reset();
            if (isContainer) {
                container(bytes, name, known);
            } else {
                print(known.build(), bytes(bytes, name), name);
            }
        }
        return ExitCode.OK;
    }

    private InputStream open(String name) throws IOException {
        if (name.equals(STANDARD_INPUT)) {
            return in;
        }
        Source.requireNoFolder(Path.of(name));
        return Files.newInputStream(Path.of(name));
    }

    private void container(InputStream in, String name, CompactJson.Builder known) throws IOException {
        try (ContainerReader reader = new ContainerReader(in, Limits.DEFAULT)) {
            CompactJson json = known.schemas(reader).build();
            for (long shown = 0; shown < limit; shown++) {
                Optional<byte[]> next = reader.next();
                if (next.isEmpty()) {
                    return;
                }
                print(json, next.get(), name + ": record=" + shown);
            }
        } catch (CompactContainerException e) {
            throw new DamagedFileException(Path.of(name), e);
        }
    }

    private void print(CompactJson json, byte[] record, String where) {
        String line;
        try {
            line = json.toJson(record);
        } catch (UnknownSchemaException e) {
            throw new UsageException(where + ": " + e.getMessage() + "; name its file or folder with --schemas");
        } catch (CompactJsonException e) {
            throw new UsageException(where + ": " + e.getMessage());
        } catch (CompactException e) {
            throw new DamagedFileException(Path.of(where), e);
        }
        console.out().print(line + System.lineSeparator()); // flushed by the end, not by the line
    }

    private static byte[] bytes(InputStream in, String name) throws IOException {
        int most = Limits.DEFAULT.maxBytes();
        byte[] bytes = in.readNBytes(most + 1);
        if (bytes.length > most) {
            throw new UsageException("record is too large: file=" + name + " expected at most " + most + " bytes");
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
