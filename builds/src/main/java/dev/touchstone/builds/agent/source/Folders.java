package dev.touchstone.builds.agent.source;

import dev.touchstone.builds.agent.process.Programs;
import dev.touchstone.builds.agent.process.QuietCommand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Folders that scripts have had in their hands: nothing here follows a link. */
public final class Folders {
    /*
     * Who calls:  executors, and whoever evicts, each with folders that are its own at the time, and `make` with those that they share.
     * Ordering:   one `make` at a time, so that none removes the folder that another has just made in the place of a file.
     */
    private static final int MAX_DEPTH = 100;
    private static final Duration MAX_REMOVING = Duration.ofMinutes(10);

    private final Optional<Path> rm;

    /** Creates helpers that find programs on the PATH of an environment. */
    public Folders(Map<String, String> environment) {
        rm = Programs.find("rm", environment);
    }

    /** Notes that a folder is used now. */
    public static void use(Path folder) throws IOException {
        Files.setLastModifiedTime(folder, FileTime.from(Instant.now()));
    }

    /** Returns whether {@code path} is a folder, and no link to one. */
    public static boolean isFolder(Path path) {
        return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
    }

    static boolean exists(Path path) {
        return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
    }

    /** Returns when the file system last saw a change of the file or what it knows of it; no program can set that. */
    static FileTime changed(Path file) throws IOException {
        return (FileTime) Files.getAttribute(file, "unix:ctime", LinkOption.NOFOLLOW_LINKS);
    }

    /** Returns whether {@link #changed} works here. */
    static boolean tellsChanges(Path folder) {
        return folder.getFileSystem().supportedFileAttributeViews().contains("unix");
    }

    /**
     * Makes a folder where there is none, in place of what else may be there; one that a script has shut is opened. Executors make those that they
     * share at the same time.
     */
    synchronized void make(Path path) throws IOException {
        if (isFolder(path)) {
            if (!Files.isReadable(path) || !Files.isWritable(path) || !Files.isExecutable(path)) {
                open(path, new AccessDeniedException(path.toString()));
            }
            return;
        }
        try {
            Files.createDirectory(path);
        } catch (FileAlreadyExistsException e) {
            if (!isFolder(path)) { // else another agent has made it meanwhile
                Files.deleteIfExists(path);
                Files.createDirectory(path);
            }
        }
    }

    /** Removes a file, a link, or a folder with all that is in it; nothing if it is not there. */
    public void delete(Path path) throws IOException {
        if (!isFolder(path)) {
            Files.deleteIfExists(path);
            return;
        }
        try {
            deleteContents(path, 0);
            Files.delete(path);
        } catch (IOException e) {
            remove(path, e);
        }
    }

    /** Makes a file have this content and nothing else; a file that has it already stays untouched. */
    void ensure(Path file, String content) throws IOException {
        byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
        boolean plain = Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && Files.size(file) == bytes.length;
        if (!plain || !Arrays.equals(Files.readAllBytes(file), bytes)) {
            delete(file);
            Files.write(file, bytes);
        }
    }

    /** Returns the entries of a folder whose number the agent knows; takes the folder if there is no access to it. */
    public static List<Path> list(Path folder) throws IOException {
        List<Path> entries = new ArrayList<>();
        forEach(folder, entries::add);
        return entries;
    }

    /** Takes an entry of a folder. */
    interface Use {
        void of(Path entry) throws IOException;
    }

    /** Hands each entry of a folder on, which may be removed then: of a script's folder no memory may hold all. Takes the folder if there is no access. */
    static void forEach(Path folder, Use use) throws IOException {
        if (isFolder(folder) && !Files.isReadable(folder)) {
            open(folder, new AccessDeniedException(folder.toString()));
        }
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder)) {
            for (Path entry : stream) {
                use.of(entry);
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    private void deleteContents(Path folder, int depth) throws IOException {
        if (depth > MAX_DEPTH) {
            throw new IOException("folder=" + folder + " is deeper than " + MAX_DEPTH);
        }
        forEach(folder, entry -> {
            if (isFolder(entry)) {
                deleteContents(entry, depth + 1);
            }
            deleteEntry(entry, folder);
        });
    }

    private static void deleteEntry(Path entry, Path folder) throws IOException {
        try {
            Files.deleteIfExists(entry);
        } catch (AccessDeniedException e) {
            open(folder, e);
            Files.deleteIfExists(entry);
        }
    }

    private static void open(Path folder, AccessDeniedException denied) throws IOException {
        try {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        } catch (UnsupportedOperationException | NoSuchFileException e) {
            denied.addSuppressed(e);
            throw denied;
        }
    }

    /** Removes a folder by a program that goes into it step by step, since it may be deeper than a path can be long. */
    private void remove(Path path, IOException cause) throws IOException {
        if (rm.isEmpty()) {
            throw cause;
        }
        QuietCommand.run(List.of(rm.get().toString(), "-rf", "--", path.toString()), MAX_REMOVING);
        if (exists(path)) {
            throw cause;
        }
    }
}
