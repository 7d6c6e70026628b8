package dev.touchstone.builds.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.builds.agent.isolation.IsolationOptions;
import dev.touchstone.builds.agent.store.Outcome;
import dev.touchstone.builds.agent.store.OutcomeCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Submodules borrow the objects of mirrors, which nothing that a commit or a script says can turn against other builds. */
@Timeout(180)
class SubmodulesTest {
    private static final String EXPECTED = "\nouter\ninner\nborrows 2\npacks 0\ninner commit\n\n---> Build succeeded";

    @TempDir
    Path tmp;

    private GitRepo inner;
    private GitRepo outer;
    private GitRepo repo;

    /** Makes a repository with a submodule, whose submodule is named by a relative URL and has a name of two steps. */
    @BeforeEach
    void makeRepositories() {
        inner = GitRepo.create(tmp.resolve("inner")).write("in", "inner\n");
        inner.git("add", "--all");
        inner.git("commit", "--quiet", "--message", "inner commit");
        outer = GitRepo.create(tmp.resolve("outer")).write("out", "outer\n");
        outer.git("submodule", "--quiet", "add", "--name", "libs/inner", "../inner", "libs/in");
        outer.commit();
        repo = GitRepo.withScript(
                tmp.resolve("repo"),
                "cat sub/out sub/libs/in/in",
                "echo borrows $(cat .git/modules/sub/objects/info/alternates "
                        + ".git/modules/sub/modules/libs/inner/objects/info/alternates | grep -c mirrors/)",
                "echo packs $(find .git/modules -name '*.pack' | wc -l)",
                "git -C sub/libs/in log --format=%s",
                "eval \"$POISON\"");
        repo.git("submodule", "--quiet", "add", outer.url(), "sub");
        repo.commit();
    }

    private void build(TestAgent agent, String id) throws IOException {
        Outcome outcome = agent.run(TestJob.of(id, repo));
        assertThat(outcome.code()).as(agent.log(id)).isEqualTo(OutcomeCode.SUCCEEDED);
        assertThat(agent.log(id)).contains(EXPECTED);
    }

    private List<Path> mirrors() throws IOException {
        try (Stream<Path> files = Files.list(tmp.resolve("agent/mirrors"))) {
            return files.filter(Files::isDirectory).toList();
        }
    }

