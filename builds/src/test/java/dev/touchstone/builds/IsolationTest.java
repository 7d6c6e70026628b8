package dev.touchstone.builds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.builds.agent.GitRepo;
import dev.touchstone.builds.agent.Sandboxes;
import dev.touchstone.builds.agent.Waits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Scripts that attack the agent which runs them, in a real agent process: each attack succeeds without isolation, and none in the sandbox. */
@Tag("sweep")
@Timeout(240)
class IsolationTest {
    /** Printed by an attack that succeeds. */
    private static final String SUCCESS = "LEAK";

    private static final Map<String, String> ATTACKS = attacks();

    @TempDir
    Path folder;

    private final String unique = UUID.randomUUID().toString();
    private GitRepo repo;

    private static Map<String, String> attacks() {
        Map<String, String> attacks = new LinkedHashMap<>();
        attacks.put("tokenByPath", "cat $FOLDER/token && echo LEAK");
        attacks.put(
                "tokenByCommandLine",
                "for f in $(cat /proc/[0-9]*/cmdline | tr '\\0' '\\n' | grep -a -x $FOLDER/token); do cat $f && echo LEAK; done");
        attacks.put("tokenByRoot", "cat /proc/[0-9]*/root$FOLDER/token | grep -q . && echo LEAK");
        attacks.put(
                "tokenByLinks",
                "ln $FOLDER/token hard && cat hard && echo LEAK; ln -s $FOLDER/token soft && cat soft && echo LEAK");
        attacks.put("environmentOfOthers", "cat /proc/[0-9]*/environ | grep -a -q AGENT_SECRE[T]= && echo LEAK");
        attacks.put(
                "memoryOfAgent",
                "for p in $(grep -alE 'cli.Mai[n].agent' /proc/[0-9]*/cmdline); do head -c 1 ${p%cmdline}maps && echo LEAK; done");
        attacks.put(
                "signalToAgent",
                "for p in $(grep -alE 'cli.Mai[n].agent' /proc/[0-9]*/cmdline); do p=${p%/cmdline}; kill -0 ${p#/proc/} && echo LEAK; done");
        attacks.put("treeOfOtherBuild", "cat $AGENT/workspaces/*/*/of-victim && echo LEAK");
        attacks.put("filesOfAgent", "ls $AGENT/jobs $AGENT/agent.lock && echo LEAK");
        attacks.put("home", "touch $HOME_OF_AGENT/.gitconfig && echo LEAK");
        attacks.put("system", "test -w /usr && test -w /etc && echo LEAK");
        attacks.put(
                "objectsOfMirror",
                "f=$(find $(cat .git/objects/info/alternates) -type f | head -1); chmod u+w $f && printf x >>$f && echo LEAK");
        attacks.put("remote", "touch $REMOTE/.git/x && echo LEAK");
        attacks.put("mount", "(unshare -Urm true || unshare -m true) && echo LEAK");
        attacks.put("device", "mknod disk b 254 0 && echo LEAK; true");
        return attacks;
    }

    @BeforeEach
    void makeRepository() throws IOException {
        Sandboxes.assume();
        Files.createDirectories(folder.resolve("home"));
        repo = GitRepo.withScript(
                folder.resolve("repo"), "bash -c \"$ATTACK\" 2>&1; code=$?; echo attacked; exit $code");
        repo.branch("victim");
        repo.branch("other");
        repo.git("checkout", "--quiet", "master");
    }

    @Test
    void attacks_inSandbox_allFail() throws Exception {
        Map<String, String> logs = run("sandbox");
        assertThat(logs)
                .allSatisfy((attack, log) -> assertThat(log)
                        .as(attack)
                        .contains("\nattacked\n")
                        .doesNotContain("\nLEAK", CommandProcess.TOKEN));
    }

    @Test
    void attacks_withoutIsolation_succeed() throws Exception {
        Map<String, String> logs = run("none");
        logs.remove("mount"); // only root can, or whom the kernel lets
        logs.remove("device");
        logs.remove("system");
        assertThat(logs).allSatisfy((attack, log) -> assertThat(log).as(attack).contains(SUCCESS));
        assertThat(logs.get("tokenByCommandLine")).contains(CommandProcess.TOKEN);
    }

