package dev.touchstone.builds.agent.process;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Starts processes, each in a session of its own and with a mark in its environment, so that all of it can be ended. Thread-safe. */
public final class Launcher {
    /** The environment variable that all processes of a run inherit. A process that is meant to outlive its build unsets it in a session of its own. */
    public static final String MARK = "BUILDS_JOB_MARK";

    private static final File NOTHING = new File(File.separatorChar == '/' ? "/dev/null" : "NUL");

    private final ProcessTable table = new ProcessTable();
    private final Reaper reaper = new Reaper(table);
    private final @Nullable Path setsid;
    private final @Nullable OrphanTracker orphanage;
    private final boolean hasTable;

    private Launcher(@Nullable Path setsid) {
        this.setsid = setsid;
        this.hasTable = table.isAvailable();
        this.orphanage = hasTable && setsid != null ? OrphanTracker.find(table) : null;
    }

    /** Looks at what this machine has, on the PATH of {@code environment} too. */
    public static Launcher detect(Map<String, String> environment) {
        return new Launcher(Programs.find("setsid", environment).orElse(null));
    }

    /** Starts a command; its input is empty. */
    public ProcessTree start(Command command) throws LaunchException {
        Path program = Path.of(command.words().get(0));
        if (!Files.isExecutable(program)) {
            throw new LaunchException(
                    command, new NoSuchFileException(program.toString())); // setsid would say so to the log only
        }
        long[] before = orphanage == null ? new long[0] : orphanage.children();
        List<String> words = new ArrayList<>();
        if (setsid != null) {
            words.add(setsid.toString());
        }
        words.addAll(command.words());
        ProcessBuilder builder = new ProcessBuilder(words)
                .directory(command.folder().toFile())
                .redirectInput(Redirect.from(NOTHING))
                .redirectErrorStream(true)
                .redirectOutput(command.output());
        builder.environment().clear();
        builder.environment().putAll(command.environment());
        builder.environment().put(MARK, command.mark());
        try {
            return new ProcessTree(this, builder.start(), command, before);
        } catch (IOException e) {
            throw new LaunchException(command, e);
        }
    }

    /**
     * Kills what an earlier life of the agent left running.
     *
     * @param marks of its runs
     * @param leaders the first processes of its runs
     * @param sandboxes tells the mount points that only sandboxes of its runs have
     * @return number of processes killed
     */
    public int reap(Set<String> marks, List<ProcessId> leaders, Predicate<Path> sandboxes) {
        if (!hasTable) {
            return 0;
        }
        int killed = 0;
        for (ProcessId leader : leaders) {
            if (leader.equals(identify(leader.pid()).orElse(null))) {
                killed += reaper.killAll(new Reaper.Belongings(leader.pid(), marks::contains, sandboxes))
                        .killed();
            }
        }
        return killed
                + reaper.killAll(new Reaper.Belongings(0, marks::contains, sandboxes))
                        .killed();
    }

    /** Returns what names the process for as long as the machine runs, and is no other's after that; empty if it has ended. */
    public Optional<ProcessId> identify(long pid) {
        ProcessTable.Entry entry = table.entry(pid);
        return entry == null || entry.isDead()
                ? Optional.empty()
                : Optional.of(new ProcessId(pid, entry.startTicks(), table.bootId()));
    }

    ProcessTable.@Nullable Entry entry(long pid) {
        return table.entry(pid);
    }

    Reaper reaper() {
        return reaper;
    }

    @Nullable
    OrphanTracker orphanage() {
        return orphanage;
    }

    boolean hasTable() {
        return hasTable;
    }

    boolean hasSessions() {
        return setsid != null;
    }
}
