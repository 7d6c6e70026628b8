package dev.touchstone.builds.agent.process;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Tells cheaply that a script has left nothing behind: when its first process ends, all that it leaves becomes a child of one other process,
 * and a child of those is below them. A list of that one's children is some microseconds; a look at every process of the machine is not.
 */
final class OrphanTracker {
    /*
     * Who adopts: process 1, or an ancestor of the agent that asked the kernel for it. Nothing says which, so one orphan is made and looked at.
     * Timing:     children are handed over before the end of their parent is told, so after waitFor they are all in the list.
     * Limits:     the list is not a snapshot: a child that forks and ends while it is read can be missed. So it is read twice, and whoever
     *             needs certainty looks at all processes.
     */
    private final ProcessTable table;
    private final long adopter;

    private OrphanTracker(ProcessTable table, long adopter) {
        this.table = table;
        this.adopter = adopter;
    }

    /** Finds the adopter by an orphan that is made for it; null where that cannot be told. */
    static @Nullable OrphanTracker find(ProcessTable table) {
        ProcessBuilder parent = new ProcessBuilder("sh", "-c", "sleep 20 >/dev/null 2>&1 & echo $!")
                .redirectInput(Redirect.from(new File("/dev/null")))
                .redirectError(Redirect.DISCARD);
        try {
            Process process = parent.start();
            String said = new String(process.getInputStream().readNBytes(20), StandardCharsets.US_ASCII).strip();
            process.waitFor();
            return said.matches("[0-9]{1,18}") ? of(table, Long.parseLong(said)) : null;
        } catch (IOException e) {
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    /** Returns the present children of the adopter; for {@link #maybeLeft}. */
    long[] children() {
        long[] children = table.children(adopter);
        return children == null ? new long[0] : children;
    }

    /**
     * Returns whether the run whose first process has ended may have left something.
     *
     * @param before children of the adopter when the run began; those are not its
     */
    boolean maybeLeft(long[] before, Reaper.Belongings run) {
        boolean left = anyLeft(before, run);
        return left || anyLeft(before, run); // what was between two others may have been passed over
    }

    private boolean anyLeft(long[] before, Reaper.Belongings run) {
        long[] now = table.children(adopter);
        if (now == null) {
            return true;
        }
        for (long pid : now) {
            if (Arrays.stream(before).noneMatch(old -> old == pid) && isOf(pid, run)) {
                return true;
            }
        }
        return false;
    }

    private boolean isOf(long pid, Reaper.Belongings run) {
        ProcessTable.Entry entry = table.entry(pid);
        return entry != null && !entry.isDead() && run.include(table, entry);
    }

    private static @Nullable OrphanTracker of(ProcessTable table, long orphan) {
        ProcessTable.Entry entry = table.entry(orphan);
        if (entry == null) {
            return null;
        }
        long[] siblings = table.children(entry.parent());
        Reaper.signal(entry, true);
        boolean listed = siblings != null && Arrays.stream(siblings).anyMatch(pid -> pid == orphan);
        return listed ? new OrphanTracker(table, entry.parent()) : null;
    }
}
