package dev.touchstone.builds.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.builds.agent.artefact.WantedFiles;
import dev.touchstone.builds.agent.isolation.IsolationOptions;
import dev.touchstone.builds.agent.store.Outcome;
import dev.touchstone.builds.agent.store.OutcomeCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Folders that a build of a repository leaves for the next one, whole, and for no other. */
@Timeout(120)
class CachesTest {
    @TempDir
    Path tmp;

    private static WantedFiles cache(String key, String path) {
        return new WantedFiles(List.of(), false, Map.of(key, path), 0, 0);
    }

    private static TestJob job(String id, GitRepo repo, String path, String command) {
        return TestJob.of(id, repo).env("COMMAND", command).files(cache("key", path));
    }

    private GitRepo repo(String name) {
        return GitRepo.withScript(tmp.resolve(name), "eval \"$COMMAND\"");
    }

    private BuildAgentBuilder builder() {
        return TestAgent.builder(tmp.resolve("agent"));
    }

    private static String run(TestAgent agent, TestJob job, String id) throws IOException {
        Outcome unused = agent.run(job); // which the log says too
        return agent.log(id);
    }

    private void keepsAndRestores(BuildAgentBuilder builder) throws IOException {
        GitRepo repo = repo("repo");
        repo.branch("other");
        String make =
                "mkdir -p out/deep && echo one >out/deep/file && chmod 700 out/deep/file && ln -s deep/file out/link";
        String show = "cat out/deep/file out/link && test -x out/deep/file && echo seen";
        try (TestAgent agent = TestAgent.of(builder)) {
            assertThat(run(agent, job("a", repo, "out", make), "a"))
                    .contains("Cache key is empty", "Cache key is kept: files=1 bytes=4");
            assertThat(run(agent, job("b", repo, "out", show).branch("other"), "b"))
                    .contains("Cache key is restored: files=1 bytes=4", "one\none\nseen\n");
            String inHome = "echo home=$HOME; cd ~ && test -z \"$(ls -A | grep -v '^[.]x$')\" && mkdir -p .x/y && ";
            String log = run(
                    agent,
                    TestJob.of("d", repo)
                            .env("COMMAND", inHome + "echo two >.x/y/file")
                            .files(cache("home", "~/.x/y")),
                    "d");
            assertThat(log).contains("Cache home is empty", "Cache home is kept: files=1 bytes=4");
            log = run(
                    agent,
                    TestJob.of("e", repo)
                            .env("COMMAND", inHome + "cat .x/y/file")
                            .files(cache("home", "~/.x/y")),
                    "e");
            assertThat(log).contains("Cache home is restored: files=1 bytes=4", "\ntwo\n");
            assertThat(find(".builds-home")).isEmpty();
        }
    }

    private List<Path> find(String name) throws IOException {
        try (Stream<Path> files = Files.walk(tmp.resolve("agent"))) {
            return files.filter(file -> file.endsWith(name)).toList();
        }
    }

    @Test
    void cache_ofASuccessfulBuild_isRestoredForTheNext() throws IOException {
        keepsAndRestores(builder());
    }

    @Test
    void cache_inTheSandbox_isRestoredForTheNext() throws IOException {
        Sandboxes.assume();
        keepsAndRestores(builder().isolation(IsolationOptions.sandbox()));
    }

    @Test
    void cache_ofAFailedBuildOrAnotherRepository_isNotSeen() throws IOException {
        GitRepo repo = repo("repo");
        GitRepo other = repo("other");
        try (TestAgent agent = TestAgent.of(builder())) {
            run(agent, job("a", repo, "out", "mkdir out; echo good >out/f"), "a");
            assertThat(run(agent, job("b", repo, "out", "echo bad >out/f; exit 1"), "b"))
                    .doesNotContain("is kept");
            assertThat(run(agent, job("c", other, "out", "ls out; mkdir out; echo evil >out/f"), "c"))
                    .contains("Cache key is empty", "is kept");
            assertThat(run(agent, job("d", repo, "out", "cat out/f"), "d")).contains("\ngood\n");
        }
    }

    /** The copy of a sparse file is not sparse. */
    @Test
    void cache_withASparseFileLargerThanTheDisk_isRefusedBeforeItIsCopied() throws IOException {
        try (TestAgent agent = TestAgent.of(builder())) {
            String log = run(agent, job("a", repo("repo"), "out", "mkdir out; truncate -s 4T out/f"), "a");
            assertThat(log).contains("Cache key is not kept: folder is too large");
        }
    }

