package dev.touchstone.serialization.cli;

import dev.touchstone.serialization.schema.Schema;
import dev.touchstone.serialization.schema.SchemaLock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What the commands need that hold schemas against a lock. */
final class LockOptions {
    @Option(names = "--lock", paramLabel = "FILE", description = "The lock; by default ${DEFAULT-VALUE}.")
    Path file = Path.of(SchemaLock.FILE_NAME);

    @Option(names = "--json", description = "Answer in JSON.")
    boolean isJson;

    @Parameters(
            arity = "1..*",
            paramLabel = "PATH",
            description = "All schemas of the program: descriptors, or folders with descriptors in and below them.")
    List<Path> paths = List.of();

    /** The program's schemas. None at all is taken for a wrong path. */
    List<Schema> schemas() throws IOException {
        List<Schema> schemas = Source.schemas(paths);
        if (schemas.isEmpty()) {
            throw new UsageException("no descriptors (*" + Source.SUFFIX + ") in " + paths);
        }
        return schemas;
    }
}
