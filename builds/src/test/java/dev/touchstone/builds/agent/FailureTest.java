package dev.touchstone.builds.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.builds.StarvedLog;
import dev.touchstone.builds.agent.store.Outcome;
import dev.touchstone.builds.agent.store.OutcomeCode;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.logging.Logger;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What cannot be done ends the job with a code that says so, and the agent lives. */
@Timeout(120)
class FailureTest {
    private static final Logger LOG = Logger.getLogger(BuildRun.class.getName());

    @TempDir
    Path tmp;

    @Test
    void run_jobsFolderGone_isWorkspaceFailed() throws IOException {
        GitRepo repo = GitRepo.withScript(tmp.resolve("repo"), "true");
        try (TestAgent agent = TestAgent.in(tmp.resolve("agent"))) {
            Files.delete(tmp.resolve("agent/jobs"));
            assertThat(agent.run(TestJob.of("a", repo)).code()).isEqualTo(OutcomeCode.WORKSPACE_FAILED);
            Files.createDirectory(tmp.resolve("agent/jobs"));
            assertThat(agent.run(TestJob.of("b", repo)).code()).isEqualTo(OutcomeCode.SUCCEEDED);
        }
    }

    @Test
    void run_workspacesFolderGone_isWorkspaceFailed() throws IOException {
        GitRepo repo = GitRepo.withScript(tmp.resolve("repo"), "true");
        try (TestAgent agent = TestAgent.in(tmp.resolve("agent"))) {
            Files.delete(tmp.resolve("agent/workspaces"));
            Outcome outcome = agent.run(TestJob.of("a", repo));
            assertThat(outcome.code()).isEqualTo(OutcomeCode.WORKSPACE_FAILED);
            assertThat(agent.log("a")).contains("---> Build failed: workspace=");
        }
    }

    @Test
    void run_runnerGone_isStartFailed() throws IOException {
        Path bin = Files.createDirectories(tmp.resolve("bin"));
        Files.copy(Path.of("/bin/bash"), bin.resolve("bash"), StandardCopyOption.COPY_ATTRIBUTES);
        Map<String, String> environment = Map.of("PATH", bin + ":" + System.getenv("PATH"));
        GitRepo repo = GitRepo.withScript(tmp.resolve("repo"), "true");
        try (TestAgent agent =
                TestAgent.of(TestAgent.builder(tmp.resolve("agent")).environment(environment))) {
            assertThat(agent.run(TestJob.of("a", repo)).code()).isEqualTo(OutcomeCode.SUCCEEDED);
            Files.delete(bin.resolve("bash"));
            Outcome outcome = agent.run(TestJob.of("b", repo));
            assertThat(outcome.code()).isEqualTo(OutcomeCode.START_FAILED);
            assertThat(outcome.message()).contains(bin + "/bash");
        }
    }

    @ParameterizedTest
    @CsvSource({"missing.sh,is not in the tree", "out.sh,leads out of the repository", "folder,is not a file"})
    void run_scriptThatIsNone_isRefused(String script, String reason) throws IOException {
        Files.writeString(tmp.resolve("outside.sh"), "touch " + tmp + "/owned\n");
        GitRepo repo = GitRepo.withScript(tmp.resolve("repo"), "true").write("folder/x", "");
        Files.createSymbolicLink(repo.folder().resolve("out.sh"), tmp.resolve("outside.sh"));
        repo.commit();
        try (TestAgent agent = TestAgent.in(tmp.resolve("agent"))) {
            Outcome outcome = agent.run(TestJob.of("a", repo).script(script));
            assertThat(outcome.code()).isEqualTo(OutcomeCode.REFUSED);
            assertThat(outcome.message()).contains(script).contains(reason);
            assertThat(tmp.resolve("owned")).doesNotExist();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"../x", "a/b", "", ".", "..", "-x", "a b", "a\n", "é", "a\0"})
    void start_hostileJobId_isRefused(String jobId) throws IOException {
        try (TestAgent agent = TestAgent.in(tmp.resolve("agent"))) {
            assertThatThrownBy(() -> agent.start(new TestJob(jobId, "file:///x")))
                    .satisfies(FailureTest::isRefusal);
            assertThatThrownBy(() -> agent.agent().forget(jobId, 1)).satisfies(FailureTest::isRefusal);
        }
    }

