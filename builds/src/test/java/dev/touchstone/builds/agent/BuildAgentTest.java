package dev.touchstone.builds.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.builds.agent.store.Outcome;
import dev.touchstone.builds.agent.store.OutcomeCode;
import dev.touchstone.builds.agent.store.RecoveredAttempt;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class BuildAgentTest {
    @TempDir
    Path tmp;

    @Test
    void start_goodScript_runsAndTellsInOrder() throws IOException {
        GitRepo repo = GitRepo.withScript(tmp.resolve("repo"), "echo one", "echo two >&2", "echo \"$GREETING\"");
        try (TestAgent agent = TestAgent.in(tmp.resolve("agent"))) {
            Recorder recorder = agent.start(TestJob.of("job-1", repo).env("GREETING", "hello"));
            Outcome outcome = recorder.await();
            assertThat(outcome.code()).as(outcome.message()).isEqualTo(OutcomeCode.SUCCEEDED);
            assertThat(outcome.exitCode()).isZero();
            assertThat(outcome.truncated()).isFalse();
            assertThat(outcome.pull()).isPositive();
            assertThat(outcome.build()).isPositive();
            assertThat(recorder.stages()).containsExactly("waiting", "fetching", "running");
            String log = agent.log("job-1");
            assertThat(log.length()).isEqualTo((int) outcome.logBytes());
            assertThat(log)
                    .startsWith("---> Locking the project workspace\n---> Waiting for a free executor\n"
                            + "\n---> Pulling the sources (using URL \"" + repo.url() + "#master\")\n"
                            + "\n---> Running the script located at ")
                    .contains(" (using runner \"bash\")\none\ntwo\nhello\n\n---> Build succeeded\nPull  duration: ")
                    .contains("\nBuild duration: ")
                    .containsPattern("\nTotal duration: [0-9.]+m?s\n$");
        }
    }

    @Test
    void start_scriptThatFails_givesItsExitCode() throws IOException {
        GitRepo repo = GitRepo.withScript(tmp.resolve("repo"), "echo no", "exit 42");
        try (TestAgent agent = TestAgent.in(tmp.resolve("agent"))) {
            Outcome outcome = agent.run(TestJob.of("j", repo));
            assertThat(outcome.code()).isEqualTo(OutcomeCode.SCRIPT_FAILED);
            assertThat(outcome.exitCode()).isEqualTo(42);
            assertThat(outcome.message()).isEqualTo("exit status 42");
            assertThat(agent.log("j")).contains("no\n\n---> Build failed: exit status 42\n");
        }
    }

    @Test
    void start_scriptKilledBySignal_gives128AndTheSignal() throws IOException {
        GitRepo repo = GitRepo.withScript(tmp.resolve("repo"), "kill -SEGV $$");
        try (TestAgent agent = TestAgent.in(tmp.resolve("agent"))) {
            assertThat(agent.run(TestJob.of("j", repo)).exitCode()).isEqualTo(139);
        }
    }

    @Test
    void start_script_hasFoldersEnvironmentAndEmptyInput() throws IOException {
        GitRepo repo = GitRepo.withScript(
                tmp.resolve("repo"),
                "echo w=$WORKSPACE s=$SRCDIR p=$PWD id=$BUILDS_JOB_ID",
                "echo own=$OWN other=$OTHER home=$HOME",
                "cat && echo input ended",
                "git status --porcelain && git log --format=%s");
        Map<String, String> environment =
                Map.of("PATH", System.getenv("PATH"), "HOME", tmp.toString(), "OWN", "yes", "OTHER", "hidden");
        BuildAgentBuilder builder =
                TestAgent.builder(tmp.resolve("agent")).environment(environment).allow(Set.of("OWN"));
        try (TestAgent agent = TestAgent.of(builder)) {
            Outcome outcome = agent.run(TestJob.of("j", repo));
            String log = agent.log("j");
            assertThat(outcome.code()).as(log).isEqualTo(OutcomeCode.SUCCEEDED);
            assertThat(log)
                    .containsPattern("w=(/\\S+) s=\\1/src p=\\1/src id=j\n")
                    .contains("own=yes other= home=" + tmp + "\ninput ended\ntest\n\n---> Build");
        }
    }

    @Test
    void start_nodeScript_runsTheFile() throws IOException {
        GitRepo repo = GitRepo.create(tmp.resolve("repo")).write("dir/a.js", "console.log(1 + 1, __filename);\n");
        repo.commit();
        try (TestAgent agent = TestAgent.in(tmp.resolve("agent"))) {
            org.junit.jupiter.api.Assumptions.assumeTrue(
                    agent.agent().runners().contains("node"), "node is not on the PATH: install nodejs");
            Outcome outcome = agent.run(TestJob.of("j", repo).script("dir/a.js").runner("node"));
            assertThat(outcome.code()).isEqualTo(OutcomeCode.SUCCEEDED);
            assertThat(agent.log("j")).containsPattern("\n2 /\\S+/src/dir/a.js\n");
        }
    }

    @Test
    void start_discard_runsTheScriptAndKeepsNothing() throws IOException {
        Path seen = tmp.resolve("seen");
        GitRepo repo = GitRepo.withScript(tmp.resolve("repo"), "echo x; touch " + seen);
        try (TestAgent agent = TestAgent.in(tmp.resolve("agent"))) {
            Outcome outcome = agent.run(TestJob.of("j", repo).discard());
            assertThat(outcome.code()).isEqualTo(OutcomeCode.SUCCEEDED);
            assertThat(outcome.logBytes()).isZero();
            assertThat(seen).exists();
            assertThat(agent.agent().readLog("j", 1, 0, ByteBuffer.allocate(10)))
                    .isEqualTo(-1);
        }
    }

    @Test
    void start_sameJobTwice_isRefused() throws IOException {
        GitRepo repo = GitRepo.withScript(tmp.resolve("repo"), "sleep 60");
        try (TestAgent agent = TestAgent.in(tmp.resolve("agent"))) {
            Recorder recorder = agent.start(TestJob.of("j", repo));
            assertThatThrownBy(() -> agent.start(TestJob.of("j", repo))).satisfies(BuildAgentTest::isDuplicate);
            assertThatThrownBy(() -> agent.start(TestJob.of("j", repo).attempt(2)))
                    .satisfies(BuildAgentTest::isDuplicate);
            recorder.awaitStage(BuildListener.RUNNING);
            assertThat(agent.agent().cancel("j", "test")).isTrue();
            recorder.await();
            assertThatThrownBy(() -> agent.start(TestJob.of("j", repo))).satisfies(BuildAgentTest::isDuplicate);
            agent.agent().forget("j", 1);
            assertThatThrownBy(() -> agent.logBytes("j")).isInstanceOf(UnknownJobException.class);
            Recorder again = agent.start(TestJob.of("j", repo));
            agent.agent().cancel("j", "test");
            again.await();
        }
    }

    @Test
    void start_unknownRunner_isRefusedByName() throws IOException {
        GitRepo repo = GitRepo.withScript(tmp.resolve("repo"), "true");
        try (TestAgent agent = TestAgent.in(tmp.resolve("agent"))) {
            assertThat(agent.agent().runners()).contains("bash");
            assertThatThrownBy(() -> agent.start(TestJob.of("j", repo).runner("perl")))
                    .isInstanceOfSatisfying(
                            AssignmentRefusedException.class,
                            e -> assertThat(e.code()).isEqualTo(OutcomeCode.NO_RUNNER))
                    .hasMessageContaining("perl");
        }
    }

    @Test
    void open_sameFolderTwice_isRefused() throws IOException {
        try (TestAgent agent = TestAgent.in(tmp.resolve("agent"))) {
            assertThat(agent.agent().labels()).containsExactly("any");
            assertThatThrownBy(() -> TestAgent.in(tmp.resolve("agent"))).isInstanceOf(AgentLockedException.class);
        }
        TestAgent.in(tmp.resolve("agent")).close();
    }

    @Test
    void open_afterClose_remembersOutcomesAndLogs() throws IOException {
        GitRepo repo = GitRepo.withScript(tmp.resolve("repo"), "echo kept");
        byte[] log;
        Outcome outcome;
        try (TestAgent agent = TestAgent.in(tmp.resolve("agent"))) {
            outcome = agent.run(TestJob.of("j", repo));
            log = agent.logBytes("j");
        }
        try (TestAgent agent = TestAgent.in(tmp.resolve("agent"))) {
            List<RecoveredAttempt> leftovers = agent.agent().leftovers();
            assertThat(leftovers).singleElement().satisfies(leftover -> {
                assertThat(leftover.jobId()).isEqualTo("j");
                assertThat(leftover.epoch()).isEqualTo(7);
                assertThat(leftover.outcome()).contains(outcome);
                assertThat(leftover.logBytes()).isEqualTo(log.length);
            });
            assertThat(agent.logBytes("j")).isEqualTo(log);
            assertThatThrownBy(() -> agent.start(TestJob.of("j", repo))).satisfies(BuildAgentTest::isDuplicate);
            agent.agent().forget("j", 1);
            assertThat(tmp.resolve("agent/jobs")).isEmptyDirectory();
        }
    }

    @Test
    void forget_thenAnotherJob_usesItsFolderAndNothingOfIt() throws IOException {
        GitRepo repo = GitRepo.withScript(tmp.resolve("repo"), "echo \"$GREETING\"");
        try (TestAgent agent = TestAgent.in(tmp.resolve("agent"))) {
            agent.run(TestJob.of("first", repo).env("GREETING", "a long first greeting"));
            agent.agent().forget("first", 1);
            assertThat(tmp.resolve("agent/jobs")).isEmptyDirectory();
            assertThat(tmp.resolve("agent/retired/0/job")).isEmptyFile();
            assertThat(tmp.resolve("agent/retired/0/log")).doesNotExist();
            agent.run(TestJob.of("b", repo).env("GREETING", "hi"));
            assertThat(tmp.resolve("agent/retired")).isEmptyDirectory();
            assertThat(agent.log("b")).contains("\nhi\n").doesNotContain("greeting");
            assertThatThrownBy(() -> agent.log("first")).isInstanceOf(UnknownJobException.class);
        }
        try (TestAgent agent = TestAgent.in(tmp.resolve("agent"))) {
            assertThat(agent.agent().leftovers()).singleElement().satisfies(leftover -> {
                assertThat(leftover.jobId()).isEqualTo("b");
                assertThat(leftover.outcome()).isPresent();
            });
        }
    }

    @Test
    void start_jobsOfOneBranch_runOneAtATimeAndOthersMeanwhile() throws IOException {
        GitRepo repo = GitRepo.create(tmp.resolve("repo"));
        repo.commitScript(
                "name=${SRCDIR//\\//_}",
                "mkdir \"" + tmp + "/$name\" || exit 9",
                "while [ ! -e " + tmp + "/go ]; do sleep 0.01; done",
                "rmdir \"" + tmp + "/$name\"");
        repo.branch("other");
        try (TestAgent agent = TestAgent.in(tmp.resolve("agent"))) {
            Recorder first = agent.start(TestJob.of("a", repo));
            Recorder second = agent.start(TestJob.of("b", repo));
            Recorder other = agent.start(TestJob.of("c", repo).branch("other"));
            first.awaitStage(BuildListener.RUNNING);
            other.awaitStage(BuildListener.RUNNING);
            assertThat(second.stages()).containsExactly("waiting");
            Files.createFile(tmp.resolve("go"));
            for (Recorder recorder : List.of(first, second, other)) {
                assertThat(recorder.await().code()).isEqualTo(OutcomeCode.SUCCEEDED);
            }
        }
    }

    @Test
    void start_scriptOverTime_isTimedOut() throws IOException {
        GitRepo repo = GitRepo.withScript(tmp.resolve("repo"), "echo before", "sleep 600", "echo after");
        try (TestAgent agent = TestAgent.in(tmp.resolve("agent"))) {
            Outcome outcome = agent.run(TestJob.of("j", repo).timeout(Duration.ofMillis(400)));
            assertThat(outcome.code()).isEqualTo(OutcomeCode.TIMED_OUT);
            assertThat(outcome.message()).contains("timeout=PT0.4S");
            assertThat(outcome.exitCode()).isEqualTo(-1);
            assertThat(agent.log("j")).doesNotContain("after").contains("---> Build failed: timed out");
        }
    }

    private static void isDuplicate(Throwable thrown) {
        assertThat(thrown)
                .isInstanceOfSatisfying(
                        AssignmentRefusedException.class,
                        e -> assertThat(e.code()).isEqualTo(OutcomeCode.DUPLICATE));
    }
}
