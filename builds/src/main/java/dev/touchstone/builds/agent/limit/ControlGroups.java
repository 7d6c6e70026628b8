package dev.touchstone.builds.agent.limit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The control groups of an agent's builds, one for each, below the group in which the agent runs. Thread-safe.
 *
 * @see <a href="https://docs.kernel.org/admin-guide/cgroup-v2.html">Control Group v2</a>
 */
public final class ControlGroups implements AutoCloseable {
    /*
     * Who calls:  executors `begin`; whoever opens and closes the agent everything else.
     * Tree:       OWN/agent          the agent's processes: a group that hands controllers on has no processes of its own
     *             OWN/builds-NAME    hands the controllers on; NAME is of the agent's folder, so that this agent alone has it
     *             OWN/builds-NAME/n  a build
     * Root:       the root group of a machine hands on what it has although it has processes; they stay where they are.
     * Restart:    whatever is below OWN/builds-NAME when an agent begins is left over from an earlier life.
     */
    private static final String AGENT = "agent";
    private static final String CONTROL = "cgroup.subtree_control";
    private static final Path MOUNTS = Path.of("/proc/self/mountinfo");
    private static final Path MEMBERSHIP = Path.of("/proc/self/cgroup");
    private static final String ADVICE =
            "; run the agent as a service of systemd with Delegate=yes, or by systemd-run --user --scope -p Delegate=yes";

    private final Path builds;
    private final Limits limits;
    private final AtomicLong names = new AtomicLong();

    private ControlGroups(Path builds, Limits limits) {
        this.builds = builds;
        this.limits = limits;
    }

    /**
     * Prepares the groups, and ends what an earlier life of the agent has left in them.
     *
     * @param root folder of the agent; not null
     * @param limits of each build; not null
     * @throws LimitsMissingException if the agent has no group in which it can make others, or one that lacks a controller
     */
    public static ControlGroups open(Path root, Limits limits) throws LimitsMissingException {
        return open(own(), root, limits);
    }

    static ControlGroups open(Path own, Path root, Limits limits) throws LimitsMissingException {
        String name = "builds-" + UUID.nameUUIDFromBytes(root.toString().getBytes(StandardCharsets.UTF_8));
        ControlGroups groups = new ControlGroups(own.resolve(name), limits);
        try {
            groups.prepare(own);
        } catch (LimitsMissingException e) {
            throw e;
        } catch (IOException e) {
            throw new LimitsMissingException(
                    "the control group " + own + " is not the agent's to use: " + e.getMessage() + ADVICE, e);
        }
        return groups;
    }

    /**
     * Checks that this process could have groups with the limits. Changes nothing.
     *
     * @return the group in which it runs
     * @throws LimitsMissingException if it could not
     */
    public static Path check(Limits limits) throws LimitsMissingException {
        Path own = own();
        try {
            checkControllers(own, limits);
            checkProcesses(own);
        } catch (LimitsMissingException e) {
            throw e;
        } catch (IOException e) {
            throw new LimitsMissingException("the control group " + own + " cannot be read: " + e.getMessage(), e);
        }
        if (!Files.isWritable(own) || !Files.isWritable(own.resolve(ControlGroup.PROCESSES))) {
            throw new LimitsMissingException("the control group " + own + " cannot be written" + ADVICE);
        }
        return own;
    }

    /**
     * Makes the group of a build.
     *
     * @throws IOException if the group cannot be made
     */
    public ControlGroup begin() throws IOException {
        return ControlGroup.make(builds.resolve(Long.toString(names.getAndIncrement())), limits);
    }

    /** Kills what is in the groups, and removes them; the agent stays in its own. */
    @Override
    public void close() {
        new ControlGroup(builds, limits).close();
    }

    private void prepare(Path own) throws IOException {
        checkControllers(own, limits);
        if (Files.isDirectory(builds)) {
            close();
        }
        Files.createDirectories(builds);
        leave(own);
        List<String> missing = new ArrayList<>();
        for (String controller : limits.controllers()) {
            missing.add("+" + controller);
        }
        String all = String.join(" ", missing);
        ControlGroup.write(own.resolve(CONTROL), all);
        ControlGroup.write(builds.resolve(CONTROL), all);
    }

    /** Moves this process from its group into one below it, unless it is in the machine's root group. */
    private static void leave(Path own) throws IOException {
        if (checkProcesses(own)) {
            Path agent = Files.createDirectories(own.resolve(AGENT));
            ControlGroup.write(
                    agent.resolve(ControlGroup.PROCESSES),
                    Long.toString(ProcessHandle.current().pid()));
        }
    }

    /** Returns whether this process has to leave its group; it must be alone there then. */
    private static boolean checkProcesses(Path own) throws IOException {
        if (!Files.exists(own.resolve("cgroup.type"))) {
            return false; // only the root group has no type
        }
        String self = Long.toString(ProcessHandle.current().pid());
        List<String> others = Files.readAllLines(own.resolve(ControlGroup.PROCESSES)).stream()
                .filter(pid -> !pid.equals(self))
                .toList();
        if (!others.isEmpty()) {
            throw new LimitsMissingException(
                    "the control group " + own + " has other processes than the agent: pids=" + others + ADVICE);
        }
        return true;
    }

    private static void checkControllers(Path own, Limits limits) throws IOException {
        List<String> has = List.of(
                Files.readString(own.resolve("cgroup.controllers")).strip().split(" ", -1));
        for (String controller : limits.controllers()) {
            if (!has.contains(controller)) {
                throw new LimitsMissingException("the control group " + own + " lacks the controller " + controller
                        + ": has=" + has + "; version 1 may have it, or the group above does not hand it on");
            }
        }
    }

    /** Returns the folder of the group in which this process runs. */
    private static Path own() throws LimitsMissingException {
        try {
            Path group = own(
                    Files.readAllLines(MOUNTS, StandardCharsets.ISO_8859_1),
                    Files.readAllLines(MEMBERSHIP, StandardCharsets.ISO_8859_1));
            return above(group);
        } catch (LimitsMissingException e) {
            throw e;
        } catch (IOException e) {
            throw new LimitsMissingException("this machine has no control groups: " + e.getMessage(), e);
        }
    }

    /** Returns the folder that the lines of {@code mountinfo} and {@code cgroup} name, as proc(5) and cgroups(7) describe them. */
    static Path own(List<String> mounts, List<String> membership) throws LimitsMissingException {
        String group = membership.stream()
                .filter(line -> line.startsWith("0::/"))
                .map(line -> line.substring(3))
                .findFirst()
                .orElseThrow(() -> new LimitsMissingException(
                        "this machine has no control groups of version 2: /proc/self/cgroup has no line 0::"));
        for (String mount : mounts) {
            String[] fields = mount.split(" ", -1);
            if (fields.length > 5 && mount.contains(" - cgroup2 ") && (group + "/").startsWith(slash(fields[3]))) {
                String below = group.substring(
                        Math.min(group.length(), slash(fields[3]).length()));
                return Path.of(fields[4]).resolve(below);
            }
        }
        throw new LimitsMissingException("no file system of type cgroup2 shows the agent's group " + group);
    }

    /** Returns the group that is left for one called agent: by an earlier agent of this process, or by systemd with DelegateSubgroup=agent. */
    static Path above(Path group) {
        Path parent = group.getParent();
        return parent != null && group.endsWith(AGENT) && Files.isWritable(parent.resolve(CONTROL)) ? parent : group;
    }

    private static String slash(String path) {
        return path.endsWith("/") ? path : path + "/";
    }
}
