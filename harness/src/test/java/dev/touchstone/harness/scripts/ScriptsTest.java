package dev.touchstone.harness.scripts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The scripts in a repository whose build copies the file {@code speed} into its "capsule", and with a "java" that compares such capsules: who
 * has the smaller number is slower, and 0 stands for what can't be measured.
 */
@Timeout(120)
class ScriptsTest {
    private static final String MVNW = """
            #!/bin/sh
            set -eu
            [ "$(cat speed)" != broken ] || exit 1
            mkdir -p benchmarks/target
            cp speed benchmarks/target/benchmarks-1-capsule.jar
            """;
    private static final String JAVA = """
            #!/bin/sh
            echo "$@" >>"$CALLS"
            [ "$1" = -jar ] || exit 9
            own=$(cat "$2")
            [ "$3" != quick ] || exit "$own"
            case "$*" in *"--rounds 0") exit 2 ;; esac
            if [ "$3" = compare ]; then
              old=$(cat "$4")
              new=$(cat "$5")
              row() { # of a cell, as "compare --json" writes it
                set -- "$1" "$4" $(echo "$2 $old $3" | awk '{ print $1 / $2, $1 / $2 - $3, $1 / $2 + $3 }')
                printf '    "cell" : "%s",\\n    "ours" : {\\n      "n" : 6\\n    },\\n    "ratio" : {\\n' "$1"
                printf '      "ratio" : %s,\\n      "low" : %s,\\n      "high" : %s,\\n' "$3" "$4" "$5"
                printf '      "coverage" : 0.96875\\n    },\\n    "verdict" : "%s",\\n  }, {\\n' "$2"
              }
              row w/t8/OURS 9 0.3 unknown
              row w/t1/OURS "$new" 0.04 "$([ "$new" -ge "$old" ] && echo same || echo slower)"
              row w/t4/OURS 9 0.001 "$([ "$new" -ge "$old" ] && echo same || echo slower)"
            else
              old=$own
              new=$own
              for arg; do
                [ "${last:-}" != --baseline ] || old=$(cat "$arg")
                [ "${last:-}" != --publish ] || report=$arg
                last=$arg
              done
              mkdir -p "$report"
              echo "$own beside $old" >"$report/report.md"
            fi
            [ "$new" != 0 ] || exit 3
            [ "$new" -ge "$old" ] || exit 1
            """;
    private static final String GH = """
            #!/bin/sh
            echo "$@" >>"$CALLS"
            case "$*" in
              "issue list"*) printf '7\\tSlower: w/t1/OURS\\n8\\tSlower: w/t2/OURS\\n9\\tAnother\\n' ;;
              "api --paginate"*) cat "$CALLS.comments" 2>/dev/null || : ;;
            esac
            """;
    /** A Maven whose plugin packs the file {@code speed} and compares it with the packed one. */
    private static final String PLUGIN_MVNW = """
            #!/bin/sh
            set -eu
            echo "mvnw $@" >>"$CALLS"
            [ "$(cat speed)" != broken ] || exit 1
            for arg; do
              case $arg in
                -Dtouchstone.jar=*) cp speed "${arg#*=}" ;;
                -Dtouchstone.sides=*) old=$(cat "${arg#*=}") ;;
                -Dtouchstone.results=*) run=${arg#*=}/host/run ;;
              esac
            done
            [ -n "${old:-}" ] || exit 0
            new=$(cat speed)
            mkdir -p "$run"
            touch "$run/report.html"
            echo "$new beside $old" >"$run/report.md"
            verdict=same
            [ "$new" -ge "$old" ] || verdict=slower
            [ "$new" != 0 ] || verdict=unknown
            printf 'w/t1/OURS\\t%s\\t0.80x [0.70, 0.90]\\tabc\\n' "$verdict" >"$run/verdicts.tsv"
            [ "$verdict" != slower ]
            """;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @SuppressWarnings("NullAway.Init")
    private Path repository;

    private String output = "";

    @BeforeEach
    void makeRepository() throws Exception {
        repository = Files.createDirectories(folder.resolve("repository"));
        executable(repository.resolve("mvnw"), MVNW);
        executable(folder.resolve("jdk/bin/java"), JAVA);
        executable(folder.resolve("bin/gh"), GH);
        Files.createFile(folder.resolve("calls"));
        for (String script : List.of("quick", "nightly", "bisect", "nightly-issues", "ci-compare")) {
            executable(repository.resolve("scripts/" + script), Files.readString(Path.of("..", "scripts", script)));
        }
        Files.writeString(repository.resolve(".gitignore"), "/.nightly/\nbenchmarks/\n");
        git("init", "-q", "-b", "main", ".");
    }

