package dev.touchstone.builds.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.builds.agent.artefact.Collected;
import dev.touchstone.builds.agent.artefact.WantedFiles;
import dev.touchstone.builds.agent.store.Outcome;
import dev.touchstone.builds.agent.store.OutcomeCode;
import dev.touchstone.builds.agent.store.RecoveredAttempt;
import dev.touchstone.builds.file.Bundle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The artefacts of a build wait in its attempt's folder until the master has them. */
@Timeout(120)
class HandedOnFilesTest {
    @TempDir
    Path tmp;

    private static WantedFiles artefacts(boolean always, String... patterns) {
        return new WantedFiles(List.of(patterns), always, Map.of(), 10, 1 << 20);
    }

    private GitRepo repo(String... lines) {
        return GitRepo.withScript(tmp.resolve("repo"), lines);
    }

    private static List<Bundle.Item> items(TestAgent agent, String id) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(1 << 20);
        while (agent.agent().readBundle(id, 1, bytes.position(), bytes) >= 0) {
            // reads on
        }
        byte[] head = Arrays.copyOf(bytes.array(), bytes.getInt(8));
        return Bundle.decode(head).items();
    }

    @Test
    void artefacts_ofASuccess_outliveTheWorkspaceAndTheAgent() throws IOException {
        GitRepo repo = repo("mkdir -p target; echo $BUILDS_JOB_ID >target/$BUILDS_JOB_ID.jar");
        Outcome outcome;
        List<Bundle.Item> items;
        try (TestAgent agent = TestAgent.in(tmp.resolve("agent"))) {
            outcome = agent.run(TestJob.of("a", repo).files(artefacts(false, "target/*")));
            assertThat(outcome.code()).isEqualTo(OutcomeCode.SUCCEEDED);
            assertThat(outcome.collected().files()).isEqualTo(1);
            assertThat(outcome.collected().bytes()).isEqualTo(2);
            assertThat(agent.log("a")).contains("---> Artefacts: files=1 bytes=2");
            agent.run(TestJob.of("b", repo)); // removes the files from the tree
            items = items(agent, "a");
            assertThat(items).extracting(Bundle.Item::name).containsExactly("target/a.jar");
        }
        try (TestAgent agent = TestAgent.in(tmp.resolve("agent"))) {
            RecoveredAttempt left = agent.agent().leftovers().get(0);
            assertThat(left.outcome()).contains(outcome);
            assertThat(items(agent, "a")).isEqualTo(items);
            agent.agent().forget("a", 1);
            assertThatThrownBy(() -> agent.agent().readBundle("a", 1, 0, ByteBuffer.allocate(1)))
                    .isInstanceOf(IOException.class);
            agent.run(TestJob.of("c", repo));
            assertThat(tmp.resolve("agent/jobs/c-1/artefacts"))
                    .as("of a folder that is used again")
                    .doesNotExist();
        }
    }

    @Test
    void artefacts_ofAFailure_areCollectedIfAskedFor() throws IOException {
        GitRepo repo = repo("echo x >report; exit 4");
        try (TestAgent agent = TestAgent.in(tmp.resolve("agent"))) {
            Outcome without = agent.run(TestJob.of("a", repo).files(artefacts(false, "report")));
            assertThat(without.collected()).isEqualTo(Collected.NONE);
            Outcome with = agent.run(TestJob.of("b", repo).files(artefacts(true, "report")));
            assertThat(with.code()).isEqualTo(OutcomeCode.SCRIPT_FAILED);
            assertThat(with.exitCode()).isEqualTo(4);
            assertThat(with.collected().files()).isEqualTo(1);
        }
    }

    @Test
    void artefacts_thatCannotBeCollected_areAFailureThatSaysWhy() throws IOException {
        GitRepo repo = repo("for i in $(seq 11); do echo x >$i.out; done; exit $CODE");
        try (TestAgent agent = TestAgent.in(tmp.resolve("agent"))) {
            Outcome outcome = agent.run(TestJob.of("a", repo).env("CODE", "0").files(artefacts(true, "*.out")));
            assertThat(outcome.code()).isEqualTo(OutcomeCode.AGENT_FAILED);
            assertThat(outcome.message()).contains("artefacts are missing", "files=11 most=10");
            assertThat(outcome.collected()).isEqualTo(Collected.NONE);
            outcome = agent.run(TestJob.of("b", repo).env("CODE", "5").files(artefacts(true, "*.out")));
            assertThat(outcome.code()).isEqualTo(OutcomeCode.SCRIPT_FAILED);
            assertThat(outcome.message()).contains("exit status 5; artefacts are missing", "most=10");
            outcome = agent.run(TestJob.of("c", repo).env("CODE", "0").files(artefacts(true, "*.none")));
            assertThat(outcome.code()).isEqualTo(OutcomeCode.SUCCEEDED);
            assertThat(agent.log("c")).contains("No file matches the patterns of artefacts");
        }
    }

    @Test
    void artefact_withAPathThatIsTooLong_leavesTheExitCode() throws IOException {
        GitRepo repo = repo(
                "for i in $(seq $DEPTH); do name=$(printf %0200d 7); mkdir $name; cd $name; done",
                "echo x >file; exit 5");
        try (TestAgent agent = TestAgent.in(tmp.resolve("agent"))) {
            Outcome outcome = agent.run(TestJob.of("a", repo).env("DEPTH", "25").files(artefacts(true, "**")));
            assertThat(outcome.code()).as("%s", outcome).isEqualTo(OutcomeCode.SCRIPT_FAILED);
            assertThat(outcome.message()).contains("exit status 5; artefacts are missing", "at most 4096 bytes");
            outcome = agent.run(TestJob.of("b", repo).env("DEPTH", "0").files(artefacts(true, "file")));
            assertThat(outcome.collected().files()).isEqualTo(1);
        }
    }

    @Test
    void names_thatLeadOut_areRefused() throws IOException {
        GitRepo repo = repo("true");
        try (TestAgent agent = TestAgent.in(tmp.resolve("agent"))) {
            for (WantedFiles bad : List.of(
                    artefacts(false, "../*"),
                    artefacts(false, "/etc/*"),
                    new WantedFiles(List.of(), false, Map.of("../k", "p"), 1, 1),
                    new WantedFiles(List.of(), false, Map.of("k", "~/../p"), 1, 1),
                    new WantedFiles(List.of(), false, Map.of("k", "/p"), 1, 1))) {
                assertThatThrownBy(() -> agent.start(TestJob.of("a", repo).files(bad)))
                        .isInstanceOf(AssignmentRefusedException.class);
            }
        }
        assertThat(Files.exists(tmp.resolve("agent/jobs/a-1"))).isFalse();
    }
}
