package dev.touchstone.harness.sample;

import dev.touchstone.harness.cli.Console;
import dev.touchstone.harness.cli.ExitCode;
import dev.touchstone.harness.cli.HelpOption;
import dev.touchstone.harness.cli.SubCommand;
import dev.touchstone.harness.cli.UsageException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** A sub-command from the class path. */
@Command(name = "echo", description = "Says a word again.")
public final class EchoCommand implements SubCommand {
    private @Nullable Console console;

    @Parameters(paramLabel = "<word>", description = "Any but 'hush'.")
    private String word = "";

    @Mixin
    HelpOption help = new HelpOption();

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
        return word.equals("fail") ? ExitCode.FAILED : ExitCode.OK;
    }
}
