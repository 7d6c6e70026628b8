package dev.touchstone.builds.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.builds.agent.store.Outcome;
import dev.touchstone.builds.agent.store.OutcomeCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(240)
@Tag("sweep")
class SourcesTest {
    private static final String SHOW =
            "git status --porcelain --ignored; git rev-parse HEAD; find . -path ./.git -prune -o -type f -print | sort";

    @TempDir
    Path tmp;

    @Test
    void pull_commitPushedBetweenBuilds_isBuilt() throws IOException {
        GitRepo repo = GitRepo.withScript(tmp.resolve("repo"), "echo commit 0");
        try (TestAgent agent = TestAgent.in(tmp.resolve("agent"))) {
            for (int i = 0; i < 8; i++) {
                repo.commitScript("echo commit " + i);
                assertThat(agent.run(TestJob.of("j" + i, repo)).code()).isEqualTo(OutcomeCode.SUCCEEDED);
                assertThat(agent.log("j" + i)).contains("\ncommit " + i + "\n");
            }
        }
    }

    @Test
    void pull_manyJobsAtOnce_shareFetchesAndEachHasItsBranch() throws IOException {
        Path bin = Files.createDirectories(tmp.resolve("bin"));
        Path git = Files.writeString(
                bin.resolve("git"),
                "#!/bin/sh\ncase \" $* \" in *\" fetch \"*) echo x >> " + tmp + "/fetches;; esac\nexec " + realGit()
                        + " \"$@\"\n");
        assertThat(git.toFile().setExecutable(true)).isTrue();
        GitRepo repo = GitRepo.withScript(tmp.resolve("repo"), "cat name");
        for (int i = 0; i < 10; i++) {
            repo.branch("b" + i).write("name", "branch " + i + "\n").commit();
        }
        BuildAgentBuilder builder = TestAgent.builder(tmp.resolve("agent"))
                .executors(3)
                .commandSchemes(Set.of("file"))
                .environment(Map.of("PATH", bin + ":" + System.getenv("PATH"), "HOME", tmp.toString()));
        try (TestAgent agent = TestAgent.of(builder)) {
            List<Recorder> jobs = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                jobs.add(agent.start(TestJob.of("j" + i, repo).branch("b" + i % 10)));
            }
            for (int i = 0; i < 40; i++) {
                assertThat(jobs.get(i).await().code()).as(agent.log("j" + i)).isEqualTo(OutcomeCode.SUCCEEDED);
                assertThat(agent.log("j" + i)).contains("\nbranch " + i % 10 + "\n");
            }
            assertThat(Files.readAllLines(tmp.resolve("fetches")).size()).isBetween(1, 20);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void pull_historyRewritten_treeIsTheNewOne(boolean byCommand) throws IOException {
        GitRepo repo = GitRepo.withScript(tmp.resolve("repo"), SHOW);
        repo.write("old", "x").commit();
        repo.branch("dir").git("checkout", "--quiet", "master");
        try (TestAgent agent = TestAgent.of(builder(byCommand))) {
            agent.run(TestJob.of("a", repo));
            agent.run(TestJob.of("a2", repo).branch("dir"));
            repo.git("checkout", "--quiet", "--orphan", "fresh");
            repo.git("rm", "--quiet", "--cached", "old");
            Files.delete(repo.folder().resolve("old"));
            repo.write("new/file", "y").commit();
            repo.git("branch", "--force", "master", "fresh");
            repo.git("branch", "-D", "dir");
            repo.git("branch", "dir/sub", "fresh");
            assertThat(agent.run(TestJob.of("b", repo)).code())
                    .as(agent.log("b"))
                    .isEqualTo(OutcomeCode.SUCCEEDED);
            assertThat(agent.log("b")).contains("\n" + repo.head() + "\n./build.sh\n./new/file\n\n");
            assertThat(agent.run(TestJob.of("c", repo).branch("dir/sub")).code())
                    .as(agent.log("c"))
                    .isEqualTo(OutcomeCode.SUCCEEDED);
            Outcome gone = agent.run(TestJob.of("d", repo).branch("dir"));
            assertThat(gone.code()).isEqualTo(OutcomeCode.PULL_FAILED);
            assertThat(gone.message()).contains("branch=dir is not in repository=");
        }
    }

    @Test
    void pull_commitGiven_isBuiltAndNotTheNewest() throws IOException {
        GitRepo repo = GitRepo.withScript(tmp.resolve("repo"), "echo old");
        String old = repo.head();
        repo.commitScript("echo new");
        try (TestAgent agent = TestAgent.in(tmp.resolve("agent"))) {
            assertThat(agent.run(TestJob.of("a", repo).commit(old)).code()).isEqualTo(OutcomeCode.SUCCEEDED);
            assertThat(agent.log("a")).contains("\nold\n");
            agent.run(TestJob.of("b", repo));
            assertThat(agent.log("b")).contains("\nnew\n");
            Outcome none = agent.run(TestJob.of("c", repo).commit("0".repeat(39) + "1"));
            assertThat(none.code()).isEqualTo(OutcomeCode.PULL_FAILED);
            assertThat(none.message()).contains("commit=000");
            repo.git("tag", "kept");
            String tree = repo.git("rev-parse", "HEAD^{tree}").strip();
            assertThat(agent.run(TestJob.of("d", repo).commit(tree)).code()).isEqualTo(OutcomeCode.PULL_FAILED);
        }
    }

    @Test
    void pull_noRepository_saysSo() throws IOException {
        try (TestAgent agent = TestAgent.in(tmp.resolve("agent"))) {
            Outcome outcome = agent.run(new TestJob("j", "file://" + tmp + "/none"));
            assertThat(outcome.code()).isEqualTo(OutcomeCode.PULL_FAILED);
            assertThat(outcome.message()).contains(tmp + "/none");
            GitRepo repo = GitRepo.create(tmp.resolve("none")).commitScript("echo now");
            assertThat(agent.run(TestJob.of("k", repo)).code()).isEqualTo(OutcomeCode.SUCCEEDED);
        }
    }

    @Test
    void pull_nothingTouched_treeAndIndexStayAndOnlyLeftoversGo() throws IOException {
        GitRepo repo = GitRepo.create(tmp.resolve("repo"))
                .write("a/file", "content\n")
                .commitScript("ls; stat -c 'inode %i' build.sh a/file .git/index; touch left a/left");
        try (TestAgent agent = TestAgent.in(tmp.resolve("agent"))) {
            agent.run(TestJob.of("a", repo));
            agent.run(TestJob.of("b", repo));
            agent.run(TestJob.of("c", repo));
            String inodes = agent.log("a").replaceAll("(?s).*?(inode.*?)\n\n.*", "$1");
            assertThat(inodes).hasLineCount(3);
            assertThat(agent.log("b")).contains("\na\nbuild.sh\n" + inodes);
            assertThat(agent.log("c")).contains("\na\nbuild.sh\n" + inodes);
        }
    }

    @Test
    void pull_afterScriptsThatSpoilTheTree_treeIsTheCommits() throws IOException {
        GitRepo repo = GitRepo.create(tmp.resolve("repo"))
                .write("a/b/file", "content\n")
                .write("keep", "kept\n")
                .write(".gitignore", "ignored\n")
                .commitScript(SHOW, "cat a/b/file keep", "[ ! -e \"$SPOIL\" ] || . \"$SPOIL\"");
        Path victim = Files.createDirectories(tmp.resolve("victim/b"));
        Files.writeString(victim.resolve("file"), "not ours\n");
        List<String> spoils = List.of(
                "echo more > ignored; mkdir -p x/y; echo z > x/y/z; mkdir nested; git init --quiet nested; touch nested/f",
                "echo changed > keep; rm a/b/file",
                "rm -rf a; ln -s " + tmp + "/victim a",
                "rm -rf a; echo file > a",
                "rm keep; mkdir keep; touch keep/in",
                "rm -rf .git; mkdir .git; touch .git/x",
                "rm -rf .git; ln -s " + tmp + "/victim .git",
                "rm -rf \"$SRCDIR\"; ln -s " + tmp + "/victim \"$SRCDIR\"",
                "rm -rf \"$SRCDIR\"; touch \"$SRCDIR\"",
                "rm -rf \"$WORKSPACE\"; ln -s " + tmp + "/victim \"$WORKSPACE\"",
                "chmod 000 a; mkdir locked; touch locked/f; chmod 000 locked",
                "d=deep; for i in $(seq 300); do mkdir $d && cd $d; d=dddddddddddddddddddddddddddddddddddddddd; done",
                "git checkout --quiet -b mine; git -c user.name=x -c user.email=x@example.invalid commit -qam mine --allow-empty",
                "rm -f \"$(git rev-parse --git-dir)/index\"",
                "touch \"$(git rev-parse --git-dir)/index.lock\" \"$(git rev-parse --git-dir)/HEAD.lock\"",
                "echo garbage > \"$(git rev-parse --git-dir)/index\"",
                "echo garbage > \"$(git rev-parse --git-dir)/HEAD\"",
                "rm -rf \"$(git rev-parse --git-dir)\"",
                "git update-index --assume-unchanged keep; echo changed > keep",
                "git update-index --skip-worktree keep; echo changed > keep",
                "truncate -s 5 keep; printf 'kept\\n' > keep; touch -d @1 keep; printf 'KEPT\\n' > keep; touch -d @1 keep",
                "cp -p keep copy; printf 'KEPT\\n' > keep; touch -r copy keep",
                "chmod +x keep; touch $'new\\nline' $'\\xff\\xfe'");
        try (TestAgent agent = TestAgent.in(tmp.resolve("agent"))) {
            for (int i = 0; i < spoils.size(); i++) {
                String spoil = spoils.get(i);
                Path file = Files.writeString(tmp.resolve("spoil"), spoil);
                assertThat(agent.run(TestJob.of("s" + i, repo).env("SPOIL", file.toString()))
                                .code())
                        .as("%s: %s", spoil, agent.log("s" + i))
                        .isIn(OutcomeCode.SUCCEEDED, OutcomeCode.SCRIPT_FAILED);
                Outcome outcome = agent.run(TestJob.of("t" + i, repo));
                String log = agent.log("t" + i);
                assertThat(outcome.code()).as("%s: %s", spoil, log).isEqualTo(OutcomeCode.SUCCEEDED);
                assertThat(log)
                        .as(spoil)
                        .contains("(using runner \"bash\")\n" + repo.head()
                                + "\n./.gitignore\n./a/b/file\n./build.sh\n./keep\ncontent\nkept\n\n---> Build");
                assertThat(victim.resolve("file")).as(spoil).hasContent("not ours");
                assertThat(victim.getParent()).as(spoil).isDirectoryNotContaining(path -> !path.equals(victim));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "find objects -type f -delete",
                "find objects -name '*.pack' -exec truncate -s 40 {} +",
                "find objects -name '*.idx' -delete",
                "find objects -type f -exec sh -c 'chmod u+w $1; echo garbage > $1' - {} ';'",
                "rm HEAD",
                "echo garbage > HEAD",
                "echo '[garbage' > config",
                "rm -rf refs objects",
                "rm -rf worktrees",
                "rm -rf ./* ",
                "touch packed-refs.lock refs/heads/master.lock HEAD.lock config.lock",
                "rm -rf refs/heads; echo x > refs/heads",
                "echo 0123456789012345678901234567890123456789 > refs/heads/master"
            })
    void pull_brokenMirror_isHealedWithTheAgentRunningAndAfterARestart(String damage) throws Exception {
        GitRepo repo = GitRepo.withScript(tmp.resolve("repo"), "echo first");
        for (boolean restart : new boolean[] {false, true}) {
            Path root = tmp.resolve("agent" + restart);
            TestAgent agent = TestAgent.in(root);
            try {
                assertThat(agent.run(TestJob.of("a", repo)).code()).isEqualTo(OutcomeCode.SUCCEEDED);
                if (restart) {
                    agent.close();
                }
                Path mirror;
                try (Stream<Path> mirrors = Files.list(root.resolve("mirrors"))) {
                    mirror = mirrors.filter(Files::isDirectory).findFirst().orElseThrow();
                }
                Process process = new ProcessBuilder("bash", "-c", damage)
                        .directory(mirror.toFile())
                        .start();
                assertThat(process.waitFor()).isZero();
                if (restart) {
                    agent = TestAgent.in(root);
                }
                repo.commitScript("echo second");
                Outcome outcome = agent.run(TestJob.of("b", repo));
                assertThat(outcome.code())
                        .as("%s, restart=%s: %s", damage, restart, outcome)
                        .isEqualTo(OutcomeCode.SUCCEEDED);
                assertThat(agent.log("b")).contains("\nsecond\n");
                assertThat(GitRepo.git(mirror, "rev-parse", "refs/heads/master^{tree}"))
                        .isNotEmpty();
            } finally {
                agent.close();
            }
        }
    }

    @Test
    void pull_agentsThatShareMirrors_buildSideBySide() throws IOException {
        GitRepo repo = GitRepo.withScript(tmp.resolve("repo"), "cat file; git log -1 --format=%s");
        Path mirrors = tmp.resolve("mirrors");
        try (TestAgent one = TestAgent.of(TestAgent.builder(tmp.resolve("one")).mirrors(mirrors));
                TestAgent two =
                        TestAgent.of(TestAgent.builder(tmp.resolve("two")).mirrors(mirrors))) {
            for (int i = 0; i < 10; i++) {
                repo.write("file", "content " + i + "\n").commit();
                Recorder first = one.start(TestJob.of("j" + i, repo));
                Recorder second = two.start(TestJob.of("j" + i, repo));
                assertThat(first.await().code()).as(one.log("j" + i)).isEqualTo(OutcomeCode.SUCCEEDED);
                assertThat(second.await().code()).as(two.log("j" + i)).isEqualTo(OutcomeCode.SUCCEEDED);
                assertThat(one.log("j" + i)).contains("\ncontent " + i + "\n");
                assertThat(two.log("j" + i)).contains("\ncontent " + i + "\n");
            }
        }
    }

    @Test
    void pull_manyPushes_packsArePutTogether() throws IOException {
        GitRepo repo = GitRepo.withScript(tmp.resolve("repo"), "git log --format=%h | wc -l");
        try (TestAgent agent = TestAgent.in(tmp.resolve("agent"))) {
            for (int i = 0; i < 60; i++) {
                repo.write("file", "content " + i).commit();
                assertThat(agent.run(TestJob.of("j" + i, repo).discard()).code())
                        .isEqualTo(OutcomeCode.SUCCEEDED);
            }
            agent.run(TestJob.of("last", repo));
            assertThat(agent.log("last")).contains("\n61\n");
        }
        try (Stream<Path> files = Files.walk(tmp.resolve("agent/mirrors"))) {
            assertThat(files.filter(file -> file.toString().endsWith(".pack"))).hasSizeLessThan(30);
        }
    }

    @Test
    void pull_brokenMirrorAndRepositoryAway_saysSoAndKeepsTheMirror() throws IOException {
        GitRepo repo = GitRepo.withScript(tmp.resolve("repo"), "echo first");
        try (TestAgent agent = TestAgent.in(tmp.resolve("agent"))) {
            agent.run(TestJob.of("a", repo));
            Files.move(repo.folder(), tmp.resolve("away"));
            assertThat(agent.run(TestJob.of("b", repo)).code()).isEqualTo(OutcomeCode.PULL_FAILED);
            Files.move(tmp.resolve("away"), repo.folder());
            assertThat(agent.run(TestJob.of("c", repo)).code()).isEqualTo(OutcomeCode.SUCCEEDED);
        }
    }

    @Test
    void pull_submodules_areBroughtAndCleaned() throws IOException {
        GitRepo inner = GitRepo.create(tmp.resolve("inner")).write("in", "inner\n");
        inner.commit();
        GitRepo repo =
                GitRepo.withScript(tmp.resolve("repo"), "cat sub/in; ls sub; echo spoilt > sub/in; touch sub/more");
        repo.git("submodule", "--quiet", "add", inner.url(), "sub");
        repo.commit();
        try (TestAgent agent = TestAgent.in(tmp.resolve("agent"))) {
            for (String job : List.of("a", "b")) {
                Outcome outcome = agent.run(TestJob.of(job, repo));
                assertThat(outcome.code()).as(outcome.message()).isEqualTo(OutcomeCode.SUCCEEDED);
                assertThat(agent.log(job)).contains("\ninner\nin\n\n---> Build");
            }
            inner.write("in", "newer\n").commit();
            repo.git("-C", "sub", "pull", "--quiet", "origin", "master");
            repo.commit();
            assertThat(agent.run(TestJob.of("c", repo)).code())
                    .as(agent.log("c"))
                    .isEqualTo(OutcomeCode.SUCCEEDED);
            assertThat(agent.log("c")).contains("\nnewer\nin\n\n---> Build");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[submodule \"s\"]\n\tpath = sub\n\turl = ext::sh -c touch% TMP/owned\n",
                "[submodule \"s\"]\n\tpath = sub\n\turl = -u./TMP/owned\n",
                "[submodule \"s\"]\n\tpath = ../../sub\n\turl = file:///x\n",
                "[submodule \"../../hooks\"]\n\tpath = sub\n\turl = file:///x\n",
                "[submodule \"-x\"]\n\tpath = sub\n\turl = file:///x\n",
                "[submodule \"s\"]\n\tpath = -x\n\turl = file:///x\n",
                "[submodule \"s\"]\n\tpath = sub\n\turl = file:///x\n\tupdate = !touch TMP/owned\n"
            })
    void pull_hostileSubmodules_areRefused(String modules) throws IOException {
        GitRepo repo = GitRepo.withScript(tmp.resolve("repo"), "echo ran");
        repo.write(".gitmodules", modules.replace("TMP", tmp.toString()));
        repo.git("add", "--all");
        repo.git("update-index", "--add", "--cacheinfo", "160000," + repo.head() + ",sub");
        repo.git("commit", "--quiet", "--message", "evil");
        try (TestAgent agent = TestAgent.in(tmp.resolve("agent"))) {
            Outcome outcome = agent.run(TestJob.of("j", repo));
            assertThat(outcome.code())
                    .as(outcome.message())
                    .isIn(OutcomeCode.REFUSED, OutcomeCode.PULL_FAILED, OutcomeCode.VCS_FAILED);
            assertThat(tmp.resolve("owned")).doesNotExist();
        }
    }

    @Test
    void pull_largeFiles_areLeftToGitLfsOrNoted() throws IOException {
        GitRepo repo = GitRepo.withScript(tmp.resolve("repo"), "cat big");
        repo.write("big", "pointer\n").write("sub/.gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n");
        repo.commit();
        Path bin = Files.createDirectories(tmp.resolve("bin"));
        Map<String, String> environment = Map.of("PATH", bin + ":" + System.getenv("PATH"), "HOME", tmp.toString());
        try (TestAgent agent =
                TestAgent.of(TestAgent.builder(tmp.resolve("agent")).environment(environment))) {
            if (!Files.exists(Path.of("/usr/bin/git-lfs"))) {
                agent.run(TestJob.of("a", repo));
                assertThat(agent.log("a"))
                        .contains("---> git-lfs is not installed")
                        .contains("\npointer\n");
            }
            Path lfs = Files.writeString(bin.resolve("git-lfs"), "#!/bin/sh\necho \"$*\" > big\n");
            assertThat(lfs.toFile().setExecutable(true)).isTrue();
            agent.run(TestJob.of("b", repo));
            assertThat(agent.log("b")).contains("\npull " + repo.url() + "\n");
        }
    }

    @Test
    void pull_sshRepository_isLeftToTheGitCommand() throws IOException {
        GitRepo repo = GitRepo.withScript(tmp.resolve("repo"), "echo over ssh");
        Path bin = Files.createDirectories(tmp.resolve("bin"));
        Path ssh = Files.writeString(
                bin.resolve("ssh"), "#!/bin/bash\necho \"$*\" >> " + tmp + "/calls\nexec sh -c \"${@: -1}\"\n");
        assertThat(ssh.toFile().setExecutable(true)).isTrue();
        Map<String, String> environment = Map.of("PATH", bin + ":" + System.getenv("PATH"), "HOME", tmp.toString());
        try (TestAgent agent =
                TestAgent.of(TestAgent.builder(tmp.resolve("agent")).environment(environment))) {
            Outcome outcome = agent.run(new TestJob("j", "git+ssh://git@localhost" + repo.folder()));
            assertThat(outcome.code()).as(outcome.message()).isEqualTo(OutcomeCode.SUCCEEDED);
            assertThat(agent.log("j")).contains("\nover ssh\n");
            assertThat(Files.readString(tmp.resolve("calls")))
                    .contains("-oBatchMode=yes")
                    .contains("git@localhost");
            Outcome none = agent.run(new TestJob("k", "ssh://git@localhost" + repo.folder() + "-none"));
            assertThat(none.code()).isEqualTo(OutcomeCode.PULL_FAILED);
            assertThat(none.message()).contains("git fetch ended with exitCode=128");
        }
    }

    @Test
    void pull_hooksAndConfigurationOfTheRepository_areNotRun() throws IOException {
        GitRepo repo = GitRepo.withScript(tmp.resolve("repo"), "echo ran");
        for (String hook :
                List.of("post-checkout", "pre-commit", "post-merge", "reference-transaction", "pre-receive")) {
            Path file = Files.writeString(
                    repo.folder().resolve(".git/hooks/" + hook), "#!/bin/sh\ntouch " + tmp + "/owned\n");
            assertThat(file.toFile().setExecutable(true)).isTrue();
        }
        for (boolean byCommand : new boolean[] {false, true}) {
            try (TestAgent agent = TestAgent.of(builder(byCommand))) {
                assertThat(agent.run(TestJob.of("j", repo)).code()).isEqualTo(OutcomeCode.SUCCEEDED);
            }
            assertThat(tmp.resolve("owned")).doesNotExist();
        }
    }

    private BuildAgentBuilder builder(boolean byCommand) {
        return TestAgent.builder(tmp.resolve("agent-" + byCommand))
                .commandSchemes(byCommand ? Set.of("file") : Set.of());
    }

    private static String realGit() {
        return Stream.of(System.getenv("PATH").split(":"))
                .map(folder -> folder + "/git")
                .filter(git -> Files.isExecutable(Path.of(git)))
                .findFirst()
                .orElseThrow();
    }
}
