package dev.touchstone.builds.master.artefact;

import dev.touchstone.builds.file.Bundle;
import dev.touchstone.builds.file.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The places of artefacts: {@code jobs/<number>} is the list of a job's files, {@code content/<first two digits>/<sha256>} the content of each, once for all equal
 * files, and {@code incoming/<number>-<epoch>} a bundle that is on its way. Thread-safe.
 *
 * @param folder of all this
 */
record ArtefactFiles(Path folder) {
    Path lists() {
        return folder.resolve("jobs");
    }

    Path list(long job) {
        return lists().resolve(Long.toString(job));
    }

    Path contents() {
        return folder.resolve("content");
    }

    Path content(String sha256) {
        return contents().resolve(sha256.substring(0, 2)).resolve(sha256);
    }

    Path incoming() {
        return folder.resolve("incoming");
    }

    Path incoming(long job, long epoch) {
        return incoming().resolve(job + "-" + epoch);
    }

    /** Returns the list of a job's files. */
    Bundle read(long job) throws IOException {
        byte[] bytes = readWhole(list(job));
        return Bundle.decode(bytes);
    }

    private static byte[] readWhole(Path file) throws IOException {
        try (FileChannel in = OwnerOnly.open(file, StandardOpenOption.READ)) {
            if (in.size() > Bundle.MAX_LIST_BYTES) {
                throw new IOException("list of files is too long: bytes=" + in.size());
            }
            ByteBuffer bytes = ByteBuffer.allocate((int) in.size());
            while (bytes.hasRemaining() && in.read(bytes) >= 0) {
                // reads on
            }
            return bytes.array();
        }
    }

    /** Returns the numbers of the jobs that have a list, the longest unchanged first. */
    List<Long> jobs() throws IOException {
        record Found(long job, FileTime changed) {}
        List<Found> found = new ArrayList<>();
        for (Path file : entries(lists())) {
            String name = file.getFileName().toString();
            if (name.matches("\\d{1,18}")) {
                found.add(new Found(Long.parseLong(name), Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS)));
            }
        }
        found.sort(Comparator.comparing(Found::changed).thenComparingLong(Found::job));
        return found.stream().map(Found::job).toList();
    }

    /** Returns the entries of a folder; none if it is not there. */
    static List<Path> entries(Path folder) throws IOException {
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.toList();
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }
}
