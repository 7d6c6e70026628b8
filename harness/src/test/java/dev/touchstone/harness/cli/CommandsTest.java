package dev.touchstone.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.touchstone.cli.Console;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.harness.run.fork.Shutdown;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.UsageMessageSpec;

class CommandsTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"quick", "full", "run", "compare", "nightly", "list", "report", "doctor", "verify"})
    void help_everyCommand_usageOnStdout(String command) {
        assertThat(execute(command, "--help")).isEqualTo(ExitCode.OK);
        assertThat(out.toString()).startsWith("Usage: touchstone " + command).contains("--json", "--help");
        assertThat(err.toString()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {80, 100})
    void help_everyCommand_wholeSentencesWithinTheColumns(int columns) {
        CommandLine root = Commands.program(invocation()).commandLine().setUsageHelpWidth(columns);
        String list = root.getUsageMessage().replaceAll("\\s+", " ");
        assertThat(root.getUsageMessage().lines())
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(columns));
        root.getSubcommands().forEach((name, command) -> {
            UsageMessageSpec usage = command.getCommandSpec().usageMessage();
            assertThat(command.getUsageMessage().lines())
                    .as(name)
                    .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(columns));
            assertThat(usage.description())
                    .as(name)
                    .allSatisfy(paragraph -> assertThat(paragraph).matches("|.*[.:]|.*: run queue-scan -- -prof gc"));
            assertThat(list).as("summary in full").contains(name + " " + usage.description()[0]);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "help"})
    void help_root_namesCommandsAndJmh(String option) {
        assertThat(execute(option)).isEqualTo(ExitCode.OK);
        assertThat(out.toString()).contains("plain JMH", "Exit codes").contains(Commands.names());
    }

    @Test
    void version_namesTheBuild() {
        assertThat(execute("--version")).isEqualTo(ExitCode.OK);
        assertThat(out.toString()).startsWith("touchstone ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "quick --nonsense | unknown option: '--nonsense'",
                "quick --buget 3m | did you mean '--budget'?",
                "quick --budget soon | expected a time as in 500ms",
                "run --warmup 3 | expected <iterations>x<time>",
                "run --threads many | many",
                "report | Missing required argument (specify one of these): (<run> | --publish",
                "report x --publish y | mutually exclusive",
            })
    void misuse_anyCommand_messageUsageAndExit2(String line, String message) {
        assertThat(execute(line.split(" "))).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains(message).contains("Usage: touchstone");
        assertThat(out.toString()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "run ( | not a regular expression: '('",
                "run --threads 0 | --threads: expected 1..10000, got 0",
                "run --rounds 0 | --rounds: expected 1..1000, got 0",
                "run --param size=../x | --param: expected name=value",
                "run no-such-workload | no workload matches 'no-such-workload'; there are: count, count-broken",
                "run count count-x | no workload matches 'count-x', did you mean count?",
                "run --subjects OURS,NOPE | --subjects: no subject 'NOPE'; there are: BROKEN, CEILING, OURS, PEER",
                "run --param x=1 | --param: count has no parameter 'x'; there are: none",
                "list --param size=1 | no cell matches the options",
                "list no-such | no workload matches 'no-such'",
                "list --subjects OUR | --subjects: no subject 'OUR', did you mean OURS?",
                "list --parts nope | --parts: no part 'nope'; there are: faults, sample",
                "verify --parts nope | --parts: no part 'nope'; there are: faults, sample",
                "verify --subjects OURS,NOPE | --subjects: no subject 'NOPE'; there are",
                "quick --parts sampel | --parts: no part 'sampel', did you mean sample?; there are",
                "compare /no/such.jar | no such file or folder: path=/no/such.jar",
                "compare /proc/version /proc | expected one or two capsules, or one or two recorded runs",
                "compare /proc/version | /proc/version: not a jar",
                "compare /proc | no recorded run here",
                "nightly --baseline /no/such.jar | --baseline: no such file: /no/such.jar",
                "compare --aa /proc/version --rounds 0 | --rounds: expected 1..1000, got 0",
                "compare --aa /proc/version --rounds 5 | --rounds with --aa: expected at least 6, fewer pairs show nothing, got 5",
                "quick --data /no/such/folder | --data: no such folder: path=/no/such/folder; create it, or name another one",
                "report --publish /nowhere | no such file or folder: path=/nowhere/results/published.json; check the path",
                "quick --data /proc/version | --data: not a folder: /proc/version",
                "quick --data /proc/self | data folder /proc/self is read-only",
            })
    void impossible_anyCommand_oneLineAndExit2(String line, String message) {
        assertThat(execute(line.split(" "))).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString().lines()).hasSize(1).first().asString().contains(message);
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void run_unknownJmhOption_exit2() {
        assertThat(execute(
                        "run", "count$", "--data", folder.toString(), "--results", folder + "/r", "--", "--nonsense"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("JMH: ").contains("nonsense");
    }

    @Test
    void resume_nothingThere_exit2() {
        assertThat(execute("quick", "--data", folder.toString(), "--results", folder.toString(), "--resume"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("no unfinished run of this machine below " + folder);
    }

    @Test
    void list_default_oneRowForEachWorkload() {
        assertThat(execute("list")).isEqualTo(ExitCode.OK);
        assertThat(out.toString().lines().filter(line -> line.startsWith("count ")))
                .singleElement(STRING)
                .matches("count +2 +2 +4 +[0-9]+ s");
        assertThat(out.toString()).doesNotContain("count/t1");
    }

    @Test
    void list_cells_everyCellWithin100Columns() {
        assertThat(execute("list", "--cells")).isEqualTo(ExitCode.OK);
        assertThat(out.toString()).contains("count/t1/OURS", "count/t2/PEER", "CountBenchmark.count");
        assertThat(out.toString().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
    }

    @ParameterizedTest
    @CsvSource({
        "--subjects PEER, count/t1/PEER, OURS",
        "dead, dead/t1/OURS, count",
        "--parts faults, dead/t1/PEER, count/"
    })
    void list_filters_otherCellsAreLeftOut(String filter, String shown, String hidden) {
        String[] args = ("list --cells " + filter).split(" ");
        assertThat(execute(args)).isEqualTo(ExitCode.OK);
        assertThat(out.toString().lines().skip(1)).anyMatch(line -> line.startsWith(shown + " "));
        assertThat(out.toString().lines().skip(1)).noneMatch(line -> line.contains(hidden));
    }

    @Test
    void list_json_oneDocument() throws IOException {
        assertThat(execute("list", "--json", "--parts", "sample")).isEqualTo(ExitCode.OK);
        JsonNode cells = new ObjectMapper().readTree(out.toString());
        assertThat(cells).hasSize(4);
        assertThat(cells.get(0).get("cell").textValue()).isEqualTo("count/t1/OURS");
        assertThat(cells.get(0).get("quickMillis").longValue()).isPositive();
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void report_foreignFolder_refusedWithFile() throws IOException {
        assertThat(execute("report", folder.toString())).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("no recorded run here");
        Files.writeString(folder.resolve("run.json"), "{\"schema\": 7}");
        Files.writeString(folder.resolve("env.json"), "{}");
        assertThat(execute("report", folder.toString())).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains(folder.toString());
    }

    @Test
    void doctor_json_oneDocument() throws IOException {
        assertThat(execute("doctor", "--json", "--data", folder.toString())).isEqualTo(ExitCode.OK);
        assertThat(new ObjectMapper().readTree(out.toString()).get("findings")).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "quick, true",
        "help, true",
        "--help, true",
        "--version, true",
        "-h, false",
        "-l, false",
        "qiuck, false",
        "CountBenchmark, false",
    })
    void handles_firstArgument_decides(String first, boolean ours) {
        assertThat(Commands.handles(new String[] {first})).isEqualTo(ours);
    }

    @Test
    void handles_none_leftToJmh() {
        assertThat(Commands.handles(new String[0])).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Quick | unknown sub-command or benchmark 'Quick'; did you mean quick?",
                "quick2 | unknown sub-command or benchmark 'quick2'; did you mean quick?",
                "NoSuchBenchmark | unknown sub-command or benchmark 'NoSuchBenchmark'",
                "Count( | neither a sub-command nor a regular expression: 'Count('",
            })
    void plainJmh_wordThatFindsNothing_messageUsageAndExit2(String word, String message) throws IOException {
        assertThat(new PlainJmh(console()).run(new String[] {word, "-f", "1"})).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).startsWith(message).contains("Usage: touchstone COMMAND", "Commands: quick");
    }

    @Test
    void plainJmh_mistypedCommand_suggestsAndExits2() throws IOException {
        assertThat(new PlainJmh(console()).run(new String[] {"qiuck"})).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString())
                .contains("unknown sub-command or benchmark 'qiuck'; did you mean quick?", "Commands: quick");
    }

    @Test
    void plainJmh_unknownOption_exits2() throws IOException {
        assertThat(new PlainJmh(console()).run(new String[] {"-nonsense"})).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("JMH does not know these options").contains("Commands: quick");
    }

    @Test
    void invocation_dashes_restGoesToJmh() {
        String[] args = {"run", "x", "--", "-prof", "gc"};
        Invocation invocation =
                Invocation.of(args, console(), new Shutdown(), getClass().getClassLoader());
        assertThat(invocation.args()).containsExactly("run", "x");
        assertThat(invocation.jmhOptions()).containsExactly("-prof", "gc");
        assertThat(invocation.recordedCommandLine()).containsExactly(args);
        assertThat(invocation.toResume(Path.of("results/a b"))).isEqualTo("run x --resume 'results/a b' -- -prof gc");
    }

    @Test
    void invocation_paths_areNotRecorded() {
        String[] args = {
            "run",
            "x",
            "--data",
            "/disk/me",
            "--results=/home/me/r",
            "--resume",
            "/home/me/r/1",
            "--json",
            "--",
            "-jvm",
            "/opt/me/java",
            "-prof",
            "async:libPath=/opt/me/lib.so;output=flat"
        };
        assertThat(Invocation.of(args, console(), new Shutdown(), getClass().getClassLoader())
                        .recordedCommandLine())
                .hasSize(args.length)
                .startsWith("run", "x", "--data", "<data>", "--results=<results>", "--resume", "<run>", "--json", "--")
                .allSatisfy(arg -> assertThat(arg).doesNotContain("/home", "/opt", "/disk"))
                .last()
                .asString()
                .matches("async:libPath=<path-[0-9a-f]{6}>;output=flat");
    }

    private int execute(String... args) {
        return Commands.execute(invocation(args));
    }

    private Invocation invocation(String... args) {
        return Invocation.of(args, console(), new Shutdown(), getClass().getClassLoader());
    }

    private Console console() {
        return new Console(new PrintWriter(out, true), new PrintWriter(err, true), false);
    }
}
