package dev.touchstone.builds.agent.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Finds and kills what belongs to a run: by session, by mark, by sandbox, and by descent from these. */
final class Reaper {
    private static final int EMPTY_PASSES = 2;
    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final ProcessTable table;
    private final long self = ProcessHandle.current().pid();

    Reaper(ProcessTable table) {
        this.table = table;
    }

    /**
     * The signs by which processes of a run are known.
     *
     * @param session pid of the run's first process, which leads its session; 0 if that number may be another's by now
     * @param sandbox tells the mount points that only processes of the run have; null if it has no sandbox
     */
    record Belongings(
            long session, Predicate<String> mark, @Nullable Predicate<Path> sandbox) {
        /** Returns whether the process is the run's by itself, whatever its parent is. */
        boolean include(ProcessTable table, ProcessTable.Entry entry) {
            if (session != 0 && (entry.session() == session || entry.group() == session)) {
                return true;
            }
            String found = table.mark(entry.pid());
            return (found != null && mark.test(found)) || (sandbox != null && table.hasMount(entry.pid(), sandbox));
        }
    }

    /** Killed processes, and those that could not be killed in ten seconds. */
    record Reaped(int killed, int left) {}

    /** Returns all processes that live and belong to the run, the first process too. */
    List<ProcessTable.Entry> find(Belongings run) {
        List<ProcessTable.Entry> all = table.all();
        Map<Long, List<ProcessTable.Entry>> children = new HashMap<>();
        List<ProcessTable.Entry> found = new ArrayList<>();
        Set<Long> seen = new HashSet<>(Set.of(self));
        for (ProcessTable.Entry entry : all) {
            children.computeIfAbsent(entry.parent(), parent -> new ArrayList<>())
                    .add(entry);
            if (entry.pid() != self && run.include(table, entry) && seen.add(entry.pid())) {
                found.add(entry);
            }
        }
        for (int i = 0; i < found.size(); i++) {
            for (ProcessTable.Entry child : children.getOrDefault(found.get(i).pid(), List.of())) {
                if (seen.add(child.pid())) {
                    found.add(child);
                }
            }
        }
        return found;
    }

    /** Kills until two passes in a row find nothing: what is killed may have forked a moment before. */
    Reaped killAll(Belongings run) {
        Set<Long> killed = new HashSet<>();
        long start = System.nanoTime();
        List<ProcessTable.Entry> found = List.of();
        for (int empty = 0; empty < EMPTY_PASSES; ) {
            found = find(run);
            empty = found.isEmpty() ? empty + 1 : 0;
            for (ProcessTable.Entry entry : found) {
                signal(entry, true);
                killed.add(entry.pid());
            }
            if (!found.isEmpty()) {
                if (System.nanoTime() - start > MAX_NANOS) {
                    break;
                }
                LockSupport.parkNanos(this, STEP_NANOS);
            }
        }
        return new Reaped(killed.size(), found.size());
    }

    /** Asks one process to end, or forces it; its handle sees to it that a later process with the same number is safe. */
    static void signal(ProcessTable.Entry entry, boolean force) {
        ProcessHandle.of(entry.pid()).ifPresent(process -> {
            if (force) {
                process.destroyForcibly();
            } else {
                process.destroy();
            }
        });
    }
}
