package dev.touchstone.serialization.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.touchstone.serialization.schema.Compatibility;
import dev.touchstone.serialization.schema.LockReport;
import dev.touchstone.serialization.schema.Schema;
import dev.touchstone.serialization.schema.SchemaLock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Compares schemas with older ones, field by field, and says which rule a change breaks. */
@Command(
        name = "diff",
        description = "Compare schemas with older ones, or with a lock, and say what each change breaks. "
                + "Ends with 1 if one breaks a rule.")
final class DiffCommand implements Callable<Integer> {
    @Mixin
    final HelpOption help = new HelpOption();

    @Option(
            names = "--compatibility",
            paramLabel = "LEVEL",
            description = "BACKWARD (new readers take old records), FORWARD (old readers take new records) or FULL; "
                    + "by default the lock's, or FULL.")
    @Nullable
    Compatibility compatibility;

    @Option(names = "--json", description = "Answer in JSON.")
    boolean isJson;

    @Parameters(index = "0", paramLabel = "OLD", description = "A descriptor, a folder of them, a lock or a container.")
    Path older = Path.of("");

    @Parameters(index = "1", paramLabel = "NEW", description = "The same.")
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
            List<Schema> schemas = source.lock().map(SchemaDiff::newest).orElse(source.schemas());
            report = lock.check(schemas);
            diff = SchemaDiff.of(lock, schemas, report);
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
        return report.isCompatible() ? ExitCode.OK : ExitCode.INCOMPATIBLE;
    }

    private SchemaLock lock(Source source) {
        SchemaLock lock;
        try {
            lock = source.lock()
                    .orElseGet(() -> SchemaLock.empty(Compatibility.FULL).accept(source.schemas()));
        } catch (IllegalArgumentException e) {
            throw new UsageException(older + ": " + e.getMessage());
        }
        return compatibility == null ? lock : lock.withCompatibility(compatibility);
    }
}
