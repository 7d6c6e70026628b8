package dev.touchstone.serialization.cli;

import dev.touchstone.cli.Console;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.cli.UsageException;
import dev.touchstone.serialization.cli.code.CodeLanguage;
import dev.touchstone.serialization.schema.SchemaLock;
import dev.touchstone.serialization.schema.TypeDescriptor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code code}: generates classes and serializers for clients in other languages. */
@Command(
        name = "code",
        description = {
            "Generates code for Hazelcast's clients in other languages.",
            "",
            "Writes compact_types.py or compact-types.ts: a class and a serializer for the newest version of each type in the "
                    + "lock. A file that was not generated is not replaced."
        })
final class CodeCommand implements Callable<Integer> {
    @Option(names = "--language", required = true, paramLabel = "NAME", description = "python or typescript.")
    CodeLanguage language = CodeLanguage.PYTHON;

    @Option(names = "--lock", paramLabel = "FILE", description = "Lock file. Default: ${DEFAULT-VALUE}.")
    Path lock = Path.of(SchemaLock.FILE_NAME);

    @Option(names = "--out", paramLabel = "DIR", description = "Folder of the file. Default: the working directory.")
    Path folder = Path.of("");

    private final Console console;

    CodeCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        if (!Files.exists(lock)) {
            throw new UsageException("no such lock: file=" + lock + "; compact accept makes one");
        }
        List<TypeDescriptor> newest = Source.lock(lock).types().values().stream()
                .map(versions -> versions.get(versions.size() - 1).descriptor())
                .toList();
        if (newest.isEmpty()) {
            throw new UsageException("lock has no types: file=" + lock);
        }
        String code;
        try {
            code = language.generate(newest);
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
        Path file = folder.resolve(language.fileName());
        if (Files.exists(file) && !Files.readString(file).startsWith(language.head())) {
            throw new UsageException("file was not generated, and is not replaced: file=" + file);
        }
        if (!folder.toString().isEmpty()) {
            Files.createDirectories(folder);
        }
        WholeFile.write(file, out -> out.write(code.getBytes(StandardCharsets.UTF_8)));
        console.out().println("generated: " + file + " has " + newest.size() + " types");
        return ExitCode.OK;
    }
}
