package dev.touchstone.builds.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.builds.agent.store.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A build's script writes what it can into every repository that it finds, and later builds, with git in their scripts too, notice nothing. */
@Timeout(240)
@Tag("sweep")
class PoisonedSourcesTest {
    /** The commands that a script of another branch executes in each git folder that it finds, before each poison. */
    private static final String FOLDERS = """
            own=$(cd "$(git rev-parse --git-dir)" && pwd)
            common=$(cd "$(git rev-parse --git-common-dir)" && pwd)
            lent=$(dirname "$(cat "$common/objects/info/alternates" 2>/dev/null || echo "$common/objects")")
            evil() { for G in "$own" "$common" "$lent"; do poison; done; }
            """;

    /** Whatever git would run by configuration, it would run for this. */
    private static final String VICTIM = """
            git status --porcelain --ignored
            git log --format=%s -2
            git describe --tags
            git fetch --quiet && git rev-parse --abbrev-ref @{upstream}
            touch data && git add data && git diff HEAD && git stash list
            cat data sub/in
            git rev-parse HEAD
            """;

    @TempDir
    Path tmp;

    private GitRepo repo;
    private String expected = "";

    @BeforeEach
    void makeRepositories() throws IOException {
        Files.createDirectories(tmp.resolve("home"));
        Path owner = Files.writeString(tmp.resolve("own.sh"), "#!/bin/sh\ntouch " + tmp + "/owned\ncat\n");
        assertThat(owner.toFile().setExecutable(true)).isTrue();
        GitRepo inner = GitRepo.create(tmp.resolve("inner")).write("in", "inner\n");
        inner.commit();
        GitRepo other = GitRepo.withScript(tmp.resolve("other"), "echo redirected; touch " + tmp + "/owned");
        other.branch("victim");
        String evil = FOLDERS + ". \"$POISON\"; evil 2>&1 || true\n";
        repo = GitRepo.withScript(tmp.resolve("repo"), evil);
        repo.branch("victim").write("data", "data of the commit\n");
        repo.write(".gitattributes", "data filter=evil diff=evil\n");
        repo.git("submodule", "--quiet", "add", inner.url(), "sub");
        repo.commitScript("if [ -n \"$POISON\" ]; then", evil + "exit 0; fi", VICTIM);
        repo.git("tag", "v1");
        expected = "\ntest\ntest\nv1\norigin/victim\ndata of the commit\ninner\n" + repo.head()
                + "\n\n---> Build succeeded";
        repo.git("checkout", "--quiet", "--force", "master");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "git config --file $G/config core.fsmonitor TMP/own.sh",
                "mkdir -p $G/hooks; for h in post-checkout reference-transaction post-index-change post-merge; do "
                        + "cp TMP/own.sh $G/hooks/$h; done",
                "mkdir -p TMP/hooks; for h in post-checkout reference-transaction post-index-change; do "
                        + "cp TMP/own.sh TMP/hooks/$h; done; git config --file $G/config core.hooksPath TMP/hooks",
                "printf '[core]\\n\\tfsmonitor = TMP/own.sh\\n[filter \"evil\"]\\n\\tsmudge = TMP/own.sh\\n' > TMP/inc; "
                        + "git config --file $G/config include.path TMP/inc",
                "for f in smudge clean; do git config --file $G/config filter.evil.$f TMP/own.sh; done",
                "git config --file $G/config filter.evil.process TMP/own.sh",
                "git config --file $G/config diff.external TMP/own.sh; "
                        + "git config --file $G/config diff.evil.textconv TMP/own.sh",
                "git config --file $G/config submodule.sub.update '!TMP/own.sh'; "
                        + "git config --file $G/config submodule.sub.url file://TMP/other",
                "git config --file $G/config url.file://TMP/other.insteadOf file://TMP/repo",
                "git config --file $G/config remote.origin.uploadpack TMP/own.sh",
                "git config --file $G/config core.worktree TMP/home; git config --file $G/config core.bare false",
                "git config --file $G/config extensions.worktreeConfig true; "
                        + "git config --file $G/config.worktree core.fsmonitor TMP/own.sh",
                "mkdir -p $G/info; echo '* filter=evil text eol=crlf ident' > $G/info/attributes; "
                        + "git config --file $G/config filter.evil.smudge TMP/own.sh",
                "mkdir -p $G/info; echo '*' > $G/info/exclude; printf '/*\\n!data\\n' > $G/info/sparse-checkout; "
                        + "git config --file $G/config core.sparseCheckout true",
                "mkdir -p $G/objects/info; echo TMP/other/.git/objects > $G/objects/info/alternates",
                "git -C $G replace -f $(git rev-parse origin/victim 2>/dev/null || git rev-parse victim) "
                        + "$(git -C TMP/other rev-parse HEAD)",
                "git --git-dir=$G fetch --quiet file://TMP/other victim:refs/replace/x +victim:refs/heads/victim "
                        + "+victim:refs/heads/more +victim:refs/tags/v1",
                "git --git-dir=$G fetch --quiet file://TMP/other victim; v=$(git -C TMP/repo rev-parse victim); "
                        + "git --git-dir=$G replace -f $v $(git -C TMP/other rev-parse HEAD)",
                "v=$(git -C TMP/repo rev-parse victim); echo $v > $G/shallow; mkdir -p $G/info; echo $v > $G/info/grafts",
                "git --git-dir=$G gc --quiet --prune=now",
                "find $G/objects -type f -delete; rm -f data",
                "mkdir -p TMP/x; mv $G/objects/pack/* TMP/x; for k in TMP/x/*.pack; do git --git-dir=$G unpack-objects -q < $k; "
                        + "done; p=$(git -C TMP/repo rev-parse victim:data); e=$(git -C TMP/other rev-parse HEAD:build.sh); "
                        + "f=$G/objects/${p:0:2}/${p:2}; rm -f $f data; cp TMP/other/.git/objects/${e:0:2}/${e:2} $f",
                "touch $G/index.lock $G/HEAD.lock $G/config.lock $G/packed-refs.lock $G/shallow.lock $G/FETCH_HEAD.lock "
                        + "$G/refs/heads/victim.lock $WORKSPACE.index.lock",
                "echo garbage > $G/config; echo garbage > $G/HEAD; echo garbage > $G/FETCH_HEAD",
                "rm -rf $G/objects/info; ln -s TMP/home $G/objects/info; rm $G/config; ln -s TMP/own.sh $G/config",
                "echo ../other > $G/commondir; echo TMP/other/.git > $G/gitdir",
                "echo 'ref: refs/heads/master' > $G/refs/heads/victim"
            })
    void pull_afterAScriptThatPoisonsWhatItFinds_isOfThisCommitAndRunsNothing(String poison) throws IOException {
        Path file = Files.writeString(
                tmp.resolve("poison"), "poison() { " + poison.replace("TMP", tmp.toString()) + "\n}\n");
        for (boolean byCommand : new boolean[] {false, true}) {
            BuildAgentBuilder builder = TestAgent.builder(tmp.resolve("agent" + byCommand))
                    .environment(Map.of(
                            "PATH",
                            System.getenv("PATH"),
                            "HOME",
                            tmp.resolve("home").toString()))
                    .commandSchemes(byCommand ? Set.of("file") : Set.of());
            try (TestAgent agent = TestAgent.of(builder)) {
                check(agent, "before");
                for (String branch : new String[] {"master", "victim"}) {
                    TestJob evil = TestJob.of("evil-" + branch, repo).branch(branch);
                    agent.run(evil.env("POISON", file.toString()));
                    check(agent, "after-" + branch);
                    repo.git("commit", "--quiet", "--allow-empty", "--message", "more");
                }
            }
        }
    }

    /** The victim's own script, which poisons nothing. */
    private void check(TestAgent agent, String job) throws IOException {
        Outcome outcome = agent.run(TestJob.of(job, repo).branch("victim"));
        assertThat(agent.log(job)).as(outcome.message()).contains(expected);
        assertThat(tmp.resolve("owned")).as(agent.log(job)).doesNotExist();
    }
}
