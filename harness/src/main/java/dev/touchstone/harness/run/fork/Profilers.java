package dev.touchstone.harness.run.fork;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.profile.LinuxPerfNormProfiler;
import org.openjdk.jmh.profile.ProfilerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;

/** Profilers that watch every fork, by names of our own: what JMH needs to be told of each is told here. They cost time, which the scores show. */
public final class Profilers {
    /** None. */
    public static final Profilers NONE = new Profilers(Set.of(), null, fork -> Path.of(""));

    private static final String LIBRARY = "libasyncProfiler.so";
    private static final String EVENTS = "events=instructions,task-clock";

    private final Set<Name> names;
    private final @Nullable Path library;
    private final Function<ForkSpec, Path> folders;

    private Profilers(Set<Name> names, @Nullable Path library, Function<ForkSpec, Path> folders) {
        this.names = names;
        this.library = library;
        this.folders = folders;
    }

    /**
     * Creates the profilers and unpacks their library where one needs it.
     *
     * @param names the chosen profilers; may be empty
     * @param loader the class path that has async-profiler's library, if {@link Name#FLAME} is chosen
     * @param scratch existing folder into which the library is unpacked
     * @param folders returns the folder of a fork's profiles, which is created when there are any
     * @return the profilers
     * @throws IllegalArgumentException if the class path has no library for this system, or the system has no {@code perf} that counts
     * @throws IOException if the library cannot be unpacked
     */
    public static Profilers of(Set<Name> names, ClassLoader loader, Path scratch, Function<ForkSpec, Path> folders)
            throws IOException {
        if (names.contains(Name.PERF)) {
            demandPerf();
        }
        return new Profilers(names, names.contains(Name.FLAME) ? library(loader, scratch) : null, folders);
    }

    /**
     * Returns the profilers' names as reports show them.
     *
     * @param names the chosen profilers
     * @return labels separated by commas; empty for none
     */
    public static String describe(Set<Name> names) {
        return names.stream().sorted().map(Name::label).collect(Collectors.joining(","));
    }

    void addTo(ChainedOptionsBuilder options, ForkSpec fork) throws IOException {
        if (names.contains(Name.GC)) {
            options.addProfiler("gc");
        }
        Path folder = folders.apply(fork).toAbsolutePath();
        if (library != null) {
            // Timer signals need no counters of the processor, which virtual machines rarely have.
            options.addProfiler("async", "libPath=" + library + ";event=itimer;output=flamegraph;dir=" + made(folder));
        }
        if (names.contains(Name.PERF)) {
            options.addProfiler("perfnorm", EVENTS);
        }
        if (names.contains(Name.JFR)) {
            options.addProfiler("jfr", "dir=" + made(folder));
        }
    }

    private static void demandPerf() {
        try {
            new LinuxPerfNormProfiler(EVENTS);
        } catch (ProfilerException e) {
            throw new IllegalArgumentException("--prof perf: " + e.getMessage(), e);
        }
    }

    private static Path made(Path folder) throws IOException {
        return Files.createDirectories(folder);
    }

    private static Path library(ClassLoader loader, Path scratch) throws IOException {
        String system = system();
        try (InputStream in = loader.getResourceAsStream(system + "/" + LIBRARY)) {
            if (in == null) {
                throw new IllegalArgumentException("--prof flame: no async-profiler for " + system
                        + " on the class path, expected tools.profiler:async-profiler");
            }
            Path library = scratch.toAbsolutePath().resolve(LIBRARY);
            Files.copy(in, library);
            return library;
        }
    }

    /** The name of this system's folder in async-profiler's jar. */
    private static String system() {
        String os = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        if (os.startsWith("mac")) {
            return "macos";
        }
        String architecture = System.getProperty("os.arch", "");
        return os.replaceAll("[^a-z0-9]", "")
                + (List.of("amd64", "x86_64").contains(architecture)
                        ? "-x64"
                        : architecture.equals("aarch64") ? "-arm64" : "-" + architecture);
    }

    /** The profilers that can be chosen. */
    public enum Name {
        /** Allocation and collections, as further scores. */
        GC,
        /** Instructions, where the machine counts them, and processor time of an operation, by Linux's perf, as further scores. */
        PERF,
        /** A flame graph of each fork, by async-profiler. */
        FLAME,
        /** A recording of each fork, by the JDK's flight recorder. */
        JFR;

        /**
         * Returns the name that users type.
         *
         * @return the constant's name in lower case
         */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