    private List<Path> objects(Path mirror) throws IOException {
        try (Stream<Path> files = Files.walk(mirror.resolve("objects"))) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    @Test
    void submodules_andTheirs_borrowFromMirrors() throws IOException {
        try (TestAgent agent = TestAgent.in(tmp.resolve("agent"))) {
            build(agent, "a");
            build(agent, "b");
            assertThat(mirrors()).hasSize(3);
        }
    }

    @Test
    void submodules_inTheSandbox_borrowFromMirrors() throws IOException {
        Sandboxes.assume();
        try (TestAgent agent =
                TestAgent.of(TestAgent.builder(tmp.resolve("agent")).isolation(IsolationOptions.sandbox()))) {
            build(agent, "a");
        }
    }

    @Test
    void mirror_whoseObjectsAreLost_isMadeAnew() throws IOException {
        try (TestAgent agent = TestAgent.in(tmp.resolve("agent"))) {
            build(agent, "a");
            for (Path mirror : mirrors()) {
                for (Path file : objects(mirror)) {
                    Files.delete(file);
                }
            }
            build(agent, "b");
        }
        try (TestAgent agent = TestAgent.in(tmp.resolve("agent"))) {
            build(agent, "c");
        }
    }

    @Test
    void mirror_thatAScriptHasWrittenTo_servesNoOtherBuild() throws IOException {
        GitRepo other = GitRepo.create(tmp.resolve("other")).write("in", "owned\n");
        other.git("config", "core.compression", "0");
        other.commit();
        String poison = "for m in $WORKSPACE/../../../mirrors/*.git; do p=$(git -C TMP/inner rev-parse HEAD:in); "
                + "mkdir -p TMP/x; mv $m/objects/pack/* TMP/x; for k in TMP/x/*.pack; do git --git-dir=$m unpack-objects -q <$k; done; "
                + "e=$(git -C TMP/other rev-parse HEAD:in); "
                + "f=$m/objects/${p:0:2}/${p:2}; if [ -e $f ]; then rm -f $f; cp TMP/other/.git/objects/${e:0:2}/${e:2} $f; fi; done";
        try (TestAgent agent = TestAgent.in(tmp.resolve("agent"))) {
            build(agent, "a");
            agent.run(TestJob.of("evil", repo).env("POISON", poison.replace("TMP", tmp.toString())));
            build(agent, "b");
        }
    }

    @Test
    void commit_thatNoBranchHas_comesFromTheRepository() throws IOException {
        inner.git("config", "uploadpack.allowAnySHA1InWant", "true");
        inner.git("checkout", "--quiet", "--detach");
        inner.write("in", "nobody's\n").commit();
        String commit = inner.head();
        inner.git("checkout", "--quiet", "master");
        GitRepo user = GitRepo.withScript(tmp.resolve("user"), "cat in/in");
        user.git("submodule", "--quiet", "add", inner.url(), "in");
        user.git("-C", "in", "fetch", "--quiet", "origin", commit);
        user.git("-C", "in", "checkout", "--quiet", commit);
        user.commit();
        try (TestAgent agent = TestAgent.in(tmp.resolve("agent"))) {
            Outcome outcome = agent.run(TestJob.of("a", user));
            assertThat(outcome.code()).as(outcome.message()).isEqualTo(OutcomeCode.SUCCEEDED);
            assertThat(agent.log("a")).contains("\nnobody's\n");
        }
    }

    @Test
    void mirrorsOfSubmodules_stayAsLongAsTheWorkspace() throws IOException {
        try (TestAgent agent =
                TestAgent.of(TestAgent.builder(tmp.resolve("agent")).keepAge(Duration.ofDays(1)))) {
            build(agent, "a");
            for (Path mirror : mirrors()) {
                Files.setLastModifiedTime(mirror, FileTime.from(Instant.now().minus(Duration.ofDays(2))));
            }
            agent.agent().evict();
            assertThat(mirrors()).hasSize(3);
        }
        try (TestAgent agent =
                TestAgent.of(TestAgent.builder(tmp.resolve("agent")).keepAge(Duration.ZERO))) {
            agent.agent().evict();
            agent.agent().evict();
            assertThat(mirrors()).isEmpty();
            build(agent, "b");
        }
    }

    @Test
    void submodule_withThePathOfAPattern_isThatOneOnly() throws IOException {
        GitRepo user = GitRepo.withScript(tmp.resolve("user"), "cat '*/in'");
        user.write(".gitmodules", "[submodule \"s\"]\n\tpath = *\n\turl = " + inner.url() + "\n");
        user.git("add", "--all");
        user.git("update-index", "--add", "--cacheinfo", "160000," + inner.head() + ",*");
        user.git("commit", "--quiet", "--message", "pattern");
        try (TestAgent agent = TestAgent.in(tmp.resolve("agent"))) {
            Outcome outcome = agent.run(TestJob.of("a", user));
            assertThat(outcome.code()).as(outcome.message()).isEqualTo(OutcomeCode.SUCCEEDED);
            assertThat(agent.log("a")).contains("\ninner\n");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[submodule \"s\"]\n\tpath = sub\n\turl = ext::sh -c touch% TMP/owned\n\turl = file://TMP/inner\n",
                "[submodule \"s\"]\n\tpath = sub\n\turl = file://TMP/inner\n[submodule \"t\"]\n\tpath = sub\n\turl = ext::sh\n",
                "[submodule \"/s\"]\n\tpath = sub\n\turl = file://TMP/inner\n",
                "[submodule \"s\"]\n\tpath = sub\n\turl = ../../../../../../../../../../../x\n",
                "[submodule \"s\"]\n\tpath = sub\n\turl = ./../-x\n",
                "[submodule \"s\"]\n\tpath = other\n\turl = file://TMP/inner\n"
            })
    void submodules_ofAHostileFile_areRefused(String modules) throws IOException {
        GitRepo user = GitRepo.withScript(tmp.resolve("user"), "echo ran");
        user.write(".gitmodules", modules.replace("TMP", tmp.toString()));
        user.git("add", "--all");
        user.git("update-index", "--add", "--cacheinfo", "160000," + inner.head() + ",sub");
        user.git("commit", "--quiet", "--message", "evil");
        try (TestAgent agent = TestAgent.in(tmp.resolve("agent"))) {
            Outcome outcome = agent.run(TestJob.of("a", user));
            assertThat(outcome.code())
                    .as(outcome.message())
                    .isIn(OutcomeCode.REFUSED, OutcomeCode.PULL_FAILED, OutcomeCode.VCS_FAILED);
            assertThat(agent.log("a")).doesNotContain("\nran\n");
            assertThat(tmp.resolve("owned")).doesNotExist();
        }
    }
}
