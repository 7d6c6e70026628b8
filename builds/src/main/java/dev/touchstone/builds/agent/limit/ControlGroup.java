package dev.touchstone.builds.agent.limit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The control group of one build. One thread at a time. */
public final class ControlGroup implements AutoCloseable {
    /*
     * Entering: a shell enters before it becomes the command, so that there is no moment in which the command could start a process outside.
     * Kernel:   cgroup.kill is of Linux 5.14. Before it, processes are ended as those of a build without a group are. A group in which a process is
     *           about to end is busy for a moment after the kill.
     */
    static final String PROCESSES = "cgroup.procs";

    private static final System.Logger LOGGER = System.getLogger(ControlGroup.class.getName());
    private static final List<String> ENTERING = List.of("/bin/sh", "-c", "echo 0 >\"$0\" && exec \"$@\"");
    private static final long PERIOD_MICROS = 100_000;
    private static final long STEP_NANOS = TimeUnit.MICROSECONDS.toNanos(200);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5); // before a group is removed again
    private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Path folder;
    private final Limits limits;

    ControlGroup(Path folder, Limits limits) {
        this.folder = folder;
        this.limits = limits;
    }

    static ControlGroup make(Path folder, Limits limits) throws IOException {
        Files.createDirectory(folder);
        if (limits.memoryBytes() != 0) {
            write(folder.resolve("memory.max"), Long.toString(limits.memoryBytes()));
            write(folder.resolve("memory.oom.group"), "1");
            if (Files.exists(folder.resolve("memory.swap.max"))) {
                write(folder.resolve("memory.swap.max"), "0");
            }
        }
        if (limits.processes() != 0) {
            write(folder.resolve("pids.max"), Long.toString(limits.processes()));
        }
        if (limits.cpus() != 0) {
            write(folder.resolve("cpu.max"), Math.round(limits.cpus() * PERIOD_MICROS) + " " + PERIOD_MICROS);
        }
        return new ControlGroup(folder, limits);
    }

    /** Returns the words of a program that enters this group and then becomes the command. */
    public List<String> entered(List<String> command) {
        List<String> words = new ArrayList<>(ENTERING);
        words.add(folder.resolve(PROCESSES).toString());
        words.addAll(command);
        return words;
    }

    /**
     * Checks that a command, which has ended, was in this group.
     *
     * @throws IOException if it could not enter
     */
    public void checkEntered() throws IOException {
        if (count("cpu.stat", "usage_usec") == 0) {
            throw new IOException(
                    "the script could not enter its control group " + folder + "; the log's last lines say why");
        }
    }

    /** Returns whether a process is in this group. */
    public boolean isPopulated() {
        try {
            return count("cgroup.events", "populated") != 0;
        } catch (IOException e) {
            LOGGER.log(System.Logger.Level.WARNING, "control group " + folder + " cannot be read", e);
            return false;
        }
    }

    /**
     * Kills all processes in this group at once, and waits for their end, for at most ten seconds. Does nothing where the kernel has no call for it.
     *
     * @return the number of processes that there were
     */
    public int kill() {
        try {
            int killed = processes();
            write(folder.resolve("cgroup.kill"), "1");
            long start = System.nanoTime();
            while (isPopulated() && System.nanoTime() - start < MAX_NANOS) {
                LockSupport.parkNanos(this, STEP_NANOS);
            }
            return killed;
        } catch (IOException e) {
            return 0; // an older kernel
        }
    }

    /** Returns a sentence for each limit that the processes met; empty if they met none. */
    public List<String> met() {
        List<String> met = new ArrayList<>();
        try {
            if (limits.memoryBytes() != 0 && count("memory.events", "oom_kill") != 0) {
                met.add("memory: all processes were killed, which wanted more than " + limits.memoryBytes() + " bytes");
            }
            if (limits.processes() != 0) {
                long refused = count("pids.events", "max");
                if (refused != 0) {
                    met.add(String.format(
                            Locale.ROOT,
                            "processes: %d were refused beyond %d at a time",
                            refused,
                            limits.processes()));
                }
            }
        } catch (IOException e) {
            LOGGER.log(System.Logger.Level.WARNING, "control group " + folder + " cannot be read", e);
        }
        return met;
    }

    /** Kills what is in this group, and removes it; tries again for at most ten seconds, since it may be busy for a moment. */
    @Override
    public void close() {
        long start = System.nanoTime();
        if (isPopulated()) {
            kill();
        }
        IOException failure = remove();
        while (failure != null && System.nanoTime() - start < MAX_NANOS) {
            LockSupport.parkNanos(this, PAUSE_NANOS);
            failure = remove();
        }
        if (failure != null) {
            LOGGER.log(System.Logger.Level.WARNING, "control group cannot be removed: folder=" + folder, failure);
        }
    }

    /** Removes this group and those in it; returns why that cannot be, null if they are gone. */
    private @Nullable IOException remove() {
        try (Stream<Path> all = Files.walk(folder)) {
            List<Path> groups = all.filter(Files::isDirectory)
                    .sorted(Comparator.reverseOrder())
                    .toList();
            for (Path group : groups) {
                Files.deleteIfExists(group);
            }
            return null;
        } catch (NoSuchFileException e) {
            return null; // somebody else has removed it
        } catch (IOException e) {
            return e;
        } catch (UncheckedIOException e) { // of the walk
            return e.getCause();
        }
    }

    static void write(Path file, String text) throws IOException {
        Files.writeString(file, text);
    }

    private int processes() throws IOException {
        int number = 0;
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path group : (Iterable<Path>) all.filter(Files::isDirectory)::iterator) {
                number += Files.readAllLines(group.resolve(PROCESSES)).size();
            }
        }
        return number;
    }

    /** Returns the number behind a name in a file of lines of a name and a number; 0 if there is no such line. */
    private long count(String file, String name) throws IOException {
        for (String line : Files.readAllLines(folder.resolve(file), StandardCharsets.ISO_8859_1)) {
            if (line.startsWith(name + " ")) {
                return Long.parseLong(line.substring(name.length() + 1));
            }
        }
        return 0;
    }
}
