package dev.touchstone.builds.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.builds.agent.store.OutcomeCode;
import dev.touchstone.builds.agent.store.RecoveredAttempt;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Agents that are killed in the middle of builds, each in a JVM of its own. */
@Timeout(300)
class KillTest {
    private static final String SECRET = "s3cr3t-value";

    @TempDir
    Path tmp;

    @Test
    void open_afterKillOfTheAgent_reapsProcessesAndKeepsLogs() throws Exception {
        GitRepo repo = GitRepo.withScript(
                tmp.resolve("repo"),
                "echo begun; echo secret=$TOKEN",
                "sleep 600 & disown",
                "setsid sleep 600 &",
                "env -i /bin/sleep 600 &",
                "sleep 0.2; touch " + tmp + "/ready-$BUILDS_JOB_ID",
                "sleep 600");
        repo.git("branch", "other");
        Process agent = start(repo, 2);
        Waits.until(
                "both scripts", () -> Files.exists(tmp.resolve("ready-j0")) && Files.exists(tmp.resolve("ready-j1")));
        agent.destroyForcibly();
        agent.waitFor();
        assertThat(Marked.processes(tmp, "j0-1-"))
                .as("children outlive the agent")
                .isNotEmpty();
        try (TestAgent again = TestAgent.in(tmp.resolve("agent"))) {
            assertThat(Marked.processes(tmp, "j0-1-")).isEmpty();
            assertThat(Marked.processes(tmp, "j1-1-")).isEmpty();
            List<RecoveredAttempt> leftovers = again.agent().leftovers();
            assertThat(leftovers).extracting(RecoveredAttempt::jobId).containsExactly("j0", "j1");
            assertThat(leftovers).allSatisfy(leftover -> {
                assertThat(leftover.outcome()).isEmpty();
                assertThat(leftover.epoch()).isEqualTo(7);
                assertThat(leftover.logBytes()).isEqualTo(again.logBytes(leftover.jobId()).length);
            });
            assertThat(again.log("j0")).contains("\nbegun\nsecret=" + SECRET + "\n");
            assertThat(again.log("j1")).contains("\nbegun\nsecret=****\n").doesNotContain(SECRET);
            assertThat(tmp.resolve("agent/jobs/j1-1/log")).doesNotExist();
            again.agent().forget("j0", 1);
            again.agent().forget("j1", 1);
            repo.commitScript("echo again");
            assertThat(again.run(TestJob.of("j0", repo)).code()).isEqualTo(OutcomeCode.SUCCEEDED);
            assertThat(again.log("j0")).contains("\nagain\n");
        }
    }

    @Test
    void open_afterKillsAtRandomMoments_leavesNoProcessAndEveryAttemptKnown() throws Exception {
        killAtRandom(3);
    }

    @Test
    @Tag("slow")
    @Timeout(3600)
    void open_afterManyKillsAtRandomMoments_leavesNoProcessAndEveryAttemptKnown() throws Exception {
        killAtRandom(Integer.getInteger("kills", 200));
    }

    private void killAtRandom(int times) throws Exception {
        long seed = Long.getLong("seed", System.nanoTime());
        Random random = new Random(seed);
        GitRepo repo = GitRepo.withScript(
                tmp.resolve("repo"),
                "sleep 600 & disown",
                "setsid sleep 600 &",
                "for i in $(seq 50); do echo $i; done");
        for (int round = 0; round < times; round++) {
            repo.write("file", "round " + round).commit();
            repo.git("branch", "--force", "other");
            Process agent = start(repo, 12);
            Waits.until("the agent", () -> Files.exists(tmp.resolve("agent/agent.lock")));
            agent.waitFor(300 + random.nextInt(900), TimeUnit.MILLISECONDS);
            agent.destroyForcibly();
            agent.waitFor();
            try (TestAgent again = TestAgent.in(tmp.resolve("agent"))) {
                for (RecoveredAttempt leftover : again.agent().leftovers()) {
                    assertThat(Marked.processes(tmp, leftover.jobId() + "-"))
                            .as("seed=%d round=%d", seed, round)
                            .isEmpty();
                    leftover.outcome().ifPresent(outcome -> {
                        assertThat(outcome.code()).isEqualTo(OutcomeCode.SUCCEEDED);
                        assertThat(outcome.logBytes()).isEqualTo(leftover.logBytes());
                    });
                    again.agent().forget(leftover.jobId(), leftover.attempt());
                }
                assertThat(again.run(TestJob.of("check", repo)).code())
                        .as("seed=%d round=%d", seed, round)
                        .isEqualTo(OutcomeCode.SUCCEEDED);
                again.agent().forget("check", 1);
            }
        }
    }

    private Process start(GitRepo repo, int jobs) throws IOException {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                Life.class.getName(),
                tmp.resolve("agent").toString(),
                repo.url(),
                Integer.toString(jobs)));
        return new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** An agent that runs jobs until it is killed: folder, repository, number of jobs. Odd ones have a secret. */
    static final class Life {
        private Life() {}

        public static void main(String[] arguments) throws IOException {
            try (TestAgent agent = TestAgent.in(Path.of(arguments[0]))) {
                List<Recorder> jobs = new ArrayList<>();
                for (int i = 0; i < Integer.parseInt(arguments[2]); i++) {
                    TestJob job = new TestJob("j" + i, arguments[1]);
                    if (i % 2 == 1) {
                        job.branch("other");
                    }
                    jobs.add(agent.start(i % 2 == 0 ? job.env("TOKEN", SECRET) : job.secret("TOKEN", SECRET)));
                }
                jobs.forEach(Recorder::await);
                Waits.until("the kill", () -> false);
            }
        }
    }
}
