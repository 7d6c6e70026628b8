package dev.touchstone.builds.agent;

import dev.touchstone.builds.agent.process.OpenFiles;
import dev.touchstone.builds.agent.process.QuietCommand;
import dev.touchstone.builds.agent.process.StopSignal;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Keeps some of the device of the workspaces free: when there is less, the build whose workspace takes most of it is stopped, so that no script fills the
 * device for the other builds and for the agent itself. What scripts write elsewhere, which a sandbox does not let them, is nobody's. Thread-safe.
 */
final class DiskGuard {
    /*
     * Who calls:      executors `watch` and `forget`; one thread `look`.
     * Invariants:     a build that was stopped for its size stays watched until what it has written is removed; no other is stopped meanwhile.
     */
    private static final System.Logger LOGGER = System.getLogger(DiskGuard.class.getName());
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Pattern KIBIBYTES = Pattern.compile("(?s)(\\d{1,15})\\s.*");

    private final long keepFreeBytes;
    private final Device device;
    private final Map<String, Watched> builds = new ConcurrentHashMap<>(); // by the names of their attempts

    /** The device that has the workspaces. */
    interface Device {
        /** Returns the bytes that can still be written. */
        long freeBytes() throws IOException;

        /** Removes what no build uses. */
        default void makeRoom() {}
    }

    private record Watched(Path workspace, StopSignal stop) {
        boolean isStoppedForSpace() {
            return stop.stopped()
                    .filter(by -> by.cause() == StopSignal.Cause.NO_SPACE)
                    .isPresent();
        }
    }

    /**
     * Creates a guard.
     *
     * @param keepFreeBytes bytes of the device to keep free; 0 for none
     */
    DiskGuard(long keepFreeBytes, Device device) {
        this.keepFreeBytes = keepFreeBytes;
        this.device = device;
    }

    /** Adds a build. */
    void watch(String attempt, Path workspace, StopSignal stop) {
        builds.put(attempt, new Watched(workspace, stop));
    }

    /** Removes a build, whose workspace was removed if it was stopped here. */
    void forget(String attempt) {
        builds.remove(attempt);
    }

    /** Looks at the device: if too little is free, removes what no build uses and, if that is not enough, stops a build. */
    void look() {
        try {
            if (device.freeBytes() >= keepFreeBytes || builds.values().stream().anyMatch(Watched::isStoppedForSpace)) {
                return;
            }
            device.makeRoom();
            long free = device.freeBytes();
            if (free < keepFreeBytes) {
                stopLargest(free);
            }
        } catch (IOException | RuntimeException | Error e) { // the next look may do better
            LOGGER.log(System.Logger.Level.WARNING, "device of the workspaces cannot be looked at", e);
        }
    }

    private void stopLargest(long free) throws IOException {
        String name = "";
        long most = -1;
        for (Map.Entry<String, Watched> build : builds.entrySet()) {
            long bytes = allocated(build.getValue().workspace());
            if (bytes > most) {
                name = build.getKey();
                most = bytes;
            }
        }
        Watched largest = builds.get(name);
        if (largest == null) {
            return;
        }
        String reason = "device has too little room, and no build takes more of it: bytes free=" + free
                + " bytes to keep free=" + keepFreeBytes + " bytes of the workspace="
                + (most == Long.MAX_VALUE ? "cannot be counted within " + PATIENCE : Long.toString(most));
        if (largest.stop().stop(StopSignal.Cause.NO_SPACE, reason)) {
            LOGGER.log(System.Logger.Level.WARNING, "build is stopped: attempt=" + name + ": " + reason);
        }
    }

    /**
     * Returns the bytes that a folder takes on its device: holes of files take none, and files that were deleted while they were open take their length. A
     * folder that cannot be counted, because of many files or of folders that its owner may not look into, takes most.
     */
    private static long allocated(Path folder) throws IOException {
        QuietCommand.Report hidden = QuietCommand.answer(
                List.of(
                        "find",
                        folder.toString(),
                        "-xdev",
                        "-type",
                        "d",
                        "!",
                        "-perm",
                        "-500",
                        "-printf",
                        "1",
                        "-quit"),
                PATIENCE);
        QuietCommand.Report report = QuietCommand.answer(List.of("du", "-skx", folder.toString()), PATIENCE);
        if (!hidden.output().isEmpty() || hidden.exitCode() < 0 || report.exitCode() < 0) {
            return Long.MAX_VALUE;
        }
        Matcher size = KIBIBYTES.matcher(report.output());
        long files = size.matches() ? Long.parseLong(size.group(1)) << 10 : 0; // there is no workspace yet
        return files + OpenFiles.deletedBytes(folder);
    }
}
