package dev.touchstone.builds.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.BuildResult;
import dev.touchstone.builds.Bundles;
import dev.touchstone.builds.Site;
import dev.touchstone.builds.access.Access;
import dev.touchstone.builds.access.TokenTable;
import dev.touchstone.builds.agent.artefact.WantedFiles;
import dev.touchstone.builds.hook.Forge;
import dev.touchstone.builds.hook.Hook;
import dev.touchstone.builds.link.FakeAgent;
import dev.touchstone.cli.ExitCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The command line, in the test's JVM, against a master and an agent that takes notes. */
@Timeout(120)
class CommandsTest {
    private static final String TOKEN = "a token for tests";

    @TempDir
    Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final StringWriter err = new StringWriter();
    private final Map<String, String> environment = new HashMap<>();

    private int run(String... arguments) {
        out.reset();
        err.getBuffer().setLength(0);
        return Commands.execute(around(), arguments);
    }

    private ProcessContext around() {
        return new ProcessContext(environment, folder, out, new PrintWriter(err, true));
    }

    /** An agent that prints what it was asked for, and ends as the variable CODE says. */
    private static FakeAgent echo() {
        return new FakeAgent(run -> {
            Map<String, String> variables = new TreeMap<>(run.assignment.environment());
            run.print(run.assignment.repository() + " " + run.assignment.branch() + " " + run.assignment.script() + " "
                    + variables + "\n");
            if (!run.assignment.files().equals(WantedFiles.NONE)) {
                run.print(run.assignment.files() + "\n");
                run.handOn(Bundles.of(Map.of("x/a", "one".getBytes(StandardCharsets.UTF_8), "b\u202e", new byte[0])));
            }
            return Integer.parseInt(variables.getOrDefault("CODE", "0"));
        });
    }

    private Site site() throws IOException {
        Site site = new Site(folder.resolve("m"));
        site.agent("a", site.with(echo()));
        environment.put("CIDER_MASTER_TOKEN", TOKEN);
        environment.put("CIDER_MASTER_URL", "builds://127.0.0.1:" + site.port());
        return site;
    }

    @Test
    void build_flagsOfTheOriginal_work() throws Exception {
        try (Site site = site()) {
            environment.remove("CIDER_MASTER_URL");
            int code = run(
                    "build",
                    "-master",
                    "builds://127.0.0.1:" + site.port(),
                    "-slave=any",
                    "-runner",
                    "bash",
                    "-repository",
                    "git+ssh://host/foo/bar.git#develop",
                    "-script",
                    "scripts/build",
                    "-env",
                    "A=1",
                    "-env",
                    "B=x=y");
            assertThat(code).as(err.toString()).isZero();
            assertThat(out.toString(StandardCharsets.UTF_8))
                    .isEqualTo("git+ssh://host/foo/bar.git develop scripts/build {A=1, B=x=y}\n");
        }
    }

    @Test
    void doctor_machineThatIsFit_saysWhatItHas() throws Exception {
        try (Site site = site()) {
            assertThat(site.port()).isPositive();
            environment.put("PATH", System.getenv("PATH"));
            int code = run(
                    "doctor",
                    "--isolation",
                    "none",
                    "-workspace",
                    folder.resolve("new").toString());
            String said = out.toString(StandardCharsets.UTF_8);
            assertThat(code).as(said).isZero();
            assertThat(said.lines()
                            .map(line -> line.replaceFirst("^(\\S+ +\\S+) .*", "$1")
                                    .replaceAll(" +", " ")
                                    .replaceFirst("^\\S+ limits$", "limits")))
                    .containsExactly("warning isolation", "limits", "ok git", "ok disk", "ok token", "ok master");
            assertThat(said).contains("git version ", "freeBytes=", "reached master=builds://127.0.0.1:");
        }
    }

