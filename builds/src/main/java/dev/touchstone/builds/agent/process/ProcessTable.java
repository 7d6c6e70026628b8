package dev.touchstone.builds.agent.process;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The kernel's table of processes, read from {@code /proc}. Processes that end while they are read are left out. */
final class ProcessTable {
    private static final int MAX_ENVIRONMENT_BYTES = 8 << 20;
    private static final byte[] MARK = (Launcher.MARK + "=").getBytes(StandardCharsets.US_ASCII);
    private static final int MAX_MOUNTS_BYTES = 8 << 20;
    private static final Pattern OCTAL = Pattern.compile("\\\\([0-7]{3})");
    private static final int STATE = 0;
    private static final int PARENT = 1;
    private static final int GROUP = 2;
    private static final int SESSION = 3;
    private static final int START = 19;

    private final File proc;

    ProcessTable() {
        this(new File("/proc"));
    }

    ProcessTable(File proc) {
        this.proc = proc;
    }

    /**
     * An entry of the table.
     *
     * @param startTicks when it started, in ticks since the machine did; with the pid it names one process of this boot
     */
    record Entry(long pid, char state, long parent, long group, long session, long startTicks) {
        boolean isDead() {
            return state == 'Z' || state == 'X' || state == 'x';
        }
    }

    boolean isAvailable() {
        return new File(proc, "self/stat").canRead();
    }

    /** Returns all processes that live. */
    List<Entry> all() {
        List<Entry> found = new ArrayList<>();
        String[] names = proc.list();
        if (names == null) {
            return found;
        }
        for (String name : names) {
            if (name.charAt(0) >= '1' && name.charAt(0) <= '9') {
                Entry entry = entry(Long.parseLong(name));
                if (entry != null && !entry.isDead()) {
                    found.add(entry);
                }
            }
        }
        return found;
    }

    /** Returns the process with that pid, dead or alive, or null if there is none. */
    @Nullable
    Entry entry(long pid) {
        byte[] stat = read(pid + "/stat", 4096);
        if (stat == null) {
            return null;
        }
        String text = new String(stat, StandardCharsets.ISO_8859_1);
        int name = text.lastIndexOf(')'); // the program's name may hold anything, parentheses too
        if (name < 0) {
            return null;
        }
        String[] fields = text.substring(name + 2).split(" ", START + 2);
        if (fields.length <= START) {
            return null;
        }
        return new Entry(
                pid,
                fields[STATE].charAt(0),
                Long.parseLong(fields[PARENT]),
                Long.parseLong(fields[GROUP]),
                Long.parseLong(fields[SESSION]),
                Long.parseLong(fields[START]));
    }

    /** Returns the mark in the process's environment, or null if it has none or may not be asked. */
    @Nullable
    String mark(long pid) {
        byte[] environment = read(pid + "/environ", MAX_ENVIRONMENT_BYTES);
        return environment == null ? null : mark(environment);
    }

    /**
     * Returns whether the process is in another mount namespace than the agent, with such a mount point in it. Programs in a sandbox can change
     * their environment, session and parent, but not this.
     */
    boolean hasMount(long pid, Predicate<Path> mountPoint) {
        String namespace = mounts(Long.toString(pid));
        if (namespace.isEmpty() || namespace.equals(mounts("self"))) {
            return false;
        }
        byte[] mounts = read(pid + "/mountinfo", MAX_MOUNTS_BYTES);
        return mounts != null
                && new String(mounts, StandardCharsets.UTF_8)
                        .lines()
                        .map(line -> line.split(" ", 6))
                        .anyMatch(fields -> fields.length == 6 && isMount(unescaped(fields[4]), mountPoint));
    }

    /** Returns whether a mount point is wanted. Those of other programs may have names that are no paths in this JVM's encoding. */
    private static boolean isMount(String name, Predicate<Path> wanted) {
        try {
            return wanted.test(Path.of(name));
        } catch (InvalidPathException e) {
            return false;
        }
    }

    /** Returns the name of the process's mount namespace; empty if it has ended, or may not be asked. */
    private String mounts(String process) {
        try {
            return Files.readSymbolicLink(proc.toPath().resolve(process).resolve("ns/mnt"))
                    .toString();
        } catch (IOException e) {
            return "";
        }
    }

    /** Returns a path of the kernel's lists, in which spaces and backslashes stand as octal numbers. */
    private static String unescaped(String path) {
        return OCTAL.matcher(path).replaceAll(match -> {
            return Matcher.quoteReplacement(Character.toString((char) Integer.parseInt(match.group(1), 8)));
        });
    }

    /** Returns the children of the process's first thread, to which orphans are given; null if they cannot be read. */
    long @Nullable [] children(long pid) {
        byte[] children = read(pid + "/task/" + pid + "/children", MAX_ENVIRONMENT_BYTES);
        if (children == null) {
            return null;
        }
        String text = new String(children, StandardCharsets.US_ASCII).strip();
        if (text.isEmpty()) {
            return new long[0];
        }
        String[] words = text.split(" ", -1);
        long[] pids = new long[words.length];
        for (int i = 0; i < words.length; i++) {
            pids[i] = Long.parseLong(words[i]);
        }
        return pids;
    }

    /** Names this start of the machine, so that pids and ticks of another are not taken for this one's; empty if unknown. */
    String bootId() {
        byte[] id = read("sys/kernel/random/boot_id", 64);
        return id == null ? "" : new String(id, StandardCharsets.US_ASCII).strip();
    }

    static @Nullable String mark(byte[] environment) {
        for (int start = 0; start < environment.length; ) {
            int end = start;
            while (end < environment.length && environment[end] != 0) {
                end++;
            }
            if (startsWithMark(environment, start, end)) {
                return new String(
                        environment, start + MARK.length, end - start - MARK.length, StandardCharsets.ISO_8859_1);
            }
            start = end + 1;
        }
        return null;
    }

    private static boolean startsWithMark(byte[] environment, int start, int end) {
        if (end - start < MARK.length) {
            return false;
        }
        for (int i = 0; i < MARK.length; i++) {
            if (environment[start + i] != MARK[i]) {
                return false;
            }
        }
        return true;
    }

    private byte @Nullable [] read(String file, int most) {
        try (InputStream in = new FileInputStream(new File(proc, file))) {
            return in.readNBytes(most);
        } catch (IOException e) {
            return null; // it has ended, or is another user's
        }
    }
}
