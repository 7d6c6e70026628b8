package dev.touchstone.harness.run.check;

import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The forces of files below one folder by any thread of this process and of those that it has started, as {@code strace} has written them down: native
 * code is seen too. Processes share no folder. A force is a call that the kernel answered with success: {@code fsync}, {@code fdatasync}, {@code msync} with {@code MS_SYNC} of a mapped file,
 * and a write to a file that was opened with {@code O_SYNC} or {@code O_DSYNC}.
 *
 * <p>{@code strace} writes a call's line before the calling thread goes on, so whatever has returned is in the file. Asynchronous writes of the
 * kernel ({@code io_submit}, {@code io_uring}) and what the device does with a force are not seen. Not thread-safe.
 */
public final class ForceTrace {
    private static final String PROPERTY = "touchstone.forces";
    private static final String PROGRAM = "strace";
    private static final String CALLS =
            "fsync,fdatasync,msync,?open,openat,write,pwrite64,writev,pwritev,pwritev2,mmap";

    private static final Pattern UNFINISHED = Pattern.compile("([0-9]+) +(.*) <unfinished \\.\\.\\.>");
    private static final Pattern RESUMED = Pattern.compile("([0-9]+) +<\\.\\.\\. [a-z0-9_]+ resumed>(.*)");
    private static final Pattern CALL =
            Pattern.compile("(?:[0-9]+ +)?([a-z0-9_]+)\\((.*)\\) += (-?(?:0x)?[0-9a-f]+)(?:<(.*?)>)?(?: .*)?");
    private static final Pattern FILE = Pattern.compile("([0-9]+)<([^>]*)>.*");
    private static final Pattern MAPPED = Pattern.compile("[^,]+, ([0-9]+), .*MAP_SHARED.*, [0-9]+<([^>]*)>, .*");
    private static final Pattern SYNCED_RANGE = Pattern.compile("(0x[0-9a-f]+), [0-9]+, .*MS_SYNC.*");

    private final Path file;
    private final String folder;
    private final Map<String, String> unfinished = new HashMap<>(); // by thread
    private final Set<Integer> synchronous = new HashSet<>(); // descriptors of files of the folder
    private final TreeMap<Long, Long> mapped =
            new TreeMap<>(); // ends of mappings of the folder's files by their starts
    private String rest = "";
    private long position;
    private long count;

    ForceTrace(Path file, Path folder) {
        this.file = file;
        this.folder = folder + "/";
    }

    /**
     * Returns the trace of this process; empty if it runs without one.
     *
     * @param folder an existing folder
     * @return the trace of the files below the folder
     * @throws IOException if the folder's real path cannot be found
     */
    public static Optional<ForceTrace> of(Path folder) throws IOException {
        String file = System.getProperty(PROPERTY);
        return file == null ? Optional.empty() : Optional.of(new ForceTrace(Path.of(file), folder.toRealPath()));
    }

    /**
     * Returns why this process has no trace.
     *
     * @return a phrase with the remedy; empty if there is a trace
     */
    public static Optional<String> missing() {
        return System.getProperty(PROPERTY) != null
                ? Optional.empty()
                : Optional.of(
                        program().isEmpty()
                                ? "forces: no strace on the PATH, install it"
                                : "forces: the JVM was not started below strace, as verify does");
    }

    /**
     * Returns the words that stand before the command of a JVM which is to be traced; empty where there is no {@code strace}. The tracer is
     * a grandchild of this process, so that the JVM stays its child.
     *
     * @param file where the trace goes
     */
    static List<String> command(Path file) {
        return program()
                .map(strace -> List.of(
                        strace.toString(),
                        "-D",
                        "-f",
                        "--seccomp-bpf",
                        "-y",
                        "-qq",
                        "-s",
                        "0",
                        "-e",
                        "signal=none",
                        "-e",
                        "trace=" + CALLS,
                        "-o",
                        file.toString()))
                .orElse(List.of());
    }

    /** Returns the flag of a JVM that is to find its trace. */
    static String flag(Path file) {
        return "-D" + PROPERTY + "=" + file;
    }

    private static Optional<Path> program() {
        for (String folder : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
            Path candidate = Path.of(folder.isEmpty() ? "." : folder, PROGRAM);
            if (Files.isExecutable(candidate)) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }

    /**
     * Returns the number of forces that have returned since the process began.
     *
     * @return the number, 0 or more
     * @throws IOException if the trace cannot be read
     */
    public long count() throws IOException {
        try (SeekableByteChannel channel = Files.newByteChannel(file)) {
            channel.position(position);
            byte[] added = Channels.newInputStream(channel).readAllBytes();
            position += added.length;
            String text = rest + new String(added, StandardCharsets.ISO_8859_1);
            int end = text.lastIndexOf('\n') + 1;
            rest = text.substring(end);
            text.substring(0, end).lines().forEach(this::read);
        }
        return count;
    }

    private void read(String line) {
        Matcher begun = UNFINISHED.matcher(line);
        if (begun.matches()) {
            unfinished.put(begun.group(1), begun.group(2));
            return;
        }
        Matcher ended = RESUMED.matcher(line);
        String whole = ended.matches() ? unfinished.remove(ended.group(1)) + ended.group(2) : line;
        Matcher call = CALL.matcher(whole);
        if (call.matches() && !call.group(3).startsWith("-")) {
            completed(call.group(1), call.group(2), call.group(3), call.group(4));
        }
    }

    private void completed(String name, String arguments, String result, @Nullable String opened) {
        switch (name) {
            case "fsync", "fdatasync" -> count += descriptor(arguments) >= 0 ? 1 : 0;
            case "open", "openat" -> {
                if (opened != null && opened.startsWith(folder)) {
                    opened(arguments, Integer.parseInt(result));
                }
            }
            case "mmap" -> mapped(arguments, Long.decode(result));
            case "msync" -> count += isForcedRange(arguments) ? 1 : 0;
            default -> count += synchronous.contains(descriptor(arguments)) ? 1 : 0;
        }
    }

    private void opened(String arguments, int descriptor) {
        if (arguments.matches(".*\\bO_D?SYNC\\b.*")) {
            synchronous.add(descriptor);
        } else {
            synchronous.remove(descriptor);
        }
    }

    private void mapped(String arguments, long start) {
        Matcher mapping = MAPPED.matcher(arguments);
        if (mapping.matches() && mapping.group(2).startsWith(folder)) {
            mapped.put(start, start + Long.parseLong(mapping.group(1)));
        }
    }

    private boolean isForcedRange(String arguments) {
        Matcher range = SYNCED_RANGE.matcher(arguments);
        if (!range.matches()) {
            return false;
        }
        long start = Long.decode(range.group(1));
        Map.Entry<Long, Long> mapping = mapped.floorEntry(start);
        return mapping != null && start < mapping.getValue();
    }

    /** Returns the descriptor of a file below the folder that a call begins with; -1 if it is another file. */
    private int descriptor(String arguments) {
        Matcher first = FILE.matcher(arguments);
        return first.matches() && first.group(2).startsWith(folder) ? Integer.parseInt(first.group(1)) : -1;
    }
}
