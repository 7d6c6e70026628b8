package dev.touchstone.serialization.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.touchstone.serialization.schema.Compatibility;
import dev.touchstone.serialization.schema.LockReport;
import dev.touchstone.serialization.schema.Schema;
import dev.touchstone.serialization.schema.SchemaLock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Writes a program's schemas to the lock: the only thing that does. */
@Command(
        name = "accept",
        description = "Write a program's schemas to its lock, which is made if there is none. "
                + "A change that breaks a rule is written with --breaking only.")
final class AcceptCommand implements Callable<Integer> {
    @Mixin
    final HelpOption help = new HelpOption();

    @Mixin
    final LockOptions options = new LockOptions();

    @Option(
            names = "--compatibility",
            paramLabel = "LEVEL",
            description = "What is demanded from now on: BACKWARD (new readers take old records), FORWARD (old readers "
                    + "take new records) or FULL; by default as before, and FULL in a new lock.")
    @Nullable
    Compatibility compatibility;

    @Option(
            names = "--breaking",
            description = "Accept what breaks a rule too. Records of older versions no longer count from then on.")
    boolean isBreaking;

    private final Console console;

    AcceptCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        Path file = options.file;
        SchemaLock before = Files.exists(file) ? Source.lock(file) : SchemaLock.empty(Compatibility.FULL);
        SchemaLock demanding = compatibility == null ? before : before.withCompatibility(compatibility);
        List<Schema> schemas = options.schemas();
        LockReport report;
        SchemaLock after;
        try {
            report = demanding.check(schemas);
            after = demanding.accept(schemas);
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
        boolean isRefused = !report.isCompatible() && !isBreaking;
        if (!isRefused && !(after.equals(before) && Files.exists(file))) {
            write(file, after.text());
        }
        answer(report, after, isRefused);
        return isRefused ? ExitCode.INCOMPATIBLE : ExitCode.OK;
    }

    private void answer(LockReport report, SchemaLock after, boolean isRefused) throws IOException {
        if (options.isJson) {
            try (JsonGenerator json = Json.pretty(console.out())) {
                json.writeStartObject();
                json.writeStringField("lock", options.file.toString());
                json.writeStringField("compatibility", after.compatibility().name());
                json.writeBooleanField("written", !isRefused);
                Json.report(json, report);
                json.writeEndObject();
            }
            console.out().println();
            return;
        }
        Reports.printChanges(console.out(), report);
        Reports.printViolations(console.out(), report);
        Reports.printVerdict(console.out(), report, after.compatibility());
        console.out()
                .println(
                        isRefused
                                ? "not accepted: --breaking accepts it all the same"
                                : "accepted: " + options.file + " has "
                                        + after.types().size() + " types");
    }

    /** Whole or not at all. */
    private static void write(Path file, String text) throws IOException {
        Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
        Files.writeString(temporary, text);
        Files.move(temporary, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }
}