    @Test
    void doctor_withoutWhatItNeeds_saysWhatIsMissing() throws Exception {
        Path token = Files.writeString(folder.resolve("token"), "a token");
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-r--r--"));
        environment.put("PATH", folder.toString());
        int code = run("doctor", "--json", "--isolation", "sandbox", "-token-file", token.toString());
        String said = out.toString(StandardCharsets.UTF_8);
        assertThat(code).as(said).isEqualTo(5);
        assertThat(said)
                .startsWith("{\"ok\":false,\"checks\":[{\"name\":\"isolation\",\"state\":\"failed\",")
                .contains("install the package bubblewrap", "\"state\":\"skipped\"", "owner only");
        assertThat(run("doctor", "-token-file", token.toString())).isEqualTo(5);
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("warning  isolation none: scripts can do whatever");
        assertThat(run("doctor", "--isolation", "perfect")).isEqualTo(2);
    }

    @Test
    void agent_sandboxThatIsMissing_doesNotStart() throws Exception {
        environment.put("BUILDS_MASTER_TOKEN", TOKEN);
        environment.put("PATH", folder.toString());
        String agent = folder.resolve("agent").toString();
        String[] command = {
            "agent", "-identity", "a", "-master", "builds://127.0.0.1:1", "-workspace", agent, "--isolation", "sandbox"
        };
        assertThat(run(command)).isEqualTo(2);
        assertThat(err.toString()).contains("bwrap is not on the PATH; install the package bubblewrap");
        Path bwrap = Files.writeString(
                folder.resolve("bwrap"), "#!/bin/sh\necho 'no permissions to create a namespace' >&2\nexit 1\n");
        assertThat(bwrap.toFile().setExecutable(true)).isTrue();
        assertThat(run(command)).isEqualTo(2);
        assertThat(err.toString())
                .contains("bwrap does not work here: exitCode=1", "no permissions to create a namespace");
    }

    @Test
    void verifyAndRepair_endWithTheirExitCodes() throws Exception {
        String master = folder.resolve("m").toString();
        assertThat(run("verify", "--folder", master)).isEqualTo(2);
        assertThat(err.toString()).contains("holds no master's journal");
        try (Site site = site()) {
            assertThat(site.port()).isPositive();
            assertThat(run("build", "-repository", "git+file:///r", "-script", "s"))
                    .isZero();
            assertThat(run("verify", "--folder", master)).isEqualTo(3);
            assertThat(run("repair", "--folder", master)).isEqualTo(3);
        }
        assertThat(run("verify", "--folder", master)).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("whole: true", "jobs: 1");
        flipAnEvent();
        assertThat(run("verify", "--folder", master)).isEqualTo(4);
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("whole: false", "lost: ");
        assertThat(run("repair", "--folder", master)).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("damaged-journal-1");
        assertThat(run("verify", "--folder", master)).isZero();
    }

