package dev.touchstone.queue.replicated.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.touchstone.cli.Console;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.queue.replicated.GroupClient;
import dev.touchstone.queue.replicated.link.MemberReport;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
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
            "Exit code 3 if a member could not be asked, 4 if members differ or a log is damaged."
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
        List<MemberReport> reports;
        try (GroupClient client = file.read().client(Duration.ofSeconds(seconds), console)) {
            reports = client.verify(client.members());
        }
        boolean agree = agree(reports);
        if (isJson) {
            printJson(reports, agree);
        } else {
            printTable(reports, agree);
        }
        if (!agree || reports.stream().anyMatch(VerifyCommand::isDamaged)) {
            return MemberCommands.DAMAGED;
        }
        return reports.stream().anyMatch(report -> report.failure() != null) ? MemberCommands.UNAVAILABLE : ExitCode.OK;
    }

    private static boolean agree(List<MemberReport> reports) {
        return reports.stream()
                        .filter(report -> report.index() > 0)
                        .map(MemberReport::digest)
                        .distinct()
                        .count()
                <= 1;
    }

    private static boolean isDamaged(MemberReport report) {
        return report.index() > 0 && report.failure() != null;
    }

    private void printTable(List<MemberReport> reports, boolean agree) {
        for (MemberReport report : reports) {
            String failure = report.failure();
            if (report.index() == 0) {
                console.out().println(report.member() + "  not verified: " + failure);
            } else {
                console.out()
                        .println(String.format(
                                Locale.ROOT,
                                "%s  state at entry %d: %s  log: entries %d to %d%s",
                                report.member(),
                                report.index(),
                                report.digest().substring(0, SHOWN_DIGITS),
                                report.firstEntry(),
                                report.lastEntry(),
                                failure == null ? "" : ", then damaged: " + failure));
            }
        }
        console.out().println(agree ? "all states are equal" : "STATES DIFFER");
    }

    private void printJson(List<MemberReport> reports, boolean agree) throws IOException {
        try (JsonGenerator json = Json.generator(console.out())) {
            json.writeStartObject();
            json.writeBooleanField("agree", agree);
            json.writeArrayFieldStart("members");
            for (MemberReport report : reports) {
                json.writeStartObject();
                json.writeStringField("member", report.member());
                json.writeNumberField("index", report.index());
                json.writeStringField("digest", report.digest());
                json.writeNumberField("firstEntry", report.firstEntry());
                json.writeNumberField("lastEntry", report.lastEntry());
                json.writeStringField("failure", report.failure());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        console.out().println();
    }
}
