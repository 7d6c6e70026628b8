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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code accept}: writes a program's schemas to the lock; no other command does. */
@Command(
        name = "accept",
        description = {
            "Writes a program's schemas to its lock.",
            "",
            "The lock file is created if it does not exist. A change that breaks a rule is refused without --breaking."
        })
final class AcceptCommand implements Callable<Integer> {
    @Mixin
    final LockOptions options = new LockOptions();

    @Option(
            names = "--compatibility",
            paramLabel = "LEVEL",
            description = "Compatibility to require from now on: BACKWARD (new readers read old records), FORWARD (old "
                    + "readers read new records) or FULL. Default: the lock's own, and FULL for a new lock.")
    @Nullable
    Compatibility compatibility;

    @Option(
            names = "--breaking",
            description = "Accept changes that break a rule. Records of older versions are not checked from then on.")
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
        List<TypeDescriptor> descriptors = options.descriptors();
        LockReport report;
        SchemaLock after;
        try {
            report = demanding.check(descriptors);
            after = demanding.accept(descriptors);
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
        boolean isRefused = !report.isCompatible() && !isBreaking;
        if (!isRefused && !(after.equals(before) && Files.exists(file))) {
            after.write(file);
        }
        answer(report, after, isRefused);
        return isRefused ? CompactExitCode.INCOMPATIBLE : ExitCode.OK;
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
                                ? "not accepted: a change breaks a rule; --breaking accepts it"
                                : "accepted: " + options.file + " has "
                                        + after.types().size() + " types");
    }
}
