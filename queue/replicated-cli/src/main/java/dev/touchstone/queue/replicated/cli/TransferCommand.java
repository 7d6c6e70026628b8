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

/** {@code transfer}: hands the leadership to a member. */
@Command(name = "transfer", description = "Hands the leadership to another member. Calls that are under way go on.")
final class TransferCommand implements Callable<Integer> {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    @Mixin
    MemberFile file = new MemberFile();

    @Parameters(index = "1", paramLabel = "HOST:PORT", description = "Address of the member.")
    String member = "";

    private final Console console;

    TransferCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        MemberCommands.checkAddress(member);
        try (GroupClient client = file.read().client(TIMEOUT, console)) {
            client.transfer(member);
        }
        console.out().println("told the leader to hand over to " + member);
        return ExitCode.OK;
    }
}