    @Test
    void cache_thatIsOrLiesBehindALink_isNotKept() throws IOException {
        GitRepo repo = repo("repo");
        Path outside = Files.createDirectory(tmp.resolve("outside"));
        Files.createDirectory(outside.resolve("x"));
        Files.writeString(outside.resolve("x/secret"), "secret");
        try (TestAgent agent = TestAgent.of(builder())) {
            assertThat(run(agent, job("a", repo, "out", "ln -s " + outside + " out"), "a"))
                    .contains("Cache key is not kept: ");
            assertThat(run(agent, job("b", repo, "out/x", "ln -s " + outside + " out"), "b"))
                    .contains("Cache key is not kept: ");
            assertThat(run(agent, job("c", repo, "out", "mkdir out; ln -s " + outside + " out/link"), "c"))
                    .contains("Cache key is kept: files=0 bytes=0");
            assertThat(run(agent, job("d", repo, "out", "readlink out/link"), "d"))
                    .contains("\n" + outside + "\n");
        }
        assertThat(find("secret")).isEmpty();
    }

    @Test
    void cache_inThePlaceOfSources_isNotUsed() throws IOException {
        GitRepo repo = repo("repo").write("out/own", "own");
        repo.git("add", "out");
        repo.commit();
        Files.createSymbolicLink(repo.folder().resolve("away"), tmp);
        repo.git("add", "away");
        repo.commit();
        try (TestAgent agent = TestAgent.of(builder())) {
            assertThat(run(agent, job("a", repo, "out", "cat out/own; echo; echo x >out/own"), "a"))
                    .contains("Cache key is not restored: out: is a part of the sources", "\nown\n")
                    .doesNotContain("kept");
            assertThat(run(agent, job("b", repo, "away/x", "mkdir away/x"), "b"))
                    .contains("Cache key is not restored: away/x: ")
                    .doesNotContain("kept");
        }
    }

    @Test
    void caches_thatAreOldOrTooLarge_areRemoved() throws IOException {
        GitRepo repo = repo("repo");
        String fill = "mkdir out; head -c 300000 /dev/zero >out/f";
        try (TestAgent agent = TestAgent.of(builder().keepBytes(700_000))) {
            for (String key : List.of("first", "second", "third")) {
                run(agent, TestJob.of(key, repo).env("COMMAND", fill).files(cache(key, "out")), key);
            }
            String fail = "ls out; exit 1"; // else the cache is kept again
            String use = run(agent, TestJob.of("use", repo).env("COMMAND", fail).files(cache("first", "out")), "use");
            assertThat(use).contains("Cache first is restored").doesNotContain("is kept");
            agent.agent().evict();
            assertThat(kept())
                    .anyMatch(name -> name.startsWith("first-"))
                    .noneMatch(name -> name.startsWith("second-"));
            String large = "mkdir out; head -c 800000 /dev/zero >out/f";
            assertThat(run(agent, TestJob.of("l", repo).env("COMMAND", large).files(cache("l", "out")), "l"))
                    .contains("Cache l is not kept: folder is too large");
        }
        try (TestAgent agent = TestAgent.of(builder().keepAge(Duration.ZERO))) {
            agent.agent().evict();
            assertThat(kept()).isEmpty();
        }
    }

    private List<String> kept() throws IOException {
        List<String> names = new ArrayList<>();
        for (Path repository : list(tmp.resolve("agent/caches"))) {
            if (!repository.endsWith(".drafts")) {
                list(repository).forEach(cache -> names.add(cache.getFileName().toString()));
            }
        }
        return names;
    }

    private static List<Path> list(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }

    @Test
    void caches_ofConcurrentBuilds_areWholeAlways() throws IOException {
        GitRepo repo = repo("repo");
        int branches = 4;
        int rounds = 5;
        for (int i = 0; i < branches; i++) {
            repo.branch("b" + i);
        }
        String check =
                "[ ! -e out ] || [ $(cat out/* | sort -u | wc -l) = 1 ] || { echo TORN; exit 1; }; rm -rf out; mkdir out; "
                        + "for i in $(seq 50); do echo $BUILDS_JOB_ID >out/$i; done";
        try (TestAgent agent = TestAgent.of(builder().executors(branches))) {
            for (int round = 0; round < rounds; round++) {
                List<Recorder> builds = new ArrayList<>();
                for (int i = 0; i < branches; i++) {
                    builds.add(agent.start(
                            job("j" + round + "-" + i, repo, "out", check).branch("b" + i)));
                }
                for (Recorder build : builds) {
                    assertThat(build.await().code()).isEqualTo(OutcomeCode.SUCCEEDED);
                }
            }
            assertThat(run(agent, job("last", repo, "out", "ls out | wc -l"), "last"))
                    .contains("\n50\n");
        }
    }

    @Test
    void drafts_ofAnEarlierLife_areRemoved() throws IOException {
        Files.createDirectories(tmp.resolve("agent/caches/.drafts/7/torn"));
        try (TestAgent agent = TestAgent.of(builder())) {
            assertThat(agent.agent().leftovers()).isEmpty();
            assertThat(list(tmp.resolve("agent/caches/.drafts"))).isEmpty();
        }
    }
}
