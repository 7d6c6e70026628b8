package dev.touchstone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

class ProgramTest {
    private static final int REFUSED = 7;
    private static final int FAILED = 9;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Command(name = "tool", description = "A tool.")
    private static final class Root {}

    /** Throws what the test gives it. */
    @Command(
            name = "count",
            description = "Counts words and takes longer to explain itself than any terminal here has columns to show.",
            exitCodeList = {"0:counted", "7:refused"},
            footer = "The end.")
    @SuppressWarnings("UnusedVariable") // picocli's
    private static final class Count implements Callable<Integer> {
        @Option(names = "--port", description = "A port.")
        int port;

        @Option(names = "--bytes", description = "A length.")
        Long bytes = 0L;

        @Option(names = "--file", description = "A file.")
        Path file = Path.of("a");

        @Option(names = "--prices", description = "Prices.")
        Level level = Level.LOW;

        @Parameters(arity = "0..1", description = "A size.")
        Size size = new Size(0);

        private final Exception failure;

        Count(Exception failure) {
            this.failure = failure;
        }

        @Override
        public Integer call() throws Exception {
            throw failure;
        }
    }

    @Command(name = "quick", description = "Ends well.")
    private static final class Quick implements Callable<Integer> {
        @Override
        public Integer call() {
            return ExitCode.OK;
        }
    }

    private enum Level {
        LOW
    }

    private record Size(int bytes) {
        static Size parse(String text) {
            if (!text.startsWith("s")) {
                throw new IllegalArgumentException("expected a size as in s3, got '" + text + "'");
            }
            return new Size(Integer.parseInt(text.substring(1)));
        }
    }

    private Program program(Exception failure) {
        Console console = Console.of(new PrintWriter(out), new PrintWriter(err));
        return Program.of(new Root(), console, FAILED)
                .command(new Quick())
                .command(new Count(failure))
                .converter(Size.class, Size::parse)
                .failure(IllegalStateException.class, REFUSED)
                .failure(
                        ArithmeticException.class,
                        e -> String.valueOf(e.getMessage()).length());
    }

    private int run(String line) {
        return program(new IOException("disk is gone")).execute(line.isEmpty() ? new String[0] : line.split(" "));
    }

    @Test
    void execute_command_returnsItsCode() {
        assertThat(run("quick")).isEqualTo(ExitCode.OK);
        assertThat(out.toString() + err).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | Missing required subcommand | Commands: quick, count",
                "qiuck | unknown command: 'qiuck'; did you mean 'quick'? | Try 'tool --help' for more information.",
                "zzz | unknown command: 'zzz' | Usage: tool [OPTIONS] COMMAND",
                "count --prot=3 | unknown option: '--prot=3'; did you mean '--port'? | Try 'tool count --help' for more information.",
                "count s1 x | unexpected argument: 'x' | Usage: tool count [OPTIONS] [<size>]",
                "count 3 | Invalid value for positional parameter at index 0 (<size>): expected a size as in s3, got '3' | Usage: tool count",
                "count --port many | Invalid value for option '--port': 'many' is not an int | Usage: tool count",
                "count --port ٨٠ | Invalid value for option '--port': '٨٠' is not an int | Usage: tool count",
                "count --port 99999999999 | Invalid value for option '--port': '99999999999' is not an int | Usage: tool count",
                "count --bytes 1２ | Invalid value for option '--bytes': '1２' is not a long | Usage: tool count",
                "count --file= | Invalid value for option '--file': expected a path, got '' | Usage: tool count",
            })
    void execute_wrongCommandLine_messageSuggestionShortUsageAndExit2(String line, String message, String further) {
        assertThat(run(line)).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString().lines()).hasSizeLessThanOrEqualTo(4).first().isEqualTo(message);
        assertThat(err.toString().lines()).anyMatch(each -> each.startsWith(further));
        assertThat(out.toString()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hunter2",
                "count s1 hunter2",
                "count --tokn=hunter2",
                "count s1 --tokn hunter2",
                "countt hunter2"
            })
    void hideArguments_strayOne_isNotPrinted(String line) {
        Program program = program(new IOException()).hideArguments().prefix("Error: ");
        assertThat(program.execute(line.split(" "))).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).startsWith("Error: un").doesNotContain("hunter2");
    }

    @Test
    void execute_failures_areOneLineAndTheirCode() {
        assertThat(failure(new UsageException("no"))).isEqualTo("2 no");
        assertThat(failure(new NoSuchFileException("/x"))).startsWith("2 no such file or folder: path=/x");
        assertThat(failure(new AccessDeniedException("/x"))).startsWith("9 permission denied: path=/x");
        assertThat(failure(new UncheckedIOException(new IOException("full")))).isEqualTo("9 full");
        assertThat(failure(new IllegalStateException("state"))).isEqualTo("7 state");
        assertThat(failure(new ArithmeticException("four"))).isEqualTo("4 four");
    }

    @Test
    void execute_unexpectedFailure_isShownWithItsStackTrace() {
        assertThat(program(new NullPointerException("oh")).execute("count")).isEqualTo(FAILED);
        assertThat(err.toString())
                .startsWith("this is a defect of the program: java.lang.NullPointerException: oh")
                .contains("at dev.touchstone.cli.ProgramTest");
    }

    @Test
    void execute_interrupted_keepsTheThreadsMark() {
        assertThat(program(new InterruptedException())
                        .failure(InterruptedException.class, 3)
                        .execute("count"))
                .isEqualTo(3);
        assertThat(Thread.interrupted()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"help, Usage: tool [OPTIONS] COMMAND", "help count, Usage: tool count", "--help, Commands:"})
    void execute_helpCommand_showsHelp(String line, String shown) {
        assertThat(run(line)).isEqualTo(ExitCode.OK);
        assertThat(out.toString()).contains(shown);
    }

    @Test
    void help_command_headingsDeclaredOrderAndWidth() {
        assertThat(run("count --help")).isEqualTo(ExitCode.OK);
        assertThat(out.toString())
                .startsWith("Usage: tool count [OPTIONS] [<size>]")
                .containsSubsequence(
                        "Parameters:", "Options:", "--port", "--prices", "--help", "Exit codes:", "The end.");
        assertThat(out.toString().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(Program.WIDTH));
    }

    @Test
    void help_otherNames_replaceTheDefault() {
        assertThat(program(new IOException())
                        .helpOptions("-h", "-help", "--help")
                        .execute("count", "-help"))
                .isEqualTo(ExitCode.OK);
        assertThat(out.toString()).contains("-h, -help, --help");
    }

    private String failure(Exception failure) {
        err.getBuffer().setLength(0);
        int exitCode = program(failure).execute("count");
        assertThat(err.toString().lines()).hasSize(1);
        return exitCode + " " + err.toString().strip();
    }
}
