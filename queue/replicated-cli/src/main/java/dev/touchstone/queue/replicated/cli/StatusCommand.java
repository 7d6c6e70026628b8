package dev.touchstone.queue.replicated.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.touchstone.cli.Console;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.queue.replicated.GroupClient;
import dev.touchstone.queue.replicated.NoLeaderException;
import dev.touchstone.queue.replicated.link.MemberStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code status}: shows all members. */
@Command(
        name = "status",
        description = {
            "Shows each member: its part, its leader, and how far its entries are stored and applied.",
            "",
            "Exit code 3 if a member does not answer, or they do not agree on a leader."
        })
final class StatusCommand implements Callable<Integer> {
    private static final Duration TIMEOUT = Duration.ofSeconds(3);

    @Mixin
    MemberFile file = new MemberFile();

    @Option(names = "--json", description = "Print one JSON document.")
    boolean isJson;

    private final Console console;

    StatusCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        Map<String, Optional<MemberStatus>> found = new LinkedHashMap<>();
        boolean hasLeader = false;
        try (GroupClient client = file.read().client(TIMEOUT, console)) {
            List<String> members = file.members();
            try {
                members = client.members();
                hasLeader = true;
            } catch (NoLeaderException e) {
                console.err().println(e.getMessage());
            }
            for (String member : members) {
                found.put(member, status(client, member));
            }
        }
        boolean agree = hasLeader && agree(found.values());
        if (isJson) {
            printJson(found, agree);
        } else {
            printTable(found);
        }
        return agree ? ExitCode.OK : MemberCommands.UNAVAILABLE;
    }

    /** Returns whether all members have answered and name the same leader. */
    private static boolean agree(Collection<Optional<MemberStatus>> found) {
        return found.stream()
                        .allMatch(status -> status.map(MemberStatus::leader).isPresent())
                && found.stream()
                                .map(status ->
                                        Optional.ofNullable(status.orElseThrow().leader()))
                                .distinct()
                                .count()
                        == 1;
    }

    private Optional<MemberStatus> status(GroupClient client, String member) {
        try {
            return Optional.of(client.status(member));
        } catch (IOException down) {
            console.err().println(down.getMessage());
            return Optional.empty();
        }
    }

    private void printTable(Map<String, Optional<MemberStatus>> found) {
        console.out().println(row("member", "role", "leader", "term", "last", "committed", "applied"));
        found.forEach((member, status) -> console.out()
                .println(status.map(up -> row(
                                member,
                                up.role(),
                                up.leader() == null ? "none" : up.leader(),
                                Long.toString(up.term()),
                                Long.toString(up.lastIndex()),
                                Long.toString(up.committedIndex()),
                                Long.toString(up.appliedIndex())))
                        .orElse(row(member, "down", "", "", "", "", ""))));
    }

    private static String row(String... cells) {
        int[] widths = {22, 10, 22, 6, 10, 10, 10};
        StringBuilder row = new StringBuilder();
        for (int i = 0; i < cells.length; i++) {
            row.append(cells[i]).append(" ".repeat(Math.max(1, widths[i] - cells[i].length())));
        }
        return row.toString().stripTrailing();
    }

    private void printJson(Map<String, Optional<MemberStatus>> found, boolean agree) throws IOException {
        try (JsonGenerator json = Json.generator(console.out())) {
            json.writeStartObject();
            json.writeBooleanField("agree", agree);
            json.writeArrayFieldStart("members");
            for (Map.Entry<String, Optional<MemberStatus>> each : found.entrySet()) {
                json.writeStartObject();
                json.writeStringField("member", each.getKey());
                MemberStatus up = each.getValue().orElse(null);
                json.writeStringField("role", up == null ? "down" : up.role());
                if (up != null) {
                    json.writeStringField("leader", up.leader());
                    json.writeNumberField("term", up.term());
                    json.writeNumberField("lastIndex", up.lastIndex());
                    json.writeNumberField("committedIndex", up.committedIndex());
                    json.writeNumberField("appliedIndex", up.appliedIndex());
                }
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        console.out().println();
    }
}