    @Test
    void quick_anyCommit_buildsAndMeasuresIt() throws Exception {
        commit("4");
        assertThat(run("scripts/quick", "--budget", "1m")).as(output).isEqualTo(4);
        assertThat(calls()).contains("quick --budget 1m");
    }

    @Test
    void nightly_nothingSlower_thisCommitIsGoodAndTheFirstGoodOneTheBaseline() throws Exception {
        commit("10");
        assertThat(run("scripts/nightly", "--budget", "1m")).as(output).isZero();
        assertThat(calls()).as("a first commit has nothing to be compared with").doesNotContain("--baseline");
        String first = head();
        assertThat(Files.readString(repository.resolve(".nightly/good"))).isEqualTo(first + "\n");
        commit("11");
        assertThat(run("scripts/nightly", "--budget", "1m")).as(output).isZero();
        assertThat(report()).isEqualTo("11 beside 10\n");
        assertThat(calls()).contains("--budget 1m");
        assertThat(Files.readString(repository.resolve(".nightly/good"))).isEqualTo(first + "\n" + head() + "\n");
        commit("12");
        Files.createFile(repository.resolve("benchmarks/target/benchmarks-0-capsule.jar"));
        assertThat(run("scripts/nightly")).as(output).isZero();
        assertThat(report()).as("beside the first good one").isEqualTo("12 beside 10\n");
    }

    @Test
    void nightly_uncommittedChanges_noCommitIsGood() throws Exception {
        commit("10");
        run("scripts/nightly");
        String good = head();
        commit("11");
        Files.writeString(repository.resolve(".gitignore"), "# changed\n", StandardOpenOption.APPEND);
        assertThat(run("scripts/nightly")).as(output).isZero();
        assertThat(Files.readString(repository.resolve(".nightly/good"))).isEqualTo(good + "\n");
    }

    @Test
    void nightly_slower_exit1AndTheGoodCommitStays() throws Exception {
        commit("10");
        run("scripts/nightly");
        String good = head();
        commit("9");
        assertThat(run("scripts/nightly")).isEqualTo(1);
        commit("9", "another change");
        assertThat(run("scripts/nightly")).as("still slower than the good one").isEqualTo(1);
        assertThat(report()).isEqualTo("9 beside 10\n");
        assertThat(Files.readString(repository.resolve(".nightly/good"))).isEqualTo(good + "\n");
        assertThat(run("scripts/nightly", "--against", "HEAD~1")).isZero();
    }

    @Test
    void nightly_goodCommitTooOld_newestOfThatAgeTakesItsPlace() throws Exception {
        commit("10", "old", "40 days ago");
        run("scripts/nightly");
        commit("8", "slower, and accepted", "20 days ago");
        commit("8", "since", "1 day ago");
        assertThat(run("scripts/nightly")).as(output).isZero();
        assertThat(report()).isEqualTo("8 beside 8\n");
    }

    @Test
    void nightly_lockedOrUnbuildableOrUnknown_saysSo() throws Exception {
        commit("10");
        run("scripts/nightly");
        assertThat(run("scripts/nightly", "--against", "nonsense")).isEqualTo(2);
        assertThat(output).contains("no such commit: nonsense");
        commit("broken");
        assertThat(run("scripts/nightly")).isEqualTo(4);
        assertThat(output).contains("does not build");
        assertThat(repository.resolve(".nightly/report"))
                .as("of the night before")
                .doesNotExist();
        Process holder =
                new ProcessBuilder("flock", repository.resolve(".nightly/lock").toString(), "cat").start();
        try {
            assertThat(locked(repository.resolve(".nightly/lock"))).isTrue();
            assertThat(run("scripts/nightly")).isEqualTo(5);
            assertThat(output).contains("another night");
        } finally {
            holder.destroyForcibly();
        }
    }

    @Test
    void bisect_oneSlowerCommit_findsItAndLeavesTheTreeAlone() throws Exception {
        commit("10");
        String good = head();
        commit("11");
        commit("broken");
        commit("11", "fixed");
        commit("9", "slower, but not what is looked for");
        commit("7", "the culprit");
        commit("7", "innocent");
        commit("8", "neither shown");
        commit("7", "innocent too");
        Files.writeString(repository.resolve("speed"), "being edited");
        assertThat(run("scripts/bisect", good, "HEAD", "^w$", "--rounds", "6"))
                .as(output)
                .isZero();
        assertThat(output)
                .contains("w/t1/OURS\" is what decides, at 0.836660 times its speed")
                .containsPattern("first slower commit: \\p{XDigit}+ the culprit");
        assertThat(calls()).contains("--workloads ^w$ --rounds 6");
        assertThat(Files.readString(repository.resolve("speed"))).isEqualTo("being edited");
        assertThat(repository.resolve(".git/BISECT_LOG")).doesNotExist();
    }

