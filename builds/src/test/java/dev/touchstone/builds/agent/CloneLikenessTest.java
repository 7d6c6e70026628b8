package dev.touchstone.builds.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.builds.agent.store.Outcome;
import dev.touchstone.builds.agent.store.OutcomeCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A script finds what it would find in a fresh clone of its branch: the same bytes under the same names, and a remote called origin. */
@Timeout(120)
@Tag("sweep")
class CloneLikenessTest {
    /** Prints each file's name and content, byte by byte. */
    private static final String SHOW =
            "find . -path ./.git -prune -o -type f -print0 | LC_ALL=C sort -z | xargs -0 sha1sum --zero | od -An -tx1 -v";

    @TempDir
    Path tmp;

    @Test
    void pull_attributesAndNamesOfAnyBytes_treeEqualsThatOfAClone() throws Exception {
        GitRepo repo = GitRepo.withScript(tmp.resolve("repo"), SHOW);
        try (TestAgent agent = TestAgent.in(tmp.resolve("agent"))) {
            check(agent, repo, "plain");
            repo.write("id", "$Id$\n")
                    .write("text", "a\nb\n")
                    .write("wide", "grün\n")
                    .commit();
            check(agent, repo, "without");
            repo.write(".gitattributes", "id ident\ntext text eol=crlf\nwide text working-tree-encoding=UTF-16LE\n");
            bash(repo, "git add .gitattributes && git add --renormalize text && git rm --quiet --cached wide");
            Files.write(repo.folder().resolve("wide"), "grün\n".getBytes(StandardCharsets.UTF_16LE));
            repo.commit();
            check(agent, repo, "attributes");
            bash(repo, "mkdir $'d\\xff' && echo 1 > $'d\\xff/\\xe9' && echo 2 > $'\\xfe' && echo 3 > grün");
            repo.commit();
            check(agent, repo, "names");
            check(agent, repo, "again");
            repo.write("id", "more $Id$\n").commit();
            check(agent, repo, "changed");
            Files.delete(repo.folder().resolve(".gitattributes"));
            repo.git("checkout", "--quiet", "HEAD", "--", "text");
            repo.commit();
            check(agent, repo, "removed");
        }
    }

    @Test
    void pull_anyCommit_scriptHasOriginHistoryAndVariables() throws IOException {
        GitRepo repo = GitRepo.withScript(
                tmp.resolve("repo"),
                "git remote get-url origin; git branch --show-current; git rev-parse HEAD",
                "git describe --tags; git rev-parse --abbrev-ref @{upstream}; git log --oneline | wc -l",
                "echo $CI $BUILDS_BRANCH $BUILDS_COMMIT",
                "[ -z \"$SIGNAL\" ] || { touch \"$SIGNAL\"; until [ -e \"$SIGNAL.done\" ]; do sleep 0.02; done; }",
                "git fetch --quiet && git log --format=%s ..@{upstream}");
        repo.git("tag", "-a", "-m", "release", "v1");
        repo.branch("feature/\"a\"").write("more", "x").commit();
        String head = repo.head();
        Path signal = tmp.resolve("signal");
        try (TestAgent agent = TestAgent.in(tmp.resolve("agent"))) {
            String branch = "feature/\"a\"";
            Recorder job = agent.start(TestJob.of("j", repo).branch(branch).env("SIGNAL", signal.toString()));
            Waits.until("the script", () -> Files.exists(signal));
            repo.git("commit", "--quiet", "--allow-empty", "--message", "pushed meanwhile");
            Files.createFile(tmp.resolve("signal.done"));
            assertThat(job.await().code()).as(agent.log("j")).isEqualTo(OutcomeCode.SUCCEEDED);
            assertThat(agent.log("j"))
                    .contains("\n" + repo.url() + "\n" + branch + "\n" + head + "\nv1-1-g" + head.substring(0, 7)
                            + "\norigin/" + branch + "\n2\ntrue " + branch + " " + head + "\npushed meanwhile\n");
            agent.run(TestJob.of("k", repo).env("CI", "no"));
            assertThat(agent.log("k")).contains("\nno master ");
        }
    }

    @Test
    void pull_poisonedHomeOfTheAgent_isNotRead() throws IOException {
        GitRepo repo = GitRepo.withScript(tmp.resolve("repo"), "cat data").write("data", "right\n");
        repo.write(".gitattributes", "data filter=evil\n").commit();
        GitRepo other = GitRepo.withScript(tmp.resolve("other"), "echo redirected");
        Path home = Files.createDirectories(tmp.resolve("home/.config/git"));
        Files.writeString(home.resolve("attributes"), "* eol=crlf\n");
        String config = "[core]\n\tfsmonitor = touch " + tmp + "/owned #\n[filter \"evil\"]\n\tsmudge = touch " + tmp
                + "/owned\n[url \"" + other.url() + "\"]\n\tinsteadOf = " + repo.url() + "\n";
        Map<String, String> environment = Map.of(
                "PATH", System.getenv("PATH"), "HOME", tmp.resolve("home").toString());
        for (String poison : new String[] {config, "garbage ["}) {
            Files.writeString(tmp.resolve("home/.gitconfig"), poison);
            Files.writeString(home.resolve("config"), poison);
            BuildAgentBuilder builder =
                    TestAgent.builder(tmp.resolve("agent" + poison.length())).environment(environment);
            try (TestAgent agent = TestAgent.of(builder)) {
                Outcome outcome = agent.run(TestJob.of("j", repo));
                assertThat(outcome.code()).as(outcome.message()).isEqualTo(OutcomeCode.SUCCEEDED);
                assertThat(agent.log("j")).contains("\nright\n");
                assertThat(tmp.resolve("owned")).doesNotExist();
            }
        }
    }

    /** The index of a script could say that a file of the next commit is there already. */
    @Test
    void pull_afterAScriptThatChangedItsIndex_nextCommitIsWhole() throws IOException {
        GitRepo repo = GitRepo.withScript(
                tmp.resolve("repo"),
                "cat data",
                "next=$(git -C " + tmp.resolve("repo") + " rev-parse next:data)",
                "for index in .git/index \"$WORKSPACE.index\"; do export GIT_INDEX_FILE=$index",
                "git update-index --cacheinfo 100644,$next,data; git update-index --assume-unchanged data; done");
        repo.write("data", "old\n").commit();
        repo.branch("next").write("data", "new\n").commit();
        try (TestAgent agent = TestAgent.in(tmp.resolve("agent"))) {
            agent.run(TestJob.of("a", repo));
            repo.git("branch", "--force", "master", "next");
            agent.run(TestJob.of("b", repo));
            assertThat(agent.log("b")).contains("\nnew\n");
        }
    }

    private void check(TestAgent agent, GitRepo repo, String job) throws Exception {
        Path clone = tmp.resolve("clone-" + job);
        GitRepo.git(tmp, "clone", "--quiet", repo.url(), clone.toString());
        Outcome outcome = agent.run(TestJob.of(job, repo));
        assertThat(outcome.code()).as(outcome.message()).isEqualTo(OutcomeCode.SUCCEEDED);
        String shown = new String(
                new ProcessBuilder("bash", "-c", SHOW)
                        .directory(clone.toFile())
                        .start()
                        .getInputStream()
                        .readAllBytes(),
                StandardCharsets.UTF_8);
        assertThat(agent.log(job)).as(job).contains(shown);
    }

    private static void bash(GitRepo repo, String script) throws Exception {
        Process process = new ProcessBuilder("bash", "-c", script)
                .directory(repo.folder().toFile())
                .inheritIO()
                .start();
        assertThat(process.waitFor()).isZero();
    }
}
