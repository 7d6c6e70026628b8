package dev.touchstone.builds.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.builds.agent.isolation.IsolationMode;
import dev.touchstone.builds.agent.isolation.IsolationOptions;
import dev.touchstone.builds.agent.store.Outcome;
import dev.touchstone.builds.agent.store.OutcomeCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(240)
@Tag("sweep")
class CancelTest {
    @TempDir
    Path tmp;

    /** Returns the isolation under which scripts run. */
    IsolationOptions isolation() throws IOException {
        return IsolationOptions.NONE;
    }

    /** Returns whether no process can leave its build, and none is counted. */
    final boolean isSandboxed() throws IOException {
        return isolation().mode() == IsolationMode.SANDBOX;
    }

    /** Returns a folder that scripts can write whatever the isolation. */
    final Path shared() throws IOException {
        return Files.createDirectories(tmp.resolve("shared"));
    }

    private BuildAgentBuilder builder() throws IOException {
        return TestAgent.builder(tmp.resolve("agent")).isolation(isolation());
    }

    @Test
    void cancel_waitingJob_endsItAtOnce() throws IOException {
        GitRepo repo = GitRepo.withScript(tmp.resolve("repo"), "sleep 600");
        try (TestAgent agent = TestAgent.of(builder().executors(1))) {
            Recorder first = agent.start(TestJob.of("a", repo));
            first.awaitStage(BuildListener.RUNNING);
            Recorder second = agent.start(TestJob.of("b", repo).branch("other"));
            assertThat(agent.agent().cancel("b", "not wanted")).isTrue();
            assertThat(second.finished()).hasValueSatisfying(outcome -> {
                assertThat(outcome.code()).isEqualTo(OutcomeCode.INTERRUPTED);
                assertThat(outcome.message()).contains("not wanted");
            });
            assertThat(agent.agent().cancel("b", "again")).isFalse();
            assertThat(agent.agent().cancel("a", "done")).isTrue();
            assertThat(first.await().code()).isEqualTo(OutcomeCode.CANCELLED);
            assertThat(agent.agent().cancel("a", "again")).isFalse();
            assertThat(agent.agent().cancel("unknown", "no")).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sleep 600",
                "sleep 600 & disown; sleep 601 & wait",
                "setsid sleep 600 & setsid setsid sleep 601 & sleep 602",
                "trap '' TERM; while :; do sleep 1; done",
                "trap '' TERM; (trap '' TERM; setsid bash -c 'trap \"\" TERM; while :; do sleep 1; done' &); while :; do sleep 1; done",
                "nohup sleep 600 > /dev/null 2>&1 & exec sleep 601",
                "(while :; do sleep 0.05 & wait; done) & disown; sleep 600"
            })
    void cancel_runningScript_leavesNoProcess(String script) throws IOException {
        GitRepo repo = GitRepo.withScript(tmp.resolve("repo"), "touch " + shared() + "/ready", script);
        try (TestAgent agent = TestAgent.of(builder())) {
            Recorder recorder = agent.start(TestJob.of("j", repo));
            Waits.until("the script", () -> Files.exists(shared().resolve("ready")));
            assertThat(agent.agent().cancel("j", "test")).isTrue();
            assertThat(recorder.await().code()).isEqualTo(OutcomeCode.CANCELLED);
            assertThat(Marked.processes(tmp, "j-1-")).isEmpty();
            assertThat(agent.log("j")).contains("---> Build failed: cancelled: test\n");
        }
    }

    @Test
    void cancel_scriptThatTraps_mayEndInItsOwnWay() throws IOException {
        GitRepo repo = GitRepo.withScript(
                tmp.resolve("repo"),
                "trap 'echo bye; exit 5' TERM",
                "touch " + shared() + "/ready; while :; do sleep 0.05; done");
        BuildAgentBuilder patient = builder().grace(Duration.ofSeconds(50));
        try (TestAgent agent = TestAgent.of(patient)) {
            Recorder recorder = agent.start(TestJob.of("j", repo));
            Waits.until("the trap", () -> Files.exists(shared().resolve("ready")));
            assertThat(agent.agent().cancel("j", "test")).isTrue();
            assertThat(recorder.await().code()).isEqualTo(OutcomeCode.CANCELLED);
            assertThat(agent.log("j")).contains("\nbye\n");
        }
    }

    @Test
    void cancel_atAnyMoment_neverSucceedsAndLeavesNothing() throws IOException {
        GitRepo repo =
                GitRepo.withScript(tmp.resolve("repo"), "sleep 300 & disown", "setsid sleep 300 &", "sleep 0.05");
        for (int i = 0; i < 20; i++) {
            repo.branch("b" + i % 3);
        }
        try (TestAgent agent = TestAgent.of(builder())) {
            for (int i = 0; i < 60; i++) {
                Recorder recorder = agent.start(TestJob.of("j" + i, repo).branch("b" + i % 3));
                pause(i * 2_000_000L);
                boolean cancelled = agent.agent().cancel("j" + i, "test");
                Outcome outcome = recorder.await();
                assertThat(outcome.code())
                        .as("round %d: %s", i, outcome)
                        .isIn(
                                cancelled
                                        ? List.of(OutcomeCode.CANCELLED, OutcomeCode.INTERRUPTED)
                                        : List.of(OutcomeCode.SUCCEEDED));
                assertThat(Marked.processes(tmp, "j" + i + "-1-")).isEmpty();
            }
        }
    }