    @Test
    void bisect_notSlower_saysSo() throws Exception {
        commit("10");
        commit("10", "same");
        assertThat(run("scripts/bisect", "HEAD~1", "HEAD", "w")).isEqualTo(3);
        assertThat(output).contains("was not shown to be slower");
        assertThat(run("scripts/bisect", "HEAD~1")).isEqualTo(2);
        assertThat(run("scripts/bisect", "nope", "HEAD", "w")).isEqualTo(2);
    }

    @Test
    void bisect_compareRefusesAnArgument_exitsAsItDoes() throws Exception {
        commit("10");
        commit("7", "slower");
        assertThat(run("scripts/bisect", "HEAD~1", "HEAD", "w", "--rounds", "0"))
                .as(output)
                .isEqualTo(2);
        assertThat(output).doesNotContain("was not shown");
    }

    @Test
    void issues_verdicts_oneForEachSlowerCellAndNoneForTheOthers() throws Exception {
        commit("1");
        Path lines = Files.writeString(folder.resolve("lines"), """
                w/t1/OURS\tslower\t0.8x [0.7, 0.9]\tabc
                w/t2/OURS\tsame\t1.00x [0.99, 1.01]\tabc
                w/t4/OURS\tfaster\t2.00x [1.99, 2.01]\tabc
                w/t8/OURS\tslower\t0.5x [0.4, 0.6]\tabc

                """);
        assertThat(run(lines, "scripts/nightly-issues", "https://example.org/run/1"))
                .as(output)
                .isZero();
        assertThat(output).contains("already open: Slower: w/t1/OURS");
        assertThat(calls().lines().filter(call -> !call.contains("list")).toList())
                .satisfiesExactly(
                        close -> assertThat(close).contains("issue close 8", "1.00x", "https://example.org/run/1"),
                        create -> assertThat(create)
                                .contains(
                                        "issue create --title Slower: w/t8/OURS",
                                        "0.5x [0.4, 0.6]",
                                        "https://example.org/run/1"));
        Path unknown = Files.writeString(folder.resolve("lines"), "w/t2/OURS\tunknown\t1.0x\tabc\n");
        assertThat(run(unknown, "scripts/nightly-issues", "x")).isZero();
        assertThat(calls().lines().filter(call -> call.contains("close"))).hasSize(1);
        Path evil = Files.writeString(folder.resolve("evil"), "$(touch evil)\tslower\t1\tx\n");
        assertThat(run(evil, "scripts/nightly-issues", "x")).isEqualTo(2);
    }

    @Test
    void ciCompare_measure_headBesideWhereItLeftTheBase() throws Exception {
        executable(repository.resolve("mvnw"), PLUGIN_MVNW);
        commit("10");
        git("checkout", "-q", "-b", "change");
        commit("11");
        git("checkout", "-q", "main");
        commit("20", "meanwhile");
        git("checkout", "-q", "change");
        Map<String, String> module = Map.of("MODULE", "jmh", "PLUGIN", "g:a:1");
        assertThat(start(module, null, List.of("scripts/ci-compare", "measure", "main", "-Dtouchstone.budget=1m")))
                .as(output)
                .isZero();
        assertThat(Files.readString(repository.resolve("touchstone-report/report.md")))
                .isEqualTo("11 beside 10\n");
        assertThat(calls()).contains("-pl jmh -am g:a:1:jar", "-pl jmh -am g:a:1:compare", "-Dtouchstone.budget=1m");
        commit("9", "slower");
        assertThat(run("scripts/ci-compare", "measure", "main")).isEqualTo(1);
        assertThat(calls()).contains(" touchstone:compare ");
        commit("0", "not shown");
        assertThat(run("scripts/ci-compare", "measure", "main")).isEqualTo(3);
        commit("broken");
        assertThat(run("scripts/ci-compare", "measure", "main")).isEqualTo(4);
        assertThat(run("scripts/ci-compare", "measure", "nonsense")).isEqualTo(2);
        assertThat(run("scripts/ci-compare")).isEqualTo(2);
    }