    @Test
    void leftovers_inSandbox_endWithTheBuildAndWithTheAgent() throws Exception {
        String sleep = "9" + unique.replaceAll("[^0-9]", "").substring(0, 7);
        String leave = "(env -i setsid /bin/sleep " + sleep + " </dev/null >/dev/null 2>&1 &) ; sleep 0.1; ";
        try (Site site = new Site(folder.resolve("master"));
                AgentProcess agent = agent(site, "sandbox")) {
            BuildClient client = site.client();
            assertThat(Logs.end(submit(client, "master", leave + "pgrep sleep && echo there")
                                    .result())
                            .isSuccess())
                    .isTrue();
            assertThat(sleeping(sleep)).isZero();
            Build running = submit(client, "master", leave + "touch $WORKSPACE/there; sleep " + sleep);
            Waits.until("the script", () -> sleeping(sleep) == 2);
            agent.kill();
            Waits.until("the end of its processes", () -> sleeping(sleep) == 0);
            agent.start();
            Waits.until("the second attempt", () -> sleeping(sleep) == 2);
            assertThat(Logs.end(running.cancel("test"))).isTrue();
            Logs.end(running.result());
            Waits.until("the end of its processes", () -> sleeping(sleep) == 0);
        }
    }

    @Test
    void ordinaryScript_inSandbox_findsWhatItNeeds() throws Exception {
        String script = String.join(
                "; ",
                "set -e",
                "test $PWD = $SRCDIR",
                "git fetch --quiet",
                "git log --format=%s -1",
                "git status --porcelain",
                "touch $HOME/x $(mktemp) /var/tmp/y /dev/shm/z $WORKSPACE/of-victim",
                "test $(ls -A $HOME | wc -l) = 1",
                "test \"$(id -u)\" = $USER_ID",
                "test -z \"$SSH_AUTH_SOCK$TMPDIR\"",
                "python3 -c 'print(6*7)' || echo 42",
                "(sleep 0.01; echo out; echo err >&2; echo out)",
                "getent hosts localhost >/dev/null",
                "ls -A $WORKSPACE",
                "exit 7");
        try (Site site = new Site(folder.resolve("master"));
                AgentProcess agent = agent(site, "auto")) {
            BuildClient client = site.client();
            Build first = submit(client, "master", script);
            assertThat(Logs.text(first)).contains("\ntest\n", "\n42\nout\nerr\nout\nof-victim\nsrc\n");
            assertThat(Logs.end(first.result()).exitCode()).isEqualTo(7);
            Build second = submit(client, "master", "ls -A $WORKSPACE; kill -SEGV $$");
            assertThat(Logs.text(second)).contains("\nof-victim\nsrc\n");
            assertThat(Logs.end(second.result()).exitCode()).isEqualTo(139);
            assertThat(agent.isAlive()).isTrue();
        }
    }

    private Map<String, String> run(String isolation) throws Exception {
        Map<String, String> logs = new LinkedHashMap<>();
        try (Site site = new Site(folder.resolve("master"));
                AgentProcess agent = agent(site, isolation)) {
            BuildClient client = site.client();
            Logs.end(submit(client, "victim", "touch $WORKSPACE/of-victim").result());
            for (Map.Entry<String, String> attack : ATTACKS.entrySet()) {
                logs.put(attack.getKey(), Logs.text(submit(client, "other", attack.getValue())));
            }
            assertThat(agent.isAlive()).isTrue();
        }
        return logs;
    }

    private AgentProcess agent(Site site, String isolation) throws IOException {
        return new AgentProcess(
                List.of(
                        "env",
                        "HOME=" + folder.resolve("home"),
                        "AGENT_SECRET=of-agent",
                        "SSH_AUTH_SOCK=/tmp/no-agent"),
                System.getProperty("java.class.path"),
                folder,
                "agent",
                site.port(),
                List.of("--isolation", isolation, "-executors", "2"));
    }

    private Build submit(BuildClient client, String branch, String attack) throws IOException {
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put("ATTACK", attack);
        environment.put("FOLDER", folder.toString());
        environment.put("AGENT", folder.resolve("agent").toString());
        environment.put("HOME_OF_AGENT", folder.resolve("home").toString());
        environment.put("REMOTE", repo.folder().toString());
        environment.put("USER_ID", Files.getAttribute(folder, "unix:uid").toString());
        return client.submit(BuildRequest.of("git+" + repo.url(), branch, "build.sh")
                .environment(environment)
                .build());
    }

    private static long sleeping(String seconds) {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info().commandLine().orElse("").endsWith("sleep " + seconds))
                .count();
    }
}
