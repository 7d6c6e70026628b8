package dev.touchstone.builds.agent.process;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The files that processes have open. */
public final class OpenFiles {
    private static final Path PROC = Path.of("/proc");
    private static final String DELETED = " (deleted)";

    private OpenFiles() {}

    /**
     * Returns the lengths, all together, of files that have been deleted below a folder, and which processes have open still, so that they take room of the
     * device. Processes and files that may not be looked at, or end meanwhile, count nothing.
     */
    public static long deletedBytes(Path folder) throws IOException {
        Set<Object> known = new HashSet<>(); // one file may be open many times
        long bytes = 0;
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[1-9]*")) {
            for (Path process : processes) {
                bytes += deletedBytes(process, folder + "/", known);
            }
        }
        return bytes;
    }

    private static long deletedBytes(Path process, String below, Set<Object> known) {
        long bytes = 0;
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(process.resolve("fd"))) {
            for (Path descriptor : descriptors) {
                bytes += bytesIfDeleted(descriptor, below, known);
            }
        } catch (IOException | RuntimeException e) { // another user's, or ended
            return bytes;
        }
        return bytes;
    }

    private static long bytesIfDeleted(Path descriptor, String below, Set<Object> known) {
        try {
            String name = Files.readSymbolicLink(descriptor).toString();
            if (!name.startsWith(below) || !name.endsWith(DELETED)) {
                return 0;
            }
            Map<String, Object> file = Files.readAttributes(descriptor, "unix:dev,ino,nlink,size");
            boolean isDeleted = Integer.valueOf(0).equals(file.get("nlink"));
            boolean counts = isDeleted && known.add(file.get("dev") + ":" + file.get("ino"));
            return counts && file.get("size") instanceof Long size ? size : 0;
        } catch (IOException | RuntimeException e) { // closed
            return 0;
        }
    }
}