    @Test
    void ciCompare_publish_commentCheckAndIssues() throws Exception {
        Path report = Files.createDirectories(repository.resolve("touchstone-report"));
        Files.writeString(report.resolve("verdicts.tsv"), """
                w/t1/OURS\tunknown\t0.99x (0.90–1.10)\tabc
                w/t2/OURS\tsame\t1.00x [0.99, 1.01]\tabc
                """);
        Map<String, String> forge =
                Map.of("CODE", "3", "PULL", "5", "SHA", "c0ffee", "GH_REPO", "o/r", "RUN", "https://example.org/run/1");
        assertThat(start(forge, null, List.of("scripts/ci-compare", "publish")))
                .as(output)
                .isZero();
        assertThat(Files.readString(report.resolve("comment.md")))
                .startsWith("<!-- touchstone: benchmarks -->")
                .contains("(https://example.org/run/1)", "| `w/t1/OURS` | 0.99x (0.90–1.10) | unknown |");
        assertThat(calls())
                .contains("-X POST repos/o/r/issues/5/comments", "head_sha=c0ffee", "conclusion=neutral")
                .doesNotContain("PATCH", "issue ");
        Files.writeString(folder.resolve("calls.comments"), "77\n");
        Map<String, String> push = new HashMap<>(forge);
        push.putAll(Map.of("CODE", "1", "ISSUES", "true"));
        assertThat(start(push, null, List.of("scripts/ci-compare", "publish")))
                .as(output)
                .isZero();
        assertThat(calls()).contains("PATCH repos/o/r/issues/comments/77", "conclusion=failure", "issue close 8");
        Files.writeString(report.resolve("verdicts.tsv"), "w|t1\tsame\t1.0x\tabc\n");
        assertThat(start(forge, null, List.of("scripts/ci-compare", "publish"))).isEqualTo(2);
        assertThat(output).contains("not a verdict: w|t1");
    }

    /** Whether another process holds it: tried until it does, since that one has only just been started. */
    private static boolean locked(Path file) throws Exception {
        for (int attempt = 0; attempt < 500; attempt++) {
            if (new ProcessBuilder("flock", "-n", file.toString(), "true")
                            .start()
                            .waitFor()
                    != 0) {
                return true;
            }
        }
        return false;
    }

    private void commit(String speed) throws Exception {
        commit(speed, "speed " + speed);
    }

    private void commit(String speed, String message) throws Exception {
        commit(speed, message, "now");
    }

    private void commit(String speed, String message, String when) throws Exception {
        Files.writeString(repository.resolve("speed"), speed);
        git("add", "-A");
        Process date = new ProcessBuilder("date", "-R", "-d", when).start();
        String stamp = new String(date.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
        assertThat(start(
                        Map.of("GIT_COMMITTER_DATE", stamp, "GIT_AUTHOR_DATE", stamp),
                        null,
                        List.of("git", "commit", "-q", "--allow-empty", "-m", message)))
                .as(output)
                .isZero();
    }

    private String head() throws Exception {
        git("rev-parse", "HEAD");
        return output.strip();
    }

    private void git(String... args) throws Exception {
        List<String> command = new ArrayList<>(List.of("git"));
        command.addAll(List.of(args));
        assertThat(start(Map.of(), null, command)).as(output).isZero();
    }

    private int run(String... command) throws Exception {
        return start(Map.of(), null, List.of(command));
    }

    private int run(Path input, String... command) throws Exception {
        return start(Map.of(), input, List.of(command));
    }

    private int start(Map<String, String> environment, @Nullable Path input, List<String> command) throws Exception {
        Path log = folder.resolve("log");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(repository.toFile())
                .redirectErrorStream(true)
                .redirectInput(input == null ? new File("/dev/null") : input.toFile())
                .redirectOutput(log.toFile());
        Map<String, String> variables = builder.environment();
        variables.keySet().removeIf(name -> name.startsWith("GIT_"));
        variables.putAll(environment);
        variables.put("JAVA_HOME", folder.resolve("jdk").toString());
        variables.put(
                "PATH", folder.resolve("bin") + File.pathSeparator + variables.getOrDefault("PATH", "/usr/bin:/bin"));
        variables.put("CALLS", folder.resolve("calls").toString());
        for (String who : List.of("AUTHOR", "COMMITTER")) {
            variables.put("GIT_" + who + "_NAME", "test");
            variables.put("GIT_" + who + "_EMAIL", "test@example.org");
        }
        Process process = builder.start();
        try {
            int code = process.waitFor();
            output = Files.readString(log);
            return code;
        } finally {
            process.destroyForcibly();
        }
    }

    private String calls() throws IOException {
        return Files.readString(folder.resolve("calls"));
    }

    private String report() throws IOException {
        return Files.readString(repository.resolve(".nightly/report/report.md"));
    }

    private static void executable(Path file, String text) throws IOException {
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
