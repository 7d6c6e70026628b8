package dev.touchstone.builds.agent.process;

import dev.touchstone.builds.agent.limit.ControlGroup;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A process that was started, and all that it starts. One thread at a time, but for {@link #onExit}'s callback. */
public final class ProcessTree {
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long STEP_NANOS = TimeUnit.MICROSECONDS.toNanos(200);
    private static final Duration MAX_SIGNALLING = Duration.ofSeconds(2);

    private final Launcher launcher;
    private final Process process;
    private final Command command;
    private final long[] adoptedBefore;

    ProcessTree(Launcher launcher, Process process, Command command, long[] adoptedBefore) {
        this.launcher = launcher;
        this.process = process;
        this.command = command;
        this.adoptedBefore = adoptedBefore;
    }

    /**
     * The end of a tree.
     *
     * @param killed processes that had to be killed; 0 for a sandbox, whose processes the kernel kills before they can be counted
     * @param left processes that the kernel did not end in time
     */
    public record Ending(int killed, int left) {}

    /** Returns the pid of the first process. */
    public long pid() {
        return process.pid();
    }

    /** Runs {@code wake}, on a thread of the JDK's, when the first process has ended. */
    public void onExit(Runnable wake) {
        var unused = process.onExit().thenRun(wake);
    }

    /** Returns whether the first process runs. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Returns the exit code of the first process, which has ended; 128 and the signal's number if it was killed. */
    public int exitCode() {
        return process.exitValue();
    }

    /**
     * Waits for the end of a sandbox's first process, for at most two seconds. The program outside ends when it knows the command's exit code, and the
     * kernel kills the others only then.
     */
    public void awaitEnd(long first) {
        long start = System.nanoTime();
        for (ProcessTable.Entry entry = launcher.entry(first);
                entry != null && !entry.isDead() && System.nanoTime() - start < MAX_SIGNALLING.toNanos();
                entry = launcher.entry(first)) {
            LockSupport.parkNanos(this, STEP_NANOS);
        }
    }

    /** Kills what the first process, which has ended by itself, has left running. */
    public Ending sweep() {
        OrphanTracker orphanage = launcher.orphanage();
        ControlGroup group = command.group();
        boolean populated = group != null && group.isPopulated();
        if (!populated && orphanage != null && !orphanage.maybeLeft(adoptedBefore, belongings())) {
            return new Ending(0, 0);
        }
        Ending ending = killRest();
        return command.sandbox() == null ? ending : new Ending(0, ending.left());
    }

    /**
     * Ends all of it: asks with TERM, and kills what is left after {@code grace}. Returns when nothing of it is found any more.
     *
     * @param meanwhile called again and again
     */
    public Ending terminate(Duration grace, Runnable meanwhile) {
        long start = System.nanoTime();
        boolean asked = askAll();
        while (System.nanoTime() - start < grace.toNanos() && anyAlive()) {
            meanwhile.run();
            rest();
            asked = asked || askAll();
        }
        if (command.sandbox() == null) {
            signalGroup("KILL", process.pid());
        }
        process.destroyForcibly();
        awaitFirst();
        return killRest();
    }

    /** Waits for the first process or, that one gone, a moment. */
    private void rest() {
        if (!process.isAlive()) {
            LockSupport.parkNanos(this, LOOK_NANOS);
            return;
        }
        try {
            process.waitFor(LOOK_NANOS, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            LockSupport.parkNanos(this, LOOK_NANOS);
        }
    }

    private void awaitFirst() {
        boolean interrupted = Thread.interrupted();
        try {
            process.waitFor(MAX_SIGNALLING.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Asks all processes to end; returns false if a sandbox has not started its command yet, so that there is nobody to ask. */
    private boolean askAll() {
        if (command.sandbox() != null) {
            return askInside();
        }
        signalGroup("TERM", process.pid());
        if (!launcher.hasTable()) {
            process.descendants().forEach(ProcessHandle::destroy);
            process.destroy();
            return true;
        }
        askOthers(launcher.reaper().find(belongings()), process.pid());
        return true;
    }

    /**
     * Asks what runs inside the sandbox. The first process, which waits outside, would take everything with it at once. Its only child, the first
     * inside, leads the command's session, and the kernel lets no TERM through to that one.
     */
    private boolean askInside() {
        List<ProcessTable.Entry> inside = launcher.reaper().find(belongings()).stream()
                .filter(entry -> entry.pid() != process.pid())
                .toList();
        OptionalLong init = inside.stream()
                .filter(entry -> entry.parent() == process.pid())
                .mapToLong(ProcessTable.Entry::pid)
                .findFirst();
        if (init.isEmpty() || inside.size() < 2) {
            return false;
        }
        signalGroup("TERM", init.getAsLong());
        askOthers(inside, init.getAsLong());
        return true;
    }

    private void askOthers(List<ProcessTable.Entry> all, long group) {
        for (ProcessTable.Entry entry : all) {
            if (!launcher.hasSessions() || entry.group() != group) {
                Reaper.signal(entry, false);
            }
        }
    }

    private boolean anyAlive() {
        if (process.isAlive()) {
            return true;
        }
        return launcher.hasTable() && !launcher.reaper().find(belongings()).isEmpty();
    }

    /** Kills what is in the control group, and what is found by its signs: without a sandbox, a process can leave its group. */
    private Ending killRest() {
        ControlGroup group = command.group();
        int inGroup = group == null ? 0 : group.kill();
        if (!launcher.hasTable()) {
            List<ProcessHandle> descendants = process.descendants().toList();
            descendants.forEach(ProcessHandle::destroyForcibly);
            return new Ending(inGroup + descendants.size(), 0);
        }
        Reaper.Reaped reaped = launcher.reaper().killAll(belongings());
        return new Ending(inGroup + reaped.killed(), reaped.left());
    }

    /** Returns what tells the run's processes from others. The session's number is no other's while the first process was not waited for, or has company. */
    private Reaper.Belongings belongings() {
        return new Reaper.Belongings(
                launcher.hasSessions() ? process.pid() : 0,
                command.mark()::equals,
                command.sandbox() == null ? null : command.sandbox()::equals);
    }

    /**
     * Signals the whole group at once, which no look at single processes can: one that forks meanwhile is not missed. The JDK has no
     * call for it. Only while the first process runs, so that the group is this tree's.
     */
    private void signalGroup(String name, long group) {
        if (!launcher.hasSessions() || !process.isAlive()) {
            return;
        }
        try {
            QuietCommand.run(
                    List.of("sh", "-c", "kill -s \"$0\" -- \"-$1\"", name, Long.toString(group)), MAX_SIGNALLING);
        } catch (IOException e) {
            process.destroy(); // no process to be had: the first one is told, the others are found one by one
        }
    }
}
