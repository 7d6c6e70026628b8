package dev.touchstone.builds.agent.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.builds.agent.Waits;
import dev.touchstone.builds.agent.isolation.Isolation;
import dev.touchstone.builds.agent.isolation.IsolationOptions;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The contract of process trees, here without isolation. */
@Timeout(120)
class ProcessTreeTest {
    private static final Map<String, String> ENVIRONMENT = Map.of("PATH", System.getenv("PATH"));

    private final Launcher launcher = Launcher.detect(ENVIRONMENT);
    private final ProcessTable table = new ProcessTable();
    private final Reaper reaper = new Reaper(table);
    private final String mark = UUID.randomUUID().toString();

    @TempDir
    Path tmp;

    /** Folder of what a sandbox reports, which no script sees. */
    @TempDir
    Path reports;

    private Isolation isolation;

    @BeforeEach
    void openIsolation() throws IOException {
        isolation = Isolation.of(options(), ENVIRONMENT, List.of());
    }

    /** Returns the isolation of the scripts. */
    IsolationOptions options() throws IOException {
        return IsolationOptions.NONE;
    }

    /** Returns the command as it is started. */
    Command confined(Command command) throws IOException {
        return command;
    }

    /** Returns how many processes a sweep counts as killed that finds some. */
    int swept(int processes) {
        return processes;
    }

    /** Returns whether only processes of the script have a mount point. */
    boolean isOwn(Path mount) {
        return false;
    }

    @Test
    void sweep_nothingLeft_killsNothing() throws IOException {
        ProcessTree tree = ended("true");
        assertThat(tree.exitCode()).isZero();
        assertThat(sweep(tree)).isEqualTo(new ProcessTree.Ending(0, 0));
    }

    @Test
    void sweep_backgroundChildren_areKilled() throws IOException {
        ProcessTree tree =
                ended("sleep 300 & disown; setsid sleep 300 & (sleep 300 &) ; nohup sleep 300 >/dev/null & exit 3");
        assertThat(tree.exitCode()).isEqualTo(3);
        assertThat(sweep(tree).killed()).isEqualTo(swept(4));
        assertThat(left()).isEmpty();
    }

    @Test
    void sweep_childOfDetachedChildWithoutMark_isKilledThroughItsSession() throws IOException {
        ProcessTree tree = ended("env -i " + Programs.find("sleep", ENVIRONMENT).orElseThrow() + " 300 & exit 0");
        assertThat(sweep(tree).killed()).isEqualTo(swept(1));
        assertThat(left()).isEmpty();
    }

    @Test
    void terminate_scriptThatTraps_mayEndInItsOwnWay() throws IOException {
        Path said = tmp.resolve("said");
        ProcessTree tree = start(
                "trap 'echo bye > " + said + "; exit 5' TERM; touch " + tmp + "/ready; while :; do sleep 0.05; done");
        Waits.until("the trap", () -> Files.exists(tmp.resolve("ready")));
        tree.terminate(Duration.ofSeconds(20), () -> {});
        assertThat(said).hasContent("bye");
        assertThat(tree.exitCode()).isEqualTo(5);
        assertThat(left()).isEmpty();
    }

    @Test
    void terminate_allThatIgnoreTerm_areKilledAfterTheGrace() throws IOException {
        ProcessTree tree = start("trap '' TERM; (setsid bash -c \"trap '' TERM; touch " + tmp
                + "/inner; while :; do sleep 1; done\" &) ; touch " + tmp + "/ready; while :; do sleep 1; done");
        Waits.until("both", () -> Files.exists(tmp.resolve("ready")) && Files.exists(tmp.resolve("inner")));
        int[] looked = new int[1];
        tree.terminate(Duration.ofSeconds(2), () -> looked[0]++);
        assertThat(looked[0]).isPositive();
        assertThat(tree.exitCode()).isEqualTo(137);
        assertThat(left()).isEmpty();
    }

    @Test
    void terminate_processesThatForkOnAndOn_leavesNone() throws IOException {
        ProcessTree tree =
                start("f() { sleep 0.02; f & }; f & f & f & touch " + tmp + "/ready; while :; do sleep 1; done");
        Waits.until("forks", () -> Files.exists(tmp.resolve("ready")));
        tree.terminate(Duration.ZERO, () -> {});
        assertThat(left()).isEmpty();
    }

    @Test
    void reap_leaderOfAnotherLife_isKilledWithItsSession() throws IOException {
        ProcessTree tree = start("env -i " + Programs.find("sleep", ENVIRONMENT).orElseThrow() + " 300");
        ProcessId id = launcher.identify(tree.pid()).orElseThrow();
        assertThat(launcher.reap(
                        Set.of("other"),
                        List.of(new ProcessId(id.pid(), id.startTicks() + 1, id.bootId())),
                        mount -> false))
                .isZero();
        assertThat(tree.isAlive()).isTrue();
        assertThat(launcher.reap(Set.of(mark), List.of(id), this::isOwn)).isPositive();
        Waits.until("its end", () -> !tree.isAlive());
    }

    final ProcessTree ended(String script) throws IOException {
        ProcessTree tree = start(script);
        Waits.until("the end of " + script, () -> !tree.isAlive());
        return tree;
    }

    private ProcessTree start(String script) throws IOException {
        Path bash = Programs.find("bash", ENVIRONMENT).orElseThrow();
        Command command = new Command(List.of(bash.toString(), "-c", script), tmp, ENVIRONMENT, Redirect.DISCARD, mark);
        return launcher.start(confined(isolation.enclose(command, tmp, List.of(), report())));
    }

    final ProcessTree.Ending sweep(ProcessTree tree) throws IOException {
        isolation.firstInside(report()).ifPresent(tree::awaitEnd);
        return tree.sweep();
    }

    private Path report() {
        return reports.resolve("report");
    }

    private List<ProcessTable.Entry> left() {
        return reaper.find(new Reaper.Belongings(0, mark::equals, this::isOwn));
    }
}
