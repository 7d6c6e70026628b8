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

/** {@code remove}: removes a member. */
@Command(name = "remove", description = "Removes a member, also one that is down.")
final class RemoveCommand implements Callable<Integer> {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    @Mixin
    MemberFile file = new MemberFile();

    @Parameters(index = "1", paramLabel = "HOST:PORT", description = "Address of the member.")
    String member = "";

    private final Console console;

    RemoveCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        MemberCommands.checkAddress(member);
        try (GroupClient client = file.read().client(TIMEOUT, console)) {
            client.remove(member);
        }
        console.out().println("removed " + member);
        return ExitCode.OK;
    }
}
