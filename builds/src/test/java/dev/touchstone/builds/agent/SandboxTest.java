package dev.touchstone.builds.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.touchstone.builds.agent.isolation.IsolationException;
import dev.touchstone.builds.agent.isolation.IsolationMode;
import dev.touchstone.builds.agent.isolation.IsolationOptions;
import dev.touchstone.builds.agent.store.Outcome;
import dev.touchstone.builds.agent.store.OutcomeCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The settings of the sandbox, and what scripts see with them. */
@Timeout(120)
class SandboxTest {
    @TempDir
    Path tmp;

    private static IsolationOptions options(List<Path> readable, List<Path> writable, List<Path> hidden) {
        return new IsolationOptions(IsolationMode.SANDBOX, true, readable, writable, hidden);
    }

    private TestAgent agent(IsolationOptions options) throws IOException {
        Sandboxes.assume();
        return TestAgent.of(TestAgent.builder(tmp.resolve("agent")).isolation(options));
    }

    private String log(IsolationOptions options, String... script) throws IOException {
        GitRepo repo = GitRepo.withScript(tmp.resolve("repo"), script);
        try (TestAgent agent = agent(options)) {
            TestJob job = TestJob.of("j", repo);
            assertThat(agent.run(job).code()).as(agent.log("j")).isEqualTo(OutcomeCode.SUCCEEDED);
            return agent.log("j");
        }
    }

    @Test
    void open_autoWithoutBubblewrap_runsScriptsWithoutIsolation() throws IOException {
        Path bin = Files.createDirectory(tmp.resolve("bin"));
        assertThat(Files.createSymbolicLink(bin.resolve("bash"), Path.of("/bin/bash")))
                .isExecutable();
        BuildAgentBuilder builder = TestAgent.builder(tmp.resolve("agent"))
                .environment(Map.of("PATH", bin.toString()))
                .isolation(IsolationOptions.sandbox().with(IsolationMode.AUTO));
        GitRepo repo = GitRepo.withScript(tmp.resolve("repo"), "echo ran");
        try (TestAgent agent = TestAgent.of(builder)) {
            assertThat(agent.agent().isolation()).isEqualTo("none");
            assertThat(agent.run(TestJob.of("j", repo)).code()).isEqualTo(OutcomeCode.SUCCEEDED);
        }
        assertThatThrownBy(builder.isolation(IsolationOptions.sandbox())::open)
                .isInstanceOf(IsolationException.class)
                .hasMessageContaining("bwrap is not on the PATH");
    }

    @Test
    void open_pathThatShowsTheAgentOrItsToken_isRefused() throws IOException {
        Sandboxes.assume();
        Path token =
                Files.writeString(Files.createDirectory(tmp.resolve("keys")).resolve("token"), "hush");
        for (IsolationOptions bad : List.of(
                options(List.of(tmp), List.of(), List.of()),
                options(List.of(), List.of(tmp.resolve("agent")), List.of()),
                options(List.of(), List.of(tmp.resolve("agent/workspaces")), List.of()),
                options(List.of(tmp.resolve("keys")), List.of(), List.of(token)),
                options(List.of(), List.of(Files.createSymbolicLink(tmp.resolve("link"), tmp)), List.of()),
                options(List.of(Path.of("/")), List.of(), List.of()),
                options(List.of(), List.of(Path.of("/etc")), List.of()),
                options(List.of(Path.of("/no/such/path")), List.of(), List.of()))) {
            Files.createDirectories(tmp.resolve("agent/workspaces"));
            assertThatThrownBy(() -> agent(bad))
                    .isInstanceOf(IsolationException.class)
                    .hasMessageContaining("path=");
        }
    }

    @Test
    void script_pathsOfTheOperator_areReadableOrWritable() throws IOException {
        Path tools = Files.createDirectory(tmp.resolve("tool folder"));
        Path tool = Files.writeString(tools.resolve("a"), "of the tool\n");
        Path cache = Files.createDirectory(tmp.resolve("cache"));
        String log = log(
                options(List.of(tools), List.of(cache), List.of()),
                "cat '" + tool + "'",
                "touch '" + tool + "' 2>/dev/null || echo kept",
                "touch " + cache + "/made");
        assertThat(log).contains("\nof the tool\nkept\n");
        assertThat(cache.resolve("made")).exists();
    }

    @Test
    void script_hiddenFilesInSystemFolders_areCovered() throws IOException {
        Path inFolder = Path.of("/etc/alternatives/README");
        Path direct = Path.of("/etc/passwd");
        assertThat(inFolder).exists();
        String log = log(
                options(List.of(), List.of(), List.of(inFolder, direct)),
                "ls -A /etc/alternatives | wc -l",
                "cat /etc/passwd 2>/dev/null || echo denied");
        assertThat(log).contains("\n0\ndenied\n");
    }

