package dev.touchstone.serialization.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.touchstone.cli.Console;
import dev.touchstone.cli.UsageException;
import dev.touchstone.serialization.schema.LockReport;
import dev.touchstone.serialization.schema.SchemaLock;
import java.io.IOException;
import java.nio.file.Files;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code check}: checks a program's schemas against the lock, and writes nothing. */
@Command(
        name = "check",
        description = {
            "Checks a program's schemas against its lock.",
            "",
            "Writes nothing. Ends with 1 if a change breaks a rule, and with 3 if a change was not accepted yet."
        })
final class CheckCommand implements Callable<Integer> {
    @Mixin
    final LockOptions options = new LockOptions();

    private final Console console;

    CheckCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        if (!Files.exists(options.file)) {
            throw new UsageException("no such lock: file=" + options.file + "; compact accept makes one");
        }
        SchemaLock lock = Source.lock(options.file);
        LockReport report;
        try {
            report = lock.check(options.descriptors());
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
        if (options.isJson) {
            try (JsonGenerator json = Json.pretty(console.out())) {
                json.writeStartObject();
                json.writeStringField("lock", options.file.toString());
                json.writeStringField("compatibility", lock.compatibility().name());
                Json.report(json, report);
                json.writeEndObject();
            }
            console.out().println();
        } else {
            print(lock, report);
        }
        return Reports.exitCode(report);
    }

    private void print(SchemaLock lock, LockReport report) {
        Reports.printChanges(console.out(), report);
        Reports.printViolations(console.out(), report);
        Reports.printVerdict(console.out(), report, lock.compatibility());
        if (!report.isAccepted()) {
            String how = report.isCompatible() ? "compact accept" : "compact accept --breaking";
            console.out().println("not accepted: if this is meant, run " + how + " and commit " + options.file);
        }
    }
}
