package dev.touchstone.harness.sample;

import dev.touchstone.cli.Console;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.cli.UsageException;
import dev.touchstone.harness.HarnessExitCode;
import dev.touchstone.harness.SubCommand;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** A sub-command from the class path. */
@Command(name = "echo", description = "Says a word again.")
public final class EchoCommand implements SubCommand {
    private @Nullable Console console;

    @Parameters(paramLabel = "<word>", description = "Any but 'hush'.")
    private String word = "";

    @Override
    public void writeTo(Console told) {
        console = told;
    }

    @Override
    public Integer call() {
        if (console == null || word.equals("hush")) {
            throw new UsageException("not a word: " + word);
        }
        console.out().println(word);
        return word.equals("fail") ? HarnessExitCode.FAILED : ExitCode.OK;
    }
}