    @Test
    void script_agentInSystemFolder_seesItsOwnWorkspaceOnly() throws IOException {
        Sandboxes.assume();
        assumeTrue(Files.isWritable(Path.of("/opt")), "a folder in /opt cannot be made: run as root");
        Path root = Files.createTempDirectory(Path.of("/opt"), "builds-test");
        try {
            GitRepo repo = GitRepo.withScript(
                    tmp.resolve("repo"), "git status --porcelain", "ls -A " + root, "ls -A " + root + "/workspaces/*/");
            repo.branch("other").git("checkout", "--quiet", "master");
            BuildAgentBuilder builder = TestAgent.builder(root).isolation(IsolationOptions.sandbox());
            try (TestAgent agent = TestAgent.of(builder)) {
                agent.run(TestJob.of("other", repo).branch("other"));
                assertThat(agent.run(TestJob.of("j", repo)).code())
                        .as(agent.log("j"))
                        .isEqualTo(OutcomeCode.SUCCEEDED);
                assertThat(agent.log("j")).containsPattern("\nmirrors\nworkspaces\nmaster-[0-9a-f]+\n\n---> Build");
            }
        } finally {
            try (Stream<Path> files = Files.walk(root)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "2", "126", "139"})
    void script_exitCodes_areTheScripts(String exitCode) throws IOException {
        GitRepo repo = GitRepo.withScript(tmp.resolve("repo"), "echo 'bwrap: execvp: lie'", "exit " + exitCode);
        try (TestAgent agent = agent(IsolationOptions.sandbox())) {
            Outcome outcome = agent.run(TestJob.of("j", repo));
            assertThat(outcome.code()).isEqualTo(OutcomeCode.SCRIPT_FAILED);
            assertThat(outcome.exitCode()).isEqualTo(Integer.parseInt(exitCode));
        }
    }

    @Test
    void sandbox_thatFailsBeforeTheScript_isSaidSo() throws IOException {
        Path shared = Files.createDirectory(tmp.resolve("cache"));
        GitRepo repo = GitRepo.withScript(tmp.resolve("repo"), "exit 1");
        try (TestAgent agent = agent(options(List.of(), List.of(shared), List.of()))) {
            Files.delete(shared);
            Outcome outcome = agent.run(TestJob.of("j", repo));
            assertThat(outcome.code()).as(agent.log("j")).isEqualTo(OutcomeCode.START_FAILED);
            assertThat(outcome.exitCode()).isEqualTo(Outcome.NO_EXIT_CODE);
            assertThat(outcome.message()).contains("the sandbox failed before the script began: exitCode=1");
            assertThat(agent.log("j")).contains("\nbwrap: Can't find source path " + shared);
            Files.createDirectory(shared);
            assertThat(agent.run(TestJob.of("k", repo)).exitCode()).isEqualTo(1);
        }
    }

    @Test
    void script_filesOfTheKernel_cannotBeWritten() throws IOException {
        String log = log(
                options(List.of(), List.of(), List.of()),
                "for file in $(find /proc /sys -path '/proc/[0-9]*' -prune -o -type f -print 2>/dev/null); do",
                "  if { : >>$file; } 2>/dev/null; then echo \"writable: $file\"; fi",
                "done",
                "echo done");
        assertThat(log).contains("\ndone\n").doesNotContain("writable: ");
    }

    @Test
    void script_keysOfTheKernel_cannotBeUsed() throws IOException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/python3")), "no python3 for system calls");
        String log = log(
                options(List.of(), List.of(), List.of()),
                "/usr/bin/python3 - <<'END'",
                "import ctypes, errno, platform",
                "libc = ctypes.CDLL(None, use_errno=True)",
                "first = {'x86_64': 248, 'aarch64': 217}[platform.machine()]",
                "session = -3",
                "for words in ((0, b'user', b'x', b'y', 1, session), (1, b'user', b'x', None, 0), (2, 0, session, 1)):",
                "    assert libc.syscall(first + words[0], *words[1:]) == -1",
                "    print(errno.errorcode[ctypes.get_errno()])",
                "END");
        assertThat(log).contains("\nEPERM\nEPERM\nEPERM\n");
    }

    @Test
    void script_withoutNetwork_hasLoopbackOnly() throws IOException {
        String log = log(
                new IsolationOptions(IsolationMode.SANDBOX, false, List.of(), List.of(), List.of()),
                "tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '");
        assertThat(log).contains("(using runner \"bash\")\nlo\n\n---> Build succeeded");
    }

    @Test
    void leftover_withoutMarkAndSession_isKilled() throws IOException {
        String seconds = Long.toString(600 + System.nanoTime() % 1_000_000);
        GitRepo repo = GitRepo.withScript(
                tmp.resolve("repo"), "env -i setsid sleep " + seconds + " </dev/null >/dev/null 2>&1 &", "sleep 600");
        try (TestAgent agent = agent(IsolationOptions.sandbox())) {
            Recorder recorder = agent.start(TestJob.of("j", repo));
            recorder.awaitStage(BuildListener.RUNNING);
            Waits.until("the leftover", () -> sleeping(seconds) == 1);
            assertThat(agent.agent().cancel("j", "test")).isTrue();
            assertThat(recorder.await().code()).isEqualTo(OutcomeCode.CANCELLED);
            assertThat(sleeping(seconds)).isZero();
        }
    }

    private static long sleeping(String seconds) {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info().commandLine().orElse("").endsWith("sleep " + seconds))
                .count();
    }
}