    @Test
    void start_hostileFields_areRefusedBeforeAnythingIsDone() throws IOException {
        String good = "file://" + tmp + "/repo";
        List<TestJob> hostile = List.of(
                new TestJob("j", "ext::sh -c touch% /tmp/x"),
                new TestJob("j", "--upload-pack=x"),
                new TestJob("j", good + "#../../.."),
                new TestJob("j", good).branch("../../../.."),
                new TestJob("j", good).branch("--upload-pack=touch x"),
                new TestJob("j", good).script("../x.sh"),
                new TestJob("j", good).script("/bin/sh"),
                new TestJob("j", good).commit("HEAD"),
                new TestJob("j", good).env("LD_PRELOAD", "/x.so"),
                new TestJob("j", good).env("BASH_ENV", "/x"),
                new TestJob("j", good).env("GIT_SSH_COMMAND", "x"),
                new TestJob("j", good).attempt(0),
                new TestJob("j", good).maxLogBytes(0),
                new TestJob("j", good).timeout(java.time.Duration.ZERO));
        try (TestAgent agent = TestAgent.in(tmp.resolve("agent"))) {
            for (TestJob job : hostile) {
                assertThatThrownBy(() -> agent.start(job)).satisfies(FailureTest::isRefusal);
            }
            assertThat(tmp.resolve("agent/mirrors")).isEmptyDirectory();
            assertThat(tmp.resolve("agent/workspaces")).isEmptyDirectory();
            assertThat(tmp.resolve("agent/jobs")).isEmptyDirectory();
        }
    }

    @Test
    void run_listenerThatThrows_harmsNoBuild() throws IOException {
        GitRepo repo = GitRepo.withScript(tmp.resolve("repo"), "touch " + tmp + "/ran-$BUILDS_JOB_ID");
        try (TestAgent agent = TestAgent.in(tmp.resolve("agent"))) {
            BuildListener broken = new BuildListener() {
                @Override
                public void started(Assignment assignment, String stage) {
                    if (!stage.equals(WAITING)) {
                        throw new IllegalStateException("test: " + stage);
                    }
                }

                @Override
                public void logGrew(Assignment assignment, long bytes) {
                    throw new IllegalStateException("test: bytes");
                }

                @Override
                public void finished(Assignment assignment, Outcome outcome) {
                    throw new IllegalStateException("test: end");
                }
            };
            agent.agent().start(TestJob.of("a", repo).assignment(), broken);
            assertThat(agent.run(TestJob.of("b", repo)).code()).isEqualTo(OutcomeCode.SUCCEEDED);
            assertThat(tmp.resolve("ran-a")).exists();
        }
    }

    /** A link to itself cannot be opened, as no file can be without descriptors. */
    @Test
    void open_attemptThatCannotBeRead_isRefusedAndLosesNothing() throws IOException {
        GitRepo repo = GitRepo.withScript(tmp.resolve("repo"), "echo hello");
        Path root = tmp.resolve("agent");
        try (TestAgent agent = TestAgent.in(root)) {
            assertThat(agent.run(TestJob.of("a", repo)).code()).isEqualTo(OutcomeCode.SUCCEEDED);
        }
        Path folder = root.resolve("jobs/a-1");
        Files.createDirectory(root.resolve("jobs/empty"));
        Files.move(folder.resolve("job"), tmp.resolve("job"));
        Files.createSymbolicLink(folder.resolve("job"), Path.of("job"));
        assertThatThrownBy(() -> TestAgent.in(root))
                .isInstanceOf(IOException.class)
                .hasMessageContainingAll("folder=" + folder, "start the agent again");
        Files.delete(folder.resolve("job"));
        Files.move(tmp.resolve("job"), folder.resolve("job"));
        try (TestAgent agent = TestAgent.in(root)) {
            assertThat(agent.agent().leftovers()).singleElement().satisfies(left -> {
                assertThat(left.outcome()).map(Outcome::code).contains(OutcomeCode.SUCCEEDED);
                assertThat(left.logBytes()).isPositive();
            });
            assertThat(agent.log("a")).contains("\nhello\n");
            assertThat(root.resolve("jobs/empty")).doesNotExist();
        }
    }

