package dev.touchstone.queue.replicated;

import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.FileIo;
import dev.touchstone.queue.log.LogRefusedException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The two files that hold the last {@link StorageState} and the one before. A new state is written over the older one, so a torn write
 * leaves the last one whole. Each file has its state twice, in its two halves, so damage to one page leaves the other. The files keep their
 * length from their making on: a new state needs no room on the disk. Not thread-safe.
 */
final class StorageStateFile implements Closeable {
    private static final List<String> NAMES = List.of("STATE-A", "STATE-B");
    private static final int MIN_BYTES = 1024;
    private static final int MAX_BYTES = 64 << 20;

    private final List<FileIo.DataFile> files;
    private final int halfBytes;
    private @Nullable StorageState newest;
    private int next;

    private StorageStateFile(List<FileIo.DataFile> files, int halfBytes) {
        this.files = files;
        this.halfBytes = halfBytes;
    }

    /**
     * Opens the files of a folder, and makes those of a new one.
     *
     * @param isNew whether the folder has no other file of the log: then files without a state are those of a folder that was being made
     * @throws CorruptLogException if the folder has a log, but no file holds a whole state
     */
    static StorageStateFile open(FileIo io, Path folder, int newBytes, boolean isNew) throws IOException {
        List<FileIo.DataFile> files = new ArrayList<>();
        StorageStateFile opened = null;
        try {
            opened = openExisting(io, folder, files);
            if (opened == null) {
                if (!isNew) {
                    throw new CorruptLogException(folder.resolve(NAMES.get(0)), 0, "state", "a whole state", "none");
                }
                close(files);
                opened = make(io, folder, newBytes, files);
            }
            return opened;
        } catch (IOException e) {
            close(files);
            throw e;
        }
    }

    private static @Nullable StorageStateFile openExisting(FileIo io, Path folder, List<FileIo.DataFile> files)
            throws IOException {
        Path missing = null;
        StorageState newest = null;
        int newestFile = 0;
        long bytes = 0;
        for (int i = 0; i < NAMES.size(); i++) {
            Path path = folder.resolve(NAMES.get(i));
            try {
                files.add(io.open(path, FileIo.Access.WRITE_THROUGH));
            } catch (NoSuchFileException e) {
                missing = path;
                continue;
            }
            FileIo.DataFile file = files.get(files.size() - 1);
            bytes = file.size();
            StorageState found = bytes < MIN_BYTES || bytes > MAX_BYTES ? null : read(file, path, (int) bytes / 2);
            if (found != null && (newest == null || newest.sequence() < found.sequence())) {
                newest = found;
                newestFile = i;
            }
        }
        if (newest == null) {
            return null;
        }
        if (missing != null) {
            throw new CorruptLogException(missing, 0, "state", "a file", "none");
        }
        StorageStateFile opened = new StorageStateFile(files, halfBytes(files, folder));
        opened.newest = newest;
        opened.next = 1 - newestFile;
        return opened;
    }

    private static int halfBytes(List<FileIo.DataFile> files, Path folder) throws IOException {
        long bytes = files.get(0).size();
        if (files.get(1).size() != bytes || bytes < MIN_BYTES || bytes > MAX_BYTES) {
            throw new CorruptLogException(
                    folder.resolve(NAMES.get(1)),
                    0,
                    "length of state file",
                    bytes,
                    files.get(1).size());
        }
        return (int) bytes / 2;
    }

    private static @Nullable StorageState read(FileIo.DataFile file, Path path, int halfBytes) throws IOException {
        StorageState newest = null;
        for (int half = 0; half < 2; half++) {
            ByteBuffer content = ByteBuffer.allocate(halfBytes);
            int unused = file.read(content, (long) half * halfBytes);
            StorageState found = StorageState.decode(content.flip(), path, (long) half * halfBytes);
            if (found != null && (newest == null || newest.sequence() < found.sequence())) {
                newest = found;
            }
        }
        return newest;
    }

    /** Makes both files, of zeros. The first state is written when both are on the device, with their names. */
    private static StorageStateFile make(FileIo io, Path folder, int bytes, List<FileIo.DataFile> files)
            throws IOException {
        files.clear();
        for (String name : NAMES) {
            Path path = folder.resolve(name);
            io.delete(path); // it may be longer, and have anything in it
            try (FileIo.DataFile file = io.create(path, FileIo.Access.WRITE)) {
                file.write(ByteBuffer.allocate(bytes), 0);
                file.force();
            }
            files.add(io.open(path, FileIo.Access.WRITE_THROUGH));
        }
        io.forceFolder(folder);
        return new StorageStateFile(files, bytes / 2);
    }

    /** Returns the last state, or null for that of a new folder. */
    @Nullable
    StorageState newest() {
        return newest;
    }

    /**
     * Writes a state, which on return is on the device and the last one.
     *
     * @throws LogRefusedException if the state is too long, and the last one stays
     * @throws IOException if it cannot be written; which state is the last one is then not known before the next opening
     */
    void write(StorageState state) throws IOException {
        if (state.bytes() > halfBytes) {
            throw new LogRefusedException(new IOException(
                    "state has too many runs: runs=" + state.runs().size() + " bytes=" + state.bytes()
                            + " expected at most " + halfBytes + "; take a snapshot, so that the log gets shorter"));
        }
        ByteBuffer content = state.encode();
        files.get(next).write(content.duplicate(), 0);
        files.get(next).write(content.duplicate(), halfBytes);
        newest = state;
        next = 1 - next;
    }

    @Override
    public void close() throws IOException {
        close(files);
    }

    private static void close(List<FileIo.DataFile> files) throws IOException {
        for (FileIo.DataFile file : files) {
            file.close();
        }
    }
}
