package dev.touchstone.queue.replicated.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.touchstone.cli.Console;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.cli.UsageException;
import dev.touchstone.queue.replicated.GroupClient;
import dev.touchstone.queue.replicated.link.MemberReport;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code verify}: compares all members. */
@Command(
        name = "verify",
        description = {
            "Compares the members while they go on: each copies its state at one entry, and reads every entry of its log.",
            "",
            "A copy takes as much disk as a snapshot, until it was read.",
            "A member that differs or is damaged: remove it, empty its folder, start it without members, and add it.",
            "Exit code 4 if members differ, or a state or a log is damaged; else 3 if one of them could not be read."
        })
final class VerifyCommand implements Callable<Integer> {
    private static final int SHOWN_DIGITS = 16;

    @Mixin
    MemberFile file = new MemberFile();

    @Option(names = "--json", description = "Print one JSON document.")
    boolean isJson;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            description = "Longest time for all members (default: ${DEFAULT-VALUE}).",
            defaultValue = "600")
    int seconds;

    private final Console console;

    VerifyCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        if (seconds < 1) {
            throw new UsageException("--timeout: expected 1 second or more, got " + seconds);
        }
        List<MemberReport> reports;
        try (GroupClient client = file.read().client(Duration.ofSeconds(seconds), console)) {
            reports = client.verify(client.members());
        }
        StateComparison states = StateComparison.of(reports);
        if (isJson) {
            printJson(reports, states);
        } else {
            reports.forEach(report -> console.out().println(row(report)));
            console.out().println(states.summary());
        }
        if (states.differ() || reports.stream().anyMatch(report -> report.damage() != null)) {
            return MemberCommands.DAMAGED;
        }
        boolean isComplete = reports.stream().allMatch(report -> report.isStateRead() && report.failure() == null);
        return isComplete ? ExitCode.OK : MemberCommands.UNAVAILABLE;
    }

    private static String row(MemberReport report) {
        StringBuilder row = new StringBuilder(report.member());
        if (report.isStateRead()) {
            row.append("  state at entry ")
                    .append(report.index())
                    .append(": ")
                    .append(report.digest(), 0, SHOWN_DIGITS);
        }
        if (report.lastEntry() > 0) {
            row.append("  log: entries ")
                    .append(report.firstEntry())
                    .append(" to ")
                    .append(report.lastEntry());
        }
        if (report.damage() != null) {
            row.append("  DAMAGED: ").append(report.damage());
        }
        if (report.failure() != null) {
            row.append("  not verified: ").append(report.failure());
        }
        return row.toString();
    }

    private void printJson(List<MemberReport> reports, StateComparison states) throws IOException {
        try (JsonGenerator json = Json.generator(console.out())) {
            json.writeStartObject();
            json.writeBooleanField("agree", states.agree());
            json.writeNumberField("statesRead", states.read());
            json.writeArrayFieldStart("members");
            for (MemberReport report : reports) {
                json.writeStartObject();
                json.writeStringField("member", report.member());
                json.writeNumberField("index", report.index());
                json.writeStringField("digest", report.digest());
                json.writeNumberField("firstEntry", report.firstEntry());
                json.writeNumberField("lastEntry", report.lastEntry());
                json.writeStringField("damage", report.damage());
                json.writeStringField("failure", report.failure());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        console.out().println();
    }
}
