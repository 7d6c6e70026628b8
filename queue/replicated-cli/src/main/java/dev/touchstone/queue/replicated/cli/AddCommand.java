package dev.touchstone.queue.replicated.cli;

import dev.touchstone.cli.Console;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.queue.replicated.GroupClient;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code add}: adds a member. */
@Command(
        name = "add",
        description = "Adds a member, which was started with a file without members. Returns when it votes.")
final class AddCommand implements Callable<Integer> {
    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    @Mixin
    MemberFile file = new MemberFile();

    @Parameters(index = "1", paramLabel = "HOST:PORT", description = "Address of the member.")
    String member = "";

    private final Console console;

    AddCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        MemberCommands.checkAddress(member);
        try (GroupClient client = file.read().client(TIMEOUT, console)) {
            client.add(member);
        }
        console.out().println("added " + member);
        return ExitCode.OK;
    }
}
