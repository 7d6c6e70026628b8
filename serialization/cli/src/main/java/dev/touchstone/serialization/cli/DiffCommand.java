package dev.touchstone.serialization.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.touchstone.cli.Console;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.cli.UsageException;
import dev.touchstone.serialization.schema.Compatibility;
import dev.touchstone.serialization.schema.LockReport;
import dev.touchstone.serialization.schema.SchemaLock;
import dev.touchstone.serialization.schema.TypeDescriptor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Compares schemas with older ones, field by field, and says which rule a change breaks. */
@Command(
        name = "diff",
        description = {
            "Compares schemas with older ones or with a lock, and shows which rule each change breaks.",
            "",
            "Ends with 1 if a change breaks a rule."
        })
final class DiffCommand implements Callable<Integer> {
    @Option(
            names = "--compatibility",
            paramLabel = "LEVEL",
            description =
                    "Compatibility to require: BACKWARD (new readers read old records), FORWARD (old readers read "
                            + "new records) or FULL. Default: the lock's own, or FULL without a lock.")
    @Nullable
    Compatibility compatibility;

    @Option(names = "--json", description = "Print one JSON document.")
    boolean isJson;

    @Parameters(
            index = "0",
            paramLabel = "OLD",
            description = "Older schemas: a descriptor, a folder of descriptors, a lock or a container.")
    Path older = Path.of("");

    @Parameters(index = "1", paramLabel = "NEW", description = "Newer schemas, in the same forms.")
    Path newer = Path.of("");

    private final Console console;

    DiffCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        SchemaLock lock = lock(Source.read(older));
        LockReport report;
        SchemaDiff diff;
        try {
            Source source = Source.read(newer);
            List<TypeDescriptor> descriptors =
                    source.lock().map(SchemaDiff::newest).orElse(source.descriptors());
            report = lock.check(descriptors);
            diff = SchemaDiff.of(lock, descriptors, report);
        } catch (IllegalArgumentException e) {
            throw new UsageException(newer + ": " + e.getMessage());
        }
        if (isJson) {
            try (JsonGenerator json = Json.pretty(console.out())) {
                json.writeStartObject();
                json.writeStringField("compatibility", lock.compatibility().name());
                Json.report(json, report);
                diff.write(json);
                json.writeEndObject();
            }
            console.out().println();
        } else {
            diff.print(console.out());
            Reports.printVerdict(console.out(), report, lock.compatibility());
        }
        return report.isCompatible() ? ExitCode.OK : CompactExitCode.INCOMPATIBLE;
    }

    private SchemaLock lock(Source source) {
        SchemaLock lock;
        try {
            lock = source.lock()
                    .orElseGet(() -> SchemaLock.empty(Compatibility.FULL).accept(source.descriptors()));
        } catch (IllegalArgumentException e) {
            throw new UsageException(older + ": " + e.getMessage());
        }
        return compatibility == null ? lock : lock.withCompatibility(compatibility);
    }
}