    @Test
    void artefacts_ofABuild_areListedAndDownloadedOnce() throws Exception {
        try (Site site = site()) {
            assertThat(site.port()).isPositive();
            Files.writeString(
                    folder.resolve("cider.yml"),
                    "script: {artefacts: ['*.log', 'target/*'], caches: [m2=~/.m2, out=target/out]}\n");
            String[] build = {
                "build",
                "-repository",
                "git+file:///r",
                "-script",
                "s",
                "--artefact",
                "x/{a,b}",
                "--artefacts-always",
                "--cache",
                "out=other"
            };
            assertThat(run(build)).as(err.toString()).isZero();
            assertThat(out.toString(StandardCharsets.UTF_8))
                    .contains("artefacts=[*.log, target/*, x/{a,b}], always=true, caches={")
                    .contains("m2=~/.m2", "out=other", "maxFiles=1000, maxBytes=268435456");
            assertThat(err.toString())
                    .contains("---> Artefacts: files=2 bytes=3; download them with: builds artefacts j");
            String id = err.toString().replaceAll("(?s).*builds artefacts (\\S+) .*", "$1");
            String digest = "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed"; // of "one"
            assertThat(run("artefacts", id)).as(err.toString()).isZero();
            assertThat(out.toString(StandardCharsets.UTF_8)).contains(digest + "  3  x/a\n", "  0  b?\n");
            assertThat(run("artefacts", id, "--json", "--to", "to")).isZero();
            assertThat(out.toString(StandardCharsets.UTF_8))
                    .contains("{\"name\":\"x/a\",\"bytes\":3,\"sha256\":\"" + digest + "\"}");
            assertThat(folder.resolve("to/x/a")).hasContent("one");
            assertThat(run("artefacts", id, "--to", "to")).isEqualTo(BuildsExitCode.FAILED);
            assertThat(err.toString()).contains("is there already, and is not replaced");
            assertThat(run("show", id)).isZero();
            assertThat(out.toString(StandardCharsets.UTF_8)).contains("artefacts: 2\n", "artefactBytes: 3\n");
            assertThat(run("artefacts", "j-1")).isEqualTo(BuildsExitCode.REFUSED);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--artefact ../x | pattern=\"../x\": expected one relative to the sources, without ..",
                "--artefact /x | pattern=\"/x\": expected one relative to the sources, without ..",
                "--artefact {x | pattern=\"{x\": Missing '",
                "--cache key | --cache: expected KEY=VALUE, got a text without it: characters=3",
                "--cache key=/x | cache path=\"/x\": expected a path relative to the sources, or to HOME with ~/ before it",
                "--cache k/y=x | cache key=k/y expected 1 to 64 of",
            })
    void files_thatLeadOut_areRefusedByTheClient(String flags, String message) {
        environment.put("BUILDS_MASTER_TOKEN", "x");
        environment.put("BUILDS_MASTER_URL", "builds://127.0.0.1:1");
        assertThat(run(("build -repository r -script s " + flags).split(" "))).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains(message);
    }

    @Test
    void job_thatWasDetached_isListedShownFollowedAndCancelled() throws Exception {
        try (Site site = site()) {
            assertThat(site.port()).isPositive();
            String[] build = {"build", "--detach", "-repository", "git+file:///r#b", "-script", "s", "-env", "CODE=3"};
            assertThat(run(build)).as(err.toString()).isZero();
            String id = out.toString(StandardCharsets.UTF_8).strip();
            assertThat(run("logs", "-f", id)).as(err.toString()).isEqualTo(3);
            String log = "git+file:///r b s {CODE=3}\n";
            assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo(log);
            assertThat(run("logs", id)).isZero();
            assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo(log);
            assertThat(run("show", id)).isZero();
            assertThat(out.toString(StandardCharsets.UTF_8))
                    .contains("job: " + id, "state: script-failed", "agent: a", "exitCode: 3", "logBytes: 27");
            assertThat(run("show", "--json", id)).isZero();
            assertThat(out.toString(StandardCharsets.UTF_8)).startsWith("{\"job\":\"" + id + "\",\"state\":");
            assertThat(run("cancel", id)).isEqualTo(1);
            assertThat(err.toString()).contains("had ended before");
            String[] waits = {"build", "--detach", "-repository", "git+file:///r", "-script", "s", "-slave", "nobody"};
            assertThat(run(waits)).isZero();
            String second = out.toString(StandardCharsets.UTF_8).strip();
            assertThat(run("logs", second)).isZero();
            assertThat(out.size()).isZero();
            assertThat(run("jobs")).isZero();
            assertThat(out.toString(StandardCharsets.UTF_8).lines())
                    .containsExactly(
                            second + "  queued  git+file:///r#master  s", id + "  script-failed  git+file:///r#b  s");
            assertThat(run("jobs", "--json", "--most", "1")).isZero();
            assertThat(out.toString(StandardCharsets.UTF_8))
                    .startsWith("[{\"owner\":\"\",\"repository\":\"git+file:///r\",")
                    .contains(second)
                    .doesNotContain("#b", "3}");
            assertThat(run("cancel", "--reason", "n\u00f6\u001b[2J\u009b\u202e\nstate: succeeded", second))
                    .isZero();
            assertThat(run("show", second)).isZero();
            assertThat(out.toString(StandardCharsets.UTF_8))
                    .as("what would steer a terminal is replaced")
                    .contains("state: cancelled", "message: n\u00f6?[2J???state: succeeded\n");
            assertThat(run("agents")).isZero();
            assertThat(out.toString(StandardCharsets.UTF_8)).startsWith("a  0 of 2  labels=[any] runners=[");
            assertThat(run("agents", "--json")).isZero();
            assertThat(out.toString(StandardCharsets.UTF_8))
                    .startsWith("[{\"agent\":\"a\",\"busy\":0,\"executors\":2,");
            for (String command : new String[] {"show", "logs", "cancel"}) {
                assertThat(run(command, "j000000-99")).as(command).isEqualTo(123);
                assertThat(err.toString()).contains("j000000-99");
            }
            assertThat(run("jobs", "--most", "0")).isEqualTo(2);
            assertThat(run("show")).isEqualTo(2);
        }
    }

