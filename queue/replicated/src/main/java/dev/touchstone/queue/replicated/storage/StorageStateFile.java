package dev.touchstone.queue.replicated.storage;

import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.FileIo;
import dev.touchstone.queue.log.LogRefusedException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The file that holds the last {@link StorageState}, once in each of its two halves. The halves are written one after the other, first the
 * one that does not hold the last state or holds it, too; so a torn write leaves the last state whole in the other half, and damage to a page
 * leaves it there as well. The file keeps its length from its making on: a new state needs no room on the disk. Not thread-safe.
 */
final class StorageStateFile implements Closeable {
    static final String NAME = "STATE";
    private static final int MIN_BYTES = 1024;
    private static final int MAX_BYTES = 64 << 20;

    private final FileIo.DataFile file;
    private final int halfBytes;
    private @Nullable StorageState newest;
    private int newestHalf;

    private StorageStateFile(FileIo.DataFile file, int halfBytes) {
        this.file = file;
        this.halfBytes = halfBytes;
    }

    /**
     * Opens the file of a folder, and makes that of a new one.
     *
     * @param isNew whether the folder has no other file of the log: then a file without a state is that of a folder that was being made
     * @throws CorruptLogException if the folder has a log, but no half of the file holds a whole state
     */
    static StorageStateFile open(FileIo io, Path folder, int newBytes, boolean isNew) throws IOException {
        Path path = folder.resolve(NAME);
        StorageStateFile opened = openExisting(io, path);
        if (opened != null) {
            return opened;
        }
        if (!isNew) {
            throw withoutState(path);
        }
        return make(io, folder, path, newBytes);
    }

    /**
     * Checks that a folder has the file, and a whole state in it.
     *
     * @throws CorruptLogException if it does not
     */
    static void require(FileIo io, Path folder) throws IOException {
        Path path = folder.resolve(NAME);
        StorageFactory.requireFile(path, "log");
        StorageStateFile found = openExisting(io, path);
        if (found == null) {
            throw withoutState(path);
        }
        found.close();
    }

    private static CorruptLogException withoutState(Path path) {
        return new CorruptLogException(path, 0, "state", "a whole state", "none");
    }

    private static @Nullable StorageStateFile openExisting(FileIo io, Path path) throws IOException {
        FileIo.DataFile file;
        try {
            file = io.open(path, FileIo.Access.WRITE_THROUGH);
        } catch (NoSuchFileException e) {
            return null;
        }
        StorageStateFile opened = null;
        try {
            opened = read(file, path);
            return opened;
        } finally {
            if (opened == null) {
                file.close();
            }
        }
    }

    private static @Nullable StorageStateFile read(FileIo.DataFile file, Path path) throws IOException {
        long bytes = file.size();
        if (bytes < MIN_BYTES || bytes > MAX_BYTES) {
            return null;
        }
        StorageStateFile opened = new StorageStateFile(file, (int) bytes / 2);
        StorageState newest = null;
        for (int half = 0; half < 2; half++) {
            ByteBuffer content = ByteBuffer.allocate(opened.halfBytes);
            int unused = file.read(content, (long) half * opened.halfBytes);
            StorageState found = StorageState.decode(content.flip(), path, (long) half * opened.halfBytes);
            if (found != null && (newest == null || newest.sequence() < found.sequence())) {
                newest = found;
                opened.newestHalf = half;
            }
        }
        opened.newest = newest;
        return newest == null ? null : opened;
    }

    /** Makes a file of zeros. The first state is written when that is on the device, with its name. */
    private static StorageStateFile make(FileIo io, Path folder, Path path, int bytes) throws IOException {
        io.delete(path); // it may be longer, and have anything in it
        try (FileIo.DataFile file = io.create(path, FileIo.Access.WRITE)) {
            file.write(ByteBuffer.allocate(bytes), 0);
            file.force();
        }
        io.forceFolder(folder);
        return new StorageStateFile(io.open(path, FileIo.Access.WRITE_THROUGH), bytes / 2);
    }

    /** Returns the last state, or null for that of a new folder. */
    @Nullable
    StorageState newest() {
        return newest;
    }

    /** Returns the number of runs that a state may have. */
    int maxRuns() {
        return StorageState.maxRuns(halfBytes);
    }

    /** Returns the refusal of a state with too many runs. */
    static LogRefusedException refusal(int runs, int maxRuns) {
        return new LogRefusedException(new IOException("log has too many runs: runs=" + runs + " expected at most "
                + maxRuns + "; a truncation of its start, as after a snapshot, makes room"));
    }

    /**
     * Writes a state, which on return is on the device and the last one.
     *
     * @throws LogRefusedException if the state is too long, and the last one stays
     * @throws IOException if it cannot be written; which state is the last one is then not known before the next opening
     */
    void write(StorageState state) throws IOException {
        if (state.runs().size() > maxRuns()) {
            throw refusal(state.runs().size(), maxRuns());
        }
        ByteBuffer content = state.encode();
        int first = 1 - newestHalf;
        file.write(content.duplicate(), (long) first * halfBytes);
        file.write(content.duplicate(), (long) newestHalf * halfBytes);
        newest = state;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
