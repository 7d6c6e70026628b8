package dev.touchstone.serialization.cli;

import dev.touchstone.cli.UsageException;
import dev.touchstone.serialization.schema.SchemaLock;
import dev.touchstone.serialization.schema.TypeDescriptor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options of the commands that compare schemas with a lock. */
final class LockOptions {
    @Option(names = "--lock", paramLabel = "FILE", description = "Lock file. Default: ${DEFAULT-VALUE}.")
    Path file = Path.of(SchemaLock.FILE_NAME);

    @Option(names = "--json", description = "Print one JSON document.")
    boolean isJson;

    @Parameters(
            arity = "1..*",
            paramLabel = "PATH",
            description = "All schemas of the program: descriptors, or folders with descriptors below them.")
    List<Path> paths = List.of();

    /** Returns the program's types. @throws UsageException if there are none: the path is probably wrong */
    List<TypeDescriptor> descriptors() throws IOException {
        List<TypeDescriptor> descriptors = Source.descriptors(paths);
        if (descriptors.isEmpty()) {
            throw new UsageException("no descriptors (*" + TypeDescriptor.SUFFIX + ") in " + paths
                    + "; compile the program first, or check the paths");
        }
        return descriptors;
    }
}