    @Test
    void tokens_addedListedAndRemoved_areWhatAMasterReads() throws Exception {
        String list = folder.resolve("tokens").toString();
        Path own = folder.resolve("alice.token");
        assertThat(run("tokens")).isEqualTo(2);
        assertThat(run("tokens", "list", "--tokens", list)).isEqualTo(2);
        assertThat(err.toString()).contains("--tokens:", "no such file");
        String[] add = {
            "tokens", "add", "alice", "--roles", "read,submit", "--tokens", list, "--token-file", own.toString()
        };
        assertThat(run(add)).as(err.toString()).isZero();
        String token = Files.readString(own).strip();
        assertThat(token).hasSize(43);
        assertThat(out.toString(StandardCharsets.UTF_8) + err)
                .as("it is printed nowhere")
                .isEmpty();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(own)))
                .isEqualTo("rw-------");
        assertThat(Access.of(null, Path.of(list)).find(token)).hasToString("alice");
        assertThat(run(add)).isEqualTo(2);
        assertThat(err.toString()).contains("name has a token already: name=alice");
        add[2] = "bob";
        assertThat(run(add)).isEqualTo(2);
        assertThat(err.toString()).contains("file exists, and would be replaced");
        assertThat(Files.readString(own).strip()).isEqualTo(token);
        add[4] = "owner";
        assertThat(run(add)).isEqualTo(2);
        assertThat(err.toString()).contains("no such role: role=owner");
        assertThat(run("tokens", "list", "--tokens", list)).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("alice submit,read\n");
        assertThat(run("tokens", "list", "--json", "--tokens", list)).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .isEqualTo("[{\"name\":\"alice\",\"roles\":[\"submit\",\"read\"]}]\n");
        assertThat(run("tokens", "remove", "bob", "--tokens", list)).isEqualTo(2);
        assertThat(run("tokens", "remove", "alice", "--tokens", list)).isZero();
        assertThat(TokenTable.load(Path.of(list)).callers()).isEmpty();
    }

    @Test
    void master_withAWrongListOfTokens_doesNotStart() throws Exception {
        Path list = folder.resolve("tokens");
        Files.writeString(list, "alice submit my-own-token\n");
        String[] master = {
            "master", "--folder", folder.resolve("m").toString(), "--port", "0", "--tokens", list.toString()
        };
        assertThat(run(master)).isEqualTo(2);
        assertThat(err.toString())
                .contains("--tokens:", "line 1: digest is not 64 hexadecimal digits")
                .doesNotContain("my-own-token");
    }

    /** Flips a bit of an event, in the only file of the journal that has one. */
    private void flipAnEvent() throws IOException {
        try (java.util.stream.Stream<Path> files = Files.list(folder.resolve("m/journal"))) {
            for (Path file : (Iterable<Path>) files::iterator) {
                byte[] bytes = Files.readAllBytes(file);
                int at = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("requested");
                if (at >= 0) {
                    bytes[at] ^= 1;
                    Files.write(file, bytes);
                    return;
                }
            }
        }
        throw new AssertionError("no event in the journal");
    }

    @Test
    void build_scriptFails_endsWithItsExitCode() throws Exception {
        try (Site site = site()) {
            assertThat(site.port()).isPositive();
            assertThat(run("build", "-repository", "git+file:///r", "-script", "s", "-env", "CODE=42"))
                    .isEqualTo(42);
            assertThat(err.toString()).contains("Error: script failed");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "hooks: 1                                     | expected a list: file=FILE key=hooks",
                "hok: []                                      | no such key: expected one of [hooks]: file=FILE key=hok",
                "hooks: [{nam: x}]                            | key=hooks[0].nam",
                "hooks: [{name: x}]                           | is missing: file=FILE key=hooks[0].forge",
                "hooks: [{name: x, forge: svn, secret: hunter2}]               | expected github, gitlab, gitea",
                "hooks: [{name: x, forge: github}]            | expected either secret or secret-file",
                "hooks: [{name: x, forge: github, secret: hunter2}]            | is missing: file=FILE key=hooks[0].repository",
                "hooks: [{name: x, forge: github, secret: hunter2, repository: r, script: s, runner: a b}] | runner=a b",
                "hooks: [{name: x, forge: github, secret: hunter2, repository: r, script: s, status: {api: 'http://h/'}}] | key=hooks[0].token-file",
            })
    void hooksFile_thatIsWrong_isRefusedWithThePlace(String text, String message) throws Exception {
        Path file = folder.resolve("hooks.yml");
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        environment.put("BUILDS_MASTER_TOKEN", "x");
        assertThat(run("master", "--folder", "f", "--web-port", "0", "--hooks", file.toString()))
                .isEqualTo(ExitCode.USAGE);
        assertThat(err.toString())
                .startsWith("Error: --hooks: ")
                .contains(message.replace("FILE", file.toString()))
                .doesNotContain("hunter2");
        assertThat(run("master", "--folder", "f", "--hooks", file.toString())).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("--web-port");
    }

    @Test
    void hooksFile_withAllKeys_isRead() throws Exception {
        Path token = folder.resolve("secret");
        Files.writeString(token, "hunter2\n");
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
        Path file = folder.resolve("hooks.yml");
        Files.writeString(file, """
                hooks:
                  - name: project
                    forge: forgejo
                    owner: alice
                    secret-file: secret
                    repository: https://forge/me/project.git
                    script: ci/build
                    runner: node
                    label: linux
                    env: [A=1]
                    branches: [main, release/*]
                    status:
                      api: https://forge/api/v1
                      token-file: secret
                      link: https://builds.example/
                  - name: other
                    forge: gitlab
                    secret: hunter3
                    repository: r
                    script: s
                    branches: main
                """);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertThatThrownBy(() -> HooksFile.read(file))
                .hasMessageContaining("chmod 600")
                .hasMessageContaining("key=hooks[1].secret");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        List<Hook> hooks = HooksFile.read(file);
        assertThat(hooks).extracting(Hook::name).containsExactly("project", "other");
        Hook first = hooks.get(0);
        assertThat(first.forge()).isEqualTo(Forge.GITEA);
        assertThat(first.owner()).isEqualTo("alice");
        assertThat(first.secret().text()).isEqualTo("hunter2");
        assertThat(first.branches()).containsExactly("main", "release/*");
        assertThat(first.status().orElseThrow().token().text()).isEqualTo("hunter2");
        assertThat(hooks.get(1).owner()).isEqualTo("other");
        assertThat(hooks.get(1).branches()).containsExactly("main");
    }

    @Test
    void retry_printsTheIdOfAJobThatRepeatsAnother() throws Exception {
        try (Site site = site()) {
            assertThat(site.port()).isPositive();
            assertThat(run("build", "--detach", "-repository", "git+file:///r", "-script", "s"))
                    .isZero();
            String id = out.toString(StandardCharsets.UTF_8).strip();
            assertThat(run("retry", id)).as(err.toString()).isZero();
            String again = out.toString(StandardCharsets.UTF_8).strip();
            assertThat(run("show", again)).isZero();
            assertThat(out.toString(StandardCharsets.UTF_8)).contains("job: " + again, "retryOf: " + id);
            assertThat(run("retry", id + "00")).isEqualTo(BuildsExitCode.REFUSED);
        }
    }

    @Test
    void values_flagsBeforeEnvironmentBeforeFile() throws Exception {
        try (Site site = site()) {
            Files.writeString(folder.resolve("cider.yml"), String.format(Locale.ROOT, """
                    master:
                      url: builds://127.0.0.1:%d
                      token: not used
                    slave:
                      label: any
                    repository:
                      url: git+file:///from/file#filebranch
                    script:
                      path: from/file
                      runner: bash
                      env:
                        - A=file
                        - B=file
                        - C=file
                    """, site.port()));
            assertThat(run("build")).as(err.toString()).isZero();
            assertThat(out.toString(StandardCharsets.UTF_8))
                    .isEqualTo("git+file:///from/file filebranch from/file {A=file, B=file, C=file}\n");
            environment.put("CIDER_SCRIPT_PATH", "from/cider");
            environment.put("CIDER_REPOSITORY_URL", "git+file:///from/cider");
            environment.put("BUILDS_SCRIPT_PATH", "from/builds");
            environment.put("CIDER_SCRIPT_ENV_B", "cider");
            environment.put("CIDER_SCRIPT_ENV_C", "cider");
            assertThat(run("build", "-env", "C=flag")).as(err.toString()).isZero();
            assertThat(out.toString(StandardCharsets.UTF_8))
                    .isEqualTo("git+file:///from/cider master from/builds {A=file, B=cider, C=flag}\n");
        }
    }

    /** Defect 9: variables of the environment were passed over where there were no others. */
    @Test
    void repository_onCircleCi_isTheOneThatItBuilds() throws Exception {
        try (Site site = site()) {
            assertThat(site.port()).isPositive();
            environment.put("CIRCLECI", "true");
            environment.put("CIRCLE_PROJECT_USERNAME", "foo");
            environment.put("CIRCLE_PROJECT_REPONAME", "bar");
            environment.put("CIRCLE_BRANCH", "develop");
            environment.put("CIDER_REPOSITORY_URL", "git+file:///another");
            assertThat(run("build", "-script", "s")).as(err.toString()).isZero();
            assertThat(out.toString(StandardCharsets.UTF_8))
                    .isEqualTo("git+ssh://git@github.com/foo/bar develop s {}\n");
            assertThat(run("build", "-script", "s", "-repository", "git+file:///r"))
                    .isZero();
            assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("git+file:///r master s {}\n");
        }
    }

    @Test
    void variables_ofTheEnvironmentAlone_reachTheScript() throws Exception {
        try (Site site = site()) {
            assertThat(site.port()).isPositive();
            environment.put("CIDER_SCRIPT_ENV_ONLY", "this");
            assertThat(run("build", "-repository", "git+file:///r", "-script", "s"))
                    .isZero();
            assertThat(out.toString(StandardCharsets.UTF_8)).endsWith("{ONLY=this}\n");
        }
    }

    @Test
    void token_onTheCommandLine_worksWithOneWarning() throws Exception {
        try (Site site = site()) {
            environment.put("CIDER_MASTER_TOKEN", "another");
            assertThat(site.port()).isPositive();
            assertThat(run("build", "-token", TOKEN, "-repository", "git+file:///r", "-script", "s"))
                    .as(err.toString())
                    .isZero();
            assertThat(err.toString()).containsOnlyOnce("WARNING: -token").doesNotContain(TOKEN);
            assertThat(run("jobs", "-token", TOKEN)).isZero();
            assertThat(err.toString()).containsOnlyOnce("WARNING: -token").doesNotContain(TOKEN);
            assertThat(run("build", "-token", TOKEN, "-token-file", "f", "-repository", "r", "-script", "s"))
                    .isEqualTo(ExitCode.USAGE);
        }
    }

    @Test
    void token_onTheCommandLine_isNotShown() {
        assertThat(run("build", "-token", "hunter2")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("WARNING: -token").doesNotContain("hunter2");
        assertThat(run("agent", "-token=hunter2")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).doesNotContain("hunter2");
        for (String[] line : new String[][] {
            {"build", "hunter2"}, {"hunter2"}, {"build", "--tokn=hunter2"}, {"build", "--tokn", "hunter2"}
        }) {
            assertThat(run(line)).isEqualTo(ExitCode.USAGE);
            assertThat(err.toString()).startsWith("Error: un").doesNotContain("hunter2");
        }
        assertThat(run("master", "--folder", folder.toString(), "--redis", "redis://:hunter2@host"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).doesNotContain("hunter2");
    }

    @Test
    void tokenFile_ofItsOwnerOnly_isRead_andOthersAreRefused() throws Exception {
        try (Site site = site()) {
            assertThat(site.port()).isPositive();
            environment.remove("CIDER_MASTER_TOKEN");
            Path file = folder.resolve("token");
            Files.writeString(file, TOKEN + "\n");
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
            String[] build = {"build", "-repository", "git+file:///r", "-script", "s", "-token-file", file.toString()};
            assertThat(run(build)).as(err.toString()).isZero();
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
            assertThat(run(build)).isEqualTo(ExitCode.USAGE);
            assertThat(err.toString()).contains("accessible by its owner only").doesNotContain(TOKEN);
        }
    }

    @Test
    void file_thatIsMissing_isNamedWithTheWayOut() {
        environment.put("BUILDS_MASTER_URL", "builds://127.0.0.1:1");
        String[] build = {"build", "-repository", "r", "-script", "s", "-token-file", "/no/token"};
        assertThat(run(build)).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString().strip())
                .isEqualTo("Error: no such file: path=/no/token; check the option or BUILDS_MASTER_TOKEN_FILE");
    }

    @ParameterizedTest
    @CsvSource({
        "master --folder f --port 99999, '--port: expected 0..65535, got 99999'",
        "master --folder f --web-port -1, '--web-port: expected 0..65535, got -1'",
        "master --folder f --max-attempts 0, '--max-attempts: expected 1 or more, got 0'",
        "master --folder f --keep-days -1, '--keep-days: expected 0 or more, got -1'",
        "master --folder f --tick 0, '--tick: expected 1 or more, got 0'",
        "agent -master builds://h:1 -identity a -workspace w --executors 0, '--executors: expected 1..1024, got 0'",
        "agent -master builds://h:1 -identity a -workspace w --kill-grace -1, '--kill-grace: expected 0..31536000, got -1'",
        "build -repository r -script s --timeout 0, '--timeout: expected 1..31536000, got 0'",
    })
    void number_outOfRange_namesThatOptionOnly(String line, String message) {
        environment.put("BUILDS_MASTER_TOKEN", "x");
        assertThat(run(line.split(" "))).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString().strip()).isEqualTo("Error: " + message);
    }

    @ParameterizedTest
    @ValueSource(ints = {80, 100})
    void help_everyCommand_wholeSentencesWithinTheColumns(int columns) {
        CommandLine root = Commands.program(around()).commandLine().setUsageHelpWidth(columns);
        String list = root.getUsageMessage().replaceAll("\\s+", " ");
        root.getSubcommands().forEach((name, command) -> {
            String[] description = command.getCommandSpec().usageMessage().description();
            assertThat(command.getUsageMessage().lines())
                    .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(columns));
            assertThat(description)
                    .as(name)
                    .allSatisfy(paragraph -> assertThat(paragraph).matches("|.*\\."));
            assertThat(list)
                    .as("summary in full")
                    .contains(String.join(", ", command.getCommandSpec().names()) + " " + description[0]);
        });
    }

    @Test
    void usage_missingOrWrong_isOneClearLine() {
        assertThat(run()).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString())
                .contains(
                        "Missing required subcommand",
                        "Commands: agents, artefacts, cancel, jobs, logs, retry, show, master, agent, slave, build");
        assertThat(run("biuld")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("unknown command; did you mean 'build'?");
        assertThat(run("build")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("repository is not set");
        assertThat(run("build", "-repository", "r", "-script", "s")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("master is not set");
        environment.put("BUILDS_MASTER_URL", "http://host:80/connect");
        environment.put("BUILDS_MASTER_TOKEN", "x");
        assertThat(run("build", "-repository", "r", "-script", "s")).isEqualTo(BuildsExitCode.REFUSED);
        assertThat(err.toString()).contains("expected=builds://host:port");
        assertThat(run("build", "-repository", "r", "-script", "s", "-env", "A"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(run("build", "-repository", "r", "-script", "s", "--output", "paper"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(run("build", "-repository", "r", "-script", "s", "--label", "no label"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("label=no label");
    }

    @Test
    void ciderYml_damaged_isRefusedWithThePlace() throws Exception {
        Files.writeString(folder.resolve("cider.yml"), "master: [unclosed\n");
        assertThat(run("build")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("cider.yml");
        Files.writeString(folder.resolve("cider.yml"), "script: {env: text}\n");
        assertThat(run("build")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("script.env");
    }

    @Test
    @Tag("slow") // it is tried for ten seconds
    void master_thatIsNotThere_isSaid() {
        environment.put("BUILDS_MASTER_URL", "builds://127.0.0.1:1");
        environment.put("BUILDS_MASTER_TOKEN", "x");
        assertThat(run("build", "-repository", "r", "-script", "s")).isEqualTo(BuildsExitCode.FAILED);
        assertThat(err.toString()).contains("Error: master is not reached");
    }

    @Test
    void help_listsTheExitCodes() {
        assertThat(run("build", "--help")).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("Exit codes:", "124", "130", "-repository");
        assertThat(run("master", "--help")).isZero();
        assertThat(run("agent", "-help")).isZero();
        assertThat(run("--help")).isZero();
    }

    @Test
    void exitCodes_areTheScriptsOrOurs() {
        assertThat(BuildsExitCode.of(result(BuildCode.SCRIPT_FAILED, 7))).isEqualTo(7);
        assertThat(BuildsExitCode.of(result(BuildCode.SCRIPT_FAILED, 256))).isEqualTo(1);
        assertThat(BuildsExitCode.of(result(BuildCode.OK, 0))).isZero();
        assertThat(BuildsExitCode.of(result(BuildCode.AGENT_LOST, -1))).isEqualTo(BuildsExitCode.NOT_RUN);
        assertThat(BuildsExitCode.of(result(BuildCode.INVALID, -1))).isEqualTo(BuildsExitCode.NOT_RUN);
        assertThat(BuildsExitCode.of(result(BuildCode.QUEUE_TIMED_OUT, -1))).isEqualTo(BuildsExitCode.TIMED_OUT);
        assertThat(BuildsExitCode.of(result(BuildCode.CANCELLED, -1))).isEqualTo(BuildsExitCode.CANCELLED);
    }

    private static BuildResult result(BuildCode code, int exitCode) {
        return new BuildResult("j-1", code, exitCode, "", Duration.ZERO, Duration.ZERO, 1, "a", 0, false, 0, 0);
    }
}
