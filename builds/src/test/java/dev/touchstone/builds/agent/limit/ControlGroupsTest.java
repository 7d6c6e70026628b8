package dev.touchstone.builds.agent.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Control groups in an ordinary folder, which shows what the kernel is told. */
class ControlGroupsTest {
    private static final Limits LIMITS = new Limits(64 << 20, 100, 1.5);
    private static final Path ROOT = Path.of("/agent");
    private static final String OWN_PID = Long.toString(ProcessHandle.current().pid());

    @TempDir
    Path own;

    @BeforeEach
    void pretendToBeAGroup() throws IOException {
        write("cgroup.controllers", "cpuset cpu memory pids\n");
        write("cgroup.type", "domain\n");
        write("cgroup.procs", OWN_PID + "\n");
    }

    private void write(String file, String text) throws IOException {
        Files.writeString(own.resolve(file), text);
    }

    private String read(String file) throws IOException {
        return Files.readString(own.resolve(file));
    }

    private Path builds() throws IOException {
        try (var children = Files.list(own)) {
            return children.filter(path -> path.getFileName().toString().startsWith("builds-"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void open_handsControllersOn_afterTheAgentHasLeftTheGroup() throws IOException {
        var unused = ControlGroups.open(own, ROOT, LIMITS);
        assertThat(read("agent/cgroup.procs")).isEqualTo(OWN_PID);
        assertThat(read("cgroup.subtree_control")).isEqualTo("+memory +pids +cpu");
        assertThat(builds().resolve("cgroup.subtree_control")).hasContent("+memory +pids +cpu");
    }

    @Test
    void above_groupThatTheAgentMade_isTheOneBefore() throws IOException {
        var unused = ControlGroups.open(own, ROOT, LIMITS);
        assertThat(ControlGroups.above(own.resolve("agent"))).isEqualTo(own);
        assertThat(ControlGroups.above(own)).isEqualTo(own);
        Path other = Files.createDirectories(own.resolve("others/agent"));
        assertThat(ControlGroups.above(other)).isEqualTo(other);
        write("cgroup.procs", "");
        assertThat(ControlGroups.open(own, Path.of("/other"), new Limits(0, 7, 0)))
                .isNotNull();
        assertThat(read("cgroup.subtree_control")).isEqualTo("+pids");
    }

    @Test
    void open_rootGroup_leavesTheAgentThere() throws IOException {
        Files.delete(own.resolve("cgroup.type"));
        write("cgroup.procs", "1\n2\n");
        var unused = ControlGroups.open(own, ROOT, LIMITS);
        assertThat(own.resolve("agent")).doesNotExist();
    }

    @Test
    void open_groupOfOthersToo_isRefused() throws IOException {
        write("cgroup.procs", OWN_PID + "\n77\n");
        assertThatThrownBy(() -> ControlGroups.open(own, ROOT, LIMITS))
                .isInstanceOf(LimitsMissingException.class)
                .hasMessageContainingAll("other processes than the agent: pids=[77]", "Delegate=yes");
    }

    @Test
    void open_controllerThatIsMissing_isRefused() throws IOException {
        write("cgroup.controllers", "cpu pids\n");
        assertThatThrownBy(() -> ControlGroups.open(own, ROOT, LIMITS))
                .isInstanceOf(LimitsMissingException.class)
                .hasMessageContainingAll("lacks the controller memory", "has=[cpu, pids]");
        var unused = ControlGroups.open(own, ROOT, new Limits(0, 1, 1));
        assertThat(read("cgroup.subtree_control")).isEqualTo("+pids +cpu");
    }

    @Test
    void begin_writesTheLimits() throws IOException {
        ControlGroups groups = ControlGroups.open(own, ROOT, LIMITS);
        ControlGroup group = groups.begin();
        Path folder = builds().resolve("0");
        assertThat(folder.resolve("memory.max")).hasContent("67108864");
        assertThat(folder.resolve("memory.oom.group")).hasContent("1");
        assertThat(folder.resolve("pids.max")).hasContent("100");
        assertThat(folder.resolve("cpu.max")).hasContent("150000 100000");
        assertThat(group.entered(List.of("/bin/true", "x")))
                .endsWith(folder.resolve("cgroup.procs").toString(), "/bin/true", "x");
        var unused = groups.begin();
        assertThat(builds().resolve("1")).isDirectory();
    }

    @Test
    void met_readsWhatTheKernelCounted() throws IOException {
        ControlGroup group = ControlGroups.open(own, ROOT, LIMITS).begin();
        Path folder = builds().resolve("0");
        Files.writeString(folder.resolve("memory.events"), "low 0\nmax 7\noom 1\noom_kill 0\n");
        Files.writeString(folder.resolve("pids.events"), "max 0\n");
        assertThat(group.met()).isEmpty();
        Files.writeString(folder.resolve("memory.events"), "low 0\nmax 7\noom 1\noom_kill 3\n");
        Files.writeString(folder.resolve("pids.events"), "max 12\n");
        assertThat(group.met())
                .containsExactly(
                        "memory: all processes were killed, which wanted more than 67108864 bytes",
                        "processes: 12 were refused beyond 100 at a time");
    }

    /** An ordinary folder cannot be removed as long as it has files, as a group with a process that is about to end cannot. */
    @Test
    void close_groupThatIsBusyForAMoment_removesItThen() throws Exception {
        ControlGroup group = ControlGroups.open(own, ROOT, LIMITS).begin();
        Path folder = builds().resolve("0");
        Thread closing = new Thread(group::close);
        closing.start();
        while (closing.getState() != Thread.State.TIMED_WAITING && closing.getState() != Thread.State.TERMINATED) {
            LockSupport.parkNanos(100_000); // until it has failed once
        }
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        closing.join();
        assertThat(folder).doesNotExist();
    }

    @Test
    void checkEntered_groupThatUsedNoProcessor_fails() throws IOException {
        ControlGroup group = ControlGroups.open(own, ROOT, LIMITS).begin();
        Path stat = builds().resolve("0/cpu.stat");
        Files.writeString(stat, "usage_usec 0\nuser_usec 0\n");
        assertThatThrownBy(group::checkEntered).isInstanceOf(IOException.class).hasMessageContaining("could not enter");
        Files.writeString(stat, "usage_usec 1\nuser_usec 0\n");
        group.checkEntered();
    }

    @Test
    void own_isFoundBelowTheMountPoint() throws IOException {
        String whole = "30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate";
        assertThat(ControlGroups.own(
                        List.of("1 1 0:1 / / rw - ext4 a rw", whole), List.of("0::/system.slice/builds.service")))
                .isEqualTo(Path.of("/sys/fs/cgroup/system.slice/builds.service"));
        assertThat(ControlGroups.own(List.of(whole), List.of("8:pids:/x", "0::/")))
                .isEqualTo(Path.of("/sys/fs/cgroup"));
        String part = "30 23 0:26 /docker/a /sys/fs/cgroup ro - cgroup2 cgroup rw";
        assertThat(ControlGroups.own(List.of(part), List.of("0::/docker/a/b"))).isEqualTo(Path.of("/sys/fs/cgroup/b"));
        assertThat(ControlGroups.own(List.of(part), List.of("0::/docker/a"))).isEqualTo(Path.of("/sys/fs/cgroup"));
        assertThatThrownBy(() -> ControlGroups.own(List.of(part), List.of("0::/docker/ab")))
                .hasMessageContaining("shows the agent's group /docker/ab");
        assertThatThrownBy(() -> ControlGroups.own(List.of(whole), List.of("8:pids:/x")))
                .hasMessageContaining("no control groups of version 2");
    }

    @Test
    void limits_beyondTheirRanges_areRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Limits(Limits.MIN_MEMORY_BYTES - 1, 0, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new Limits(-1, 0, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new Limits(0, -1, 0));
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> new Limits(0, Limits.MAX_PROCESSES + 1, 0)); // which the kernel refuses for each build
        assertThatIllegalArgumentException().isThrownBy(() -> new Limits(0, 0, 0.009));
        assertThatIllegalArgumentException().isThrownBy(() -> new Limits(0, 0, 10_000.1));
        assertThatIllegalArgumentException().isThrownBy(() -> new Limits(0, 0, Double.NaN));
        assertThat(new Limits(Limits.MIN_MEMORY_BYTES, 1, Limits.MIN_CPUS).controllers())
                .containsExactly("memory", "pids", "cpu");
    }
}