    @Test
    void cancel_whileGitFetches_endsGitToo() throws IOException {
        Path bin = Files.createDirectories(tmp.resolve("bin"));
        Path git = Files.writeString(bin.resolve("git"), "#!/bin/sh\ntouch " + shared() + "/ready\nsleep 600\n");
        assertThat(git.toFile().setExecutable(true)).isTrue();
        Map<String, String> environment = Map.of("PATH", bin + ":" + System.getenv("PATH"));
        BuildAgentBuilder builder = builder().environment(environment);
        try (TestAgent agent = TestAgent.of(builder)) {
            Recorder recorder = agent.start(new TestJob("j", "ssh://git@localhost/repo"));
            Waits.until("the fetch", () -> Files.exists(shared().resolve("ready")));
            assertThat(recorder.stages()).containsExactly("waiting", "fetching");
            assertThat(agent.agent().cancel("j", "test")).isTrue();
            assertThat(recorder.await().code()).isEqualTo(OutcomeCode.CANCELLED);
            assertThat(Marked.processes(tmp, "j-1-")).isEmpty();
        }
    }

    @Test
    void timeout_whileRepositoryIsSilent_endsTheJob() throws IOException {
        try (java.net.ServerSocket silent = new java.net.ServerSocket(0, 5, java.net.InetAddress.getLoopbackAddress());
                TestAgent agent = TestAgent.of(builder().schemes(java.util.Set.of("http")))) {
            TestJob job = new TestJob("j", "http://127.0.0.1:" + silent.getLocalPort() + "/repo")
                    .timeout(Duration.ofMillis(500));
            assertThat(agent.run(job).code()).isEqualTo(OutcomeCode.TIMED_OUT);
        }
    }

    @Test
    void end_backgroundChildHoldsTheOutput_jobEndsAndChildIsKilled() throws IOException {
        GitRepo repo = GitRepo.withScript(tmp.resolve("repo"), "sleep 600 &", "setsid sleep 600 &", "echo done");
        try (TestAgent agent = TestAgent.of(builder())) {
            Outcome outcome = agent.run(TestJob.of("j", repo));
            assertThat(outcome.code()).isEqualTo(OutcomeCode.SUCCEEDED);
            assertThat(Marked.processes(tmp, "j-1-")).isEmpty();
            assertThat(agent.log("j"))
                    .contains(
                            isSandboxed()
                                    ? "done\n\n---> Build succeeded\n"
                                    : "done\n\n---> Ended 2 processes that the script left behind\n\n---> Build succeeded\n");
        }
    }

    @Test
    void end_scriptClosesItsOutput_runsOn() throws IOException {
        GitRepo repo =
                GitRepo.withScript(tmp.resolve("repo"), "exec >&- 2>&-", "sleep 0.1", "touch " + shared() + "/seen");
        try (TestAgent agent = TestAgent.of(builder())) {
            assertThat(agent.run(TestJob.of("j", repo)).code()).isEqualTo(OutcomeCode.SUCCEEDED);
            assertThat(shared().resolve("seen")).exists();
        }
    }

    @Test
    void end_processThatUnsetsTheMarkInItsOwnSession_staysUnlessSandboxed() throws IOException {
        String seconds = Long.toString(600 + System.nanoTime() % 1_000_000);
        GitRepo repo = GitRepo.withScript(
                tmp.resolve("repo"),
                "env -u BUILDS_JOB_MARK setsid sleep " + seconds + " >/dev/null 2>&1 &",
                "sleep 0.1");
        try (TestAgent agent = TestAgent.of(builder())) {
            assertThat(agent.run(TestJob.of("j", repo)).code()).isEqualTo(OutcomeCode.SUCCEEDED);
            List<ProcessHandle> kept = ProcessHandle.allProcesses()
                    .filter(process -> process.info().commandLine().orElse("").endsWith("sleep " + seconds))
                    .toList();
            kept.forEach(ProcessHandle::destroyForcibly);
            assertThat(kept).hasSize(isSandboxed() ? 0 : 1);
        }
    }

    @Test
    void close_withRunningJobs_endsThem() throws IOException {
        GitRepo repo =
                GitRepo.withScript(tmp.resolve("repo"), "touch " + shared() + "/ready; setsid sleep 600 & sleep 600");
        Recorder running;
        Recorder waiting;
        try (TestAgent agent = TestAgent.of(builder())) {
            running = agent.start(TestJob.of("a", repo));
            waiting = agent.start(TestJob.of("b", repo));
            Waits.until("the script", () -> Files.exists(shared().resolve("ready")));
        }
        assertThat(running.finished().orElseThrow().code()).isEqualTo(OutcomeCode.AGENT_CLOSED);
        assertThat(waiting.finished().orElseThrow().code()).isEqualTo(OutcomeCode.AGENT_CLOSED);
        assertThat(Marked.processes(tmp, "a-1-")).isEmpty();
    }

    private static void pause(long nanos) {
        long start = System.nanoTime();
        Waits.until("a moment", () -> System.nanoTime() - start >= nanos);
    }
}