    @Test
    void run_errorAtTheEnd_leavesNoLogOpen() throws IOException {
        Path signal = tmp.resolve("signal");
        GitRepo repo = GitRepo.withScript(
                tmp.resolve("repo"), "echo hello; touch $SIGNAL; until [ -e $SIGNAL.done ]; do sleep 0.02; done");
        try (StarvedLog starved =
                        new StarvedLog(LOG, record -> record.getMessage().startsWith("outcome of "));
                TestAgent agent = TestAgent.in(tmp.resolve("agent"))) {
            Recorder running = agent.start(TestJob.of("a", repo).env("SIGNAL", signal.toString()));
            Waits.until("the script", () -> Files.exists(signal));
            Path folder = tmp.resolve("agent/jobs/a-1");
            Files.delete(folder.resolve("job")); // so that the outcome cannot be written
            Files.createDirectory(folder.resolve("job"));
            assertThat(open()).contains(folder.resolve("log"));
            Files.createFile(tmp.resolve("signal.done"));
            assertThat(running.await().code()).isEqualTo(OutcomeCode.AGENT_FAILED);
            assertThat(open()).doesNotContain(folder.resolve("log"));
            assertThat(agent.log("a")).contains("\nhello\n");
            assertThat(starved.records()).isPositive();
        }
    }

    /** Returns the files that this process has open. */
    private static List<Path> open() throws IOException {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path descriptor : descriptors) {
                try {
                    files.add(Files.readSymbolicLink(descriptor));
                } catch (NoSuchFileException e) {
                    // is closed meanwhile
                }
            }
        }
        return files;
    }

    /** On a device of a megabyte, which takes a user who may mount one. */
    @Test
    void run_deviceFull_saysSoAndAgentLives() throws Exception {
        Path small = Files.createDirectories(tmp.resolve("small"));
        Assumptions.assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", small.toString()),
                "cannot mount a small device: run as root");
        try {
            GitRepo repo = GitRepo.withScript(tmp.resolve("repo"), "head -c 5000000 /dev/zero");
            GitRepo big = GitRepo.withScript(tmp.resolve("big"), "true");
            byte[] bytes = new byte[3_000_000];
            new java.util.Random(1).nextBytes(bytes);
            Files.write(big.folder().resolve("file"), bytes);
            big.commit();
            try (TestAgent agent = TestAgent.in(small.resolve("agent"))) {
                Outcome outcome = agent.run(TestJob.of("a", big));
                assertThat(outcome.code()).as(outcome.message()).isEqualTo(OutcomeCode.NO_SPACE);
                agent.agent().forget("a", 1);
                outcome = agent.run(TestJob.of("b", repo));
                assertThat(outcome.code()).as(outcome.message()).isEqualTo(OutcomeCode.NO_SPACE);
                agent.agent().forget("b", 1);
                outcome = agent.run(TestJob.of("c", repo).secret("TOKEN", "long-enough"));
                assertThat(outcome.code()).as(outcome.message()).isEqualTo(OutcomeCode.NO_SPACE);
                agent.agent().forget("c", 1);
                repo.commitScript("echo fits");
                outcome = agent.run(TestJob.of("d", repo));
                assertThat(outcome.code()).as(outcome.message()).isEqualTo(OutcomeCode.SUCCEEDED);
                assertThat(agent.log("d")).contains("\nfits\n");
            }
        } finally {
            run("umount", "--lazy", small.toString());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "head -c 20000000 /dev/zero >$WORKSPACE/full",
                "for i in $(seq 9000); do : >$WORKSPACE/$i || break; done"
            })
    void run_deviceFilledByAWorkspace_hasRoomAgainAfterOneBuild(String fill) throws Exception {
        Path small = Files.createDirectories(tmp.resolve("small"));
        Assumptions.assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=8m,nr_inodes=2000", "tmpfs", small.toString()),
                "cannot mount a small device: run as root");
        try {
            GitRepo repo = GitRepo.withScript(tmp.resolve("repo"), "[ $BUILDS_BRANCH = master ] || { " + fill + "; }");
            repo.branch("other").git("checkout", "--quiet", "master");
            try (TestAgent agent =
                    TestAgent.of(TestAgent.builder(small.resolve("agent")).executors(1))) {
                agent.run(TestJob.of("a", repo).branch("other"));
                agent.run(TestJob.of("b", repo));
                Outcome outcome = agent.run(TestJob.of("c", repo));
                assertThat(outcome.code()).as(outcome.message()).isEqualTo(OutcomeCode.SUCCEEDED);
            }
        } finally {
            run("umount", "--lazy", small.toString());
        }
    }

    private static boolean run(String... words) throws IOException, InterruptedException {
        return new ProcessBuilder(words)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }

    private static void isRefusal(Throwable thrown) {
        assertThat(thrown)
                .isInstanceOfSatisfying(
                        AssignmentRefusedException.class,
                        e -> assertThat(e.code()).isEqualTo(OutcomeCode.REFUSED));
    }
}
