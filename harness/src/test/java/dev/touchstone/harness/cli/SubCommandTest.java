package dev.touchstone.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.cli.Console;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.harness.run.fork.Shutdown;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A sub-command from the class path is one as the harness's own are. */
class SubCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void names_ofTheClassPath_areOursToo() {
        assertThat(Commands.names()).startsWith("quick").endsWith("echo");
        assertThat(Commands.handles(new String[] {"echo", "x"})).isTrue();
        assertThat(Commands.shortUsage()).contains("verify, echo.");
    }

    @ParameterizedTest
    @CsvSource({"word, 0, word", "fail, 4, fail"})
    void execute_call_writesAndReturnsItsCode(String word, int code, String said) {
        assertThat(execute("echo", word)).isEqualTo(code);
        assertThat(out.toString()).isEqualToNormalizingNewlines(said + "\n");
    }

    @Test
    void execute_usageException_oneLineAndExit2() {
        assertThat(execute("echo", "hush")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString().lines()).containsExactly("not a word: hush");
    }

    @Test
    void execute_unknownOption_usageAndExit2() {
        assertThat(execute("echo", "x", "--loud")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("unknown option: '--loud'", "Usage: touchstone echo");
    }

    @Test
    void help_root_listsIt() {
        assertThat(execute("--help")).isEqualTo(ExitCode.OK);
        assertThat(out.toString()).contains("echo", "Says a word again.");
    }

    @Test
    void plainJmh_mistyped_suggestsIt() throws IOException {
        assertThat(new PlainJmh(console()).run(new String[] {"ehco"})).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("did you mean echo?");
    }

    private int execute(String... args) {
        return Commands.execute(
                Invocation.of(args, console(), new Shutdown(), getClass().getClassLoader()));
    }

    private Console console() {
        return new Console(new PrintWriter(out, true), new PrintWriter(err, true), false);
    }
}
