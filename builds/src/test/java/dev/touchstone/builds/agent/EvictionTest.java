package dev.touchstone.builds.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.builds.agent.store.OutcomeCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Workspaces and mirrors that no build uses go when they are too old or too large together. */
@Timeout(120)
class EvictionTest {
    @TempDir
    Path tmp;

    @Test
    void evict_oldFolders_goUnlessABuildUsesThem() throws IOException {
        GitRepo repo = GitRepo.withScript(
                tmp.resolve("repo"),
                "[ -z \"$SIGNAL\" ] || { touch \"$SIGNAL\"; until [ -e \"$SIGNAL.done\" ]; do sleep 0.02; done; }",
                "git log --format=%s; ls");
        repo.branch("other");
        Path signal = tmp.resolve("signal");
        try (TestAgent agent = TestAgent.of(builder().keepAge(Duration.ZERO))) {
            agent.run(TestJob.of("a", repo).branch("other"));
            Recorder running = agent.start(TestJob.of("b", repo).env("SIGNAL", signal.toString()));
            Waits.until("the script", () -> Files.exists(signal));
            assertThat(workspaces()).hasSize(2);
            agent.agent().evict();
            assertThat(workspaces())
                    .singleElement()
                    .satisfies(left -> assertThat(left.toString()).contains("master"));
            assertThat(mirrors()).hasSize(1);
            Files.createFile(tmp.resolve("signal.done"));
            assertThat(running.await().code()).as(agent.log("b")).isEqualTo(OutcomeCode.SUCCEEDED);
            assertThat(agent.log("b")).contains("\ntest\nbuild.sh\n");
            Waits.until("all to go", () -> {
                agent.agent().evict();
                return workspaces().isEmpty();
            });
            agent.agent().evict();
            assertThat(mirrors()).isEmpty();
            assertThat(agent.run(TestJob.of("c", repo)).code()).isEqualTo(OutcomeCode.SUCCEEDED);
            assertThat(agent.log("c")).contains("\ntest\nbuild.sh\n");
        }
        try (TestAgent agent = TestAgent.of(builder().keepAge(Duration.ofDays(1)))) {
            agent.agent().evict();
            assertThat(workspaces()).hasSize(1);
            assertThat(mirrors()).hasSize(1);
            for (Path folder :
                    Stream.concat(workspaces().stream(), mirrors().stream()).toList()) {
                Files.setLastModifiedTime(folder, FileTime.from(Instant.now().minus(Duration.ofDays(2))));
            }
            agent.agent().evict();
            assertThat(workspaces()).isEmpty();
            assertThat(mirrors()).isEmpty();
        }
    }

    @Test
    void evict_foldersTooLargeTogether_longestUnusedGoes() throws IOException {
        GitRepo repo = GitRepo.withScript(tmp.resolve("repo"), "true").write("large", "x".repeat(200_000));
        repo.commit();
        try (TestAgent agent = TestAgent.of(builder().keepBytes(500_000))) {
            for (String branch : List.of("first", "second", "third")) {
                repo.branch(branch);
                agent.run(TestJob.of(branch, repo).branch(branch));
            }
            agent.run(TestJob.of("again", repo).branch("first"));
            agent.agent().evict();
            assertThat(branches()).containsExactlyInAnyOrder("first", "third");
            assertThat(mirrors()).hasSize(1);
        }
    }

    /** A script can have a file of a terabyte that takes no room on the disk. */
    @Test
    void evict_workspaceTooLargeAlone_costsNoOther() throws IOException {
        GitRepo repo = GitRepo.withScript(
                tmp.resolve("repo"),
                "[ -z \"$SIGNAL\" ] || { truncate -s 1T $WORKSPACE/sparse; touch \"$SIGNAL\"; until [ -e \"$SIGNAL.done\" ]; do sleep 0.02; done; }");
        repo.branch("sparse").branch("other");
        Path signal = tmp.resolve("signal");
        try (TestAgent agent = TestAgent.of(builder().keepBytes(100_000_000))) {
            agent.run(TestJob.of("a", repo));
            Recorder running =
                    agent.start(TestJob.of("b", repo).branch("sparse").env("SIGNAL", signal.toString()));
            Waits.until("the script", () -> Files.exists(signal));
            agent.agent().evict();
            assertThat(branches()).containsExactlyInAnyOrder("master", "sparse");
            Files.createFile(tmp.resolve("signal.done"));
            assertThat(running.await().code()).as(agent.log("b")).isEqualTo(OutcomeCode.SUCCEEDED);
            agent.run(TestJob.of("c", repo).branch("other"));
            Waits.until("the one that is too large to go", () -> {
                agent.agent().evict();
                return branches().size() < 3;
            });
            assertThat(branches()).containsExactlyInAnyOrder("master", "other");
            assertThat(mirrors()).hasSize(1);
        }
    }

    private List<String> branches() {
        return workspaces().stream()
                .map(path -> path.getFileName().toString().replaceFirst("-.*", ""))
                .toList();
    }

    private BuildAgentBuilder builder() {
        return TestAgent.builder(tmp.resolve("agent"));
    }

    private List<Path> workspaces() {
        return folders(tmp.resolve("agent/workspaces"), 2);
    }

    private List<Path> mirrors() {
        return folders(tmp.resolve("agent/mirrors"), 1);
    }

    private static List<Path> folders(Path root, int depth) {
        try (Stream<Path> all = Files.walk(root, depth)) {
            return all.filter(path -> path.getNameCount() == root.getNameCount() + depth)
                    .filter(Files::isDirectory)
                    .toList();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
