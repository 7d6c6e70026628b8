package dev.touchstone.queue.log.inspect;

import dev.touchstone.queue.log.FileIo;
import dev.touchstone.queue.log.commit.BatchFile;
import dev.touchstone.queue.log.segment.Segment;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A file system that refuses every change, so that code that also writes can be used to read. A file that would be made is empty instead.
 *
 * <p>Records that the owner has not brought to their segment yet are shown there, once {@link #find} has found them. Not thread-safe.
 */
public final class ReadOnlyFileIo implements FileIo {
    private static final ByteBuffer NO_BYTES = ByteBuffer.allocate(0);

    private final FileIo io;
    private @Nullable Path patched;
    private ByteBuffer patch = NO_BYTES;
    private long patchPosition;

    /** Creates a view of {@code io}. */
    public ReadOnlyFileIo(FileIo io) {
        this.io = io;
    }

    /**
     * Looks for records in the owner's batches, from where the record with this sequence should stand in a segment; what earlier calls found
     * is forgotten. A compressed segment has all of its records.
     *
     * @return whether there are any; reads of the segment's file give them then
     */
    public boolean find(Path folder, Segment segment, long position, long sequence) throws IOException {
        ByteBuffer records = segment.isCompressed() ? null : BatchFile.read(io, folder, segment, position, sequence);
        patched = segment.path();
        patch = records == null ? NO_BYTES : records;
        patchPosition = position;
        return records != null;
    }

    /** Forgets what {@link #find} found. */
    void forget() {
        patch = NO_BYTES;
    }

    @Override
    public DataFile open(Path file, Access access) throws IOException {
        if (access != Access.READ) {
            throw refused("open for writing", file);
        }
        return new ReadOnlyFile(file, io.open(file, access));
    }

    @Override
    public DataFile create(Path file, Access access) throws IOException {
        try {
            return new ReadOnlyFile(file, io.open(file, Access.READ));
        } catch (NoSuchFileException absent) {
            return new ReadOnlyFile(file, null);
        }
    }

    @Override
    public List<Path> list(Path folder) throws IOException {
        return io.list(folder);
    }

    @Override
    public void createFolder(Path folder) throws IOException {
        throw refused("create a folder", folder);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        throw refused("rename", from);
    }

    @Override
    public void delete(Path file) throws IOException {
        throw refused("delete", file);
    }

    @Override
    public long lastWrittenMillis(Path file) throws IOException {
        return io.lastWrittenMillis(file);
    }

    @Override
    public void setLastWrittenMillis(Path file, long millis) throws IOException {
        throw refused("set the time", file);
    }

    @Override
    public long usableBytes(Path folder) throws IOException {
        return io.usableBytes(folder);
    }

    @Override
    public boolean storesNeedRoom(Path folder) {
        return io.storesNeedRoom(folder);
    }

    @Override
    public void forceFolder(Path folder) throws IOException {
        throw refused("force", folder);
    }

    @Override
    public Closeable lock(Path file, Duration timeout) throws IOException {
        throw refused("lock", file);
    }

    private static IOException refused(String what, Path path) {
        return new IOException("reading only: refused to " + what + ": path=" + path);
    }

    /** A file that is read and never written; of no bytes where there is none. */
    private final class ReadOnlyFile implements DataFile {
        private final Path path;
        private final @Nullable DataFile file;

        ReadOnlyFile(Path path, @Nullable DataFile file) {
            this.path = path;
            this.file = file;
        }

        @Override
        public int read(ByteBuffer target, long position) throws IOException {
            int start = target.position();
            int read = file == null ? 0 : file.read(target, position);
            long first = Math.max(position, patchPosition);
            long end = Math.min(position + target.limit() - start, patchPosition + patch.limit());
            if (path.equals(patched) && first < end && first <= position + read) {
                int at = start + (int) (first - position);
                target.put(at, patch, (int) (first - patchPosition), (int) (end - first));
                read = (int) Math.max(read, end - position);
                target.position(start + read);
            }
            return read;
        }

        @Override
        public ByteBuffer mapForWriting(int bytes) throws IOException {
            throw refused("map", path);
        }

        @Override
        public void write(ByteBuffer source, long position) throws IOException {
            throw refused("write", path);
        }

        @Override
        public void force() throws IOException {
            throw refused("force", path);
        }

        @Override
        public void truncate(long bytes) throws IOException {
            throw refused("truncate", path);
        }

        @Override
        public long size() throws IOException {
            boolean isPatched = path.equals(patched) && patch.limit() > 0;
            long bytes = file == null ? 0 : file.size();
            return isPatched ? Math.max(bytes, patchPosition + patch.limit()) : bytes;
        }

        @Override
        public void close() throws IOException {
            if (file != null) {
                file.close();
            }
        }
    }
}
