package dev.touchstone.queue.replicated.faults;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.queue.log.DiskFileIo;
import dev.touchstone.queue.log.FileIo;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * Real files that can lose what was not forced, as by a power cut of this process's machine, and a disk that can be full. Thread-safe.
 *
 * <p>A cut takes back any sectors of what was written and not forced, any number of the last changes of names, and tears the write through to
 * the device that is under way. The caller ends the process then, and starts another one on the files that are left. Not simulated: changes of
 * the order in which the device stores sectors of one forced write, and everything that is written past this class.
 */
public final class CutFileIo implements FileIo {
    /*
     * Who calls:   any thread; cut() once.
     * Invariants:  an operation holds the shared half of the lock, the cut the other one: so no operation is half done at the cut but the
     *              write that it tears. After the cut no operation returns: nobody can be told of what is lost.
     *              undone holds, for each file, the bytes that its unforced writes have replaced, the newest first.
     */
    private static final int SECTOR_BYTES = 512;
    private static final long TEAR_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final DiskFileIo disk = new DiskFileIo();
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private final CountDownLatch torn = new CountDownLatch(1);
    private final Path removed;
    private volatile @Nullable SplittableRandom tearing;
    private volatile boolean isFull;
    private boolean isCut; // guarded by lock

    @GuardedBy("this")
    private final Map<Path, Deque<Replaced>> unforced = new HashMap<>();

    @GuardedBy("this")
    private final Deque<NameChange> names = new ArrayDeque<>();

    @GuardedBy("this")
    private long removals;

    /** Bytes of a file before a write, and its length. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Replaced(long position, byte[] bytes, int written, long size) {}

    /** A change of a name in {@code folder} that is not on the device yet. {@code kept} is the file that was replaced or deleted. */
    private record NameChange(
            Path folder,
            Path file,
            @Nullable Path renamedFrom,
            @Nullable Path kept) {}

    /**
     * Creates a file system.
     *
     * @param removed folder for files that are deleted, until that is on the device; on the same file system
     */
    public CutFileIo(Path removed) {
        this.removed = removed;
    }

    /** Lets no file grow and none be made. */
    public void setFull(boolean full) {
        isFull = full;
    }

    /** Takes back what the device does not have. On return no operation goes on or ends any more. */
    public void cut(SplittableRandom random) throws IOException {
        tearing = random.split();
        try {
            boolean unused = torn.await(TEAR_NANOS, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        lock.writeLock().lock();
        try {
            isCut = true;
            synchronized (this) {
                for (Map.Entry<Path, Deque<Replaced>> file : unforced.entrySet()) {
                    takeBack(file.getKey(), file.getValue(), random);
                }
                for (int left = random.nextInt(names.size() + 1); left > 0; left--) {
                    takeBack(names.pop());
                }
            }
        } finally {
            lock.writeLock().unlock();
        }
    }

    private void takeBack(Path path, Deque<Replaced> writes, SplittableRandom random) throws IOException {
        boolean keepsLength = random.nextBoolean();
        try (DataFile file = disk.open(path, Access.WRITE)) {
            for (Replaced write : writes) {
                for (int at = 0; at < write.written; at += SECTOR_BYTES) {
                    if (random.nextBoolean()) {
                        int length = Math.min(SECTOR_BYTES, write.written - at);
                        byte[] old = new byte[length];
                        int kept = Math.max(0, Math.min(length, write.bytes.length - at));
                        System.arraycopy(write.bytes, Math.min(at, write.bytes.length), old, 0, kept);
                        file.write(ByteBuffer.wrap(old), write.position + at);
                    }
                }
                if (!keepsLength) {
                    file.truncate(write.size);
                }
            }
        } catch (NoSuchFileException deleted) {
            // nothing is left of it
        }
    }

    private static void takeBack(NameChange change) throws IOException {
        if (change.renamedFrom != null) {
            Files.move(change.file, change.renamedFrom, StandardCopyOption.REPLACE_EXISTING);
        } else {
            Files.deleteIfExists(change.file);
        }
        if (change.kept != null) {
            Files.move(change.kept, change.file, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /** Begins an operation, unless the power was cut. */
    private void begin() {
        lock.readLock().lock();
        if (isCut) {
            lock.readLock().unlock();
            stop();
        }
    }

    private void end() {
        lock.readLock().unlock();
    }

    /** Never returns: the machine has no power. */
    private static void stop() {
        while (true) {
            LockSupport.park();
        }
    }

    private void checkRoom(Path file) throws IOException {
        if (isFull) {
            throw new IOException("No space left on device: injected for " + file);
        }
    }

    @Override
    public DataFile open(Path file, Access access) throws IOException {
        return new CutFile(file, disk.open(file, access), access);
    }

    @Override
    public DataFile create(Path file, Access access) throws IOException {
        begin();
        try {
            if (!Files.exists(file)) {
                checkRoom(file);
                DataFile created = disk.create(file, access);
                changed(new NameChange(folderOf(file), file, null, null));
                return new CutFile(file, created, access);
            }
            return open(file, access);
        } finally {
            end();
        }
    }

    private static Path folderOf(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        return folder == null ? file : folder;
    }

    private synchronized void changed(NameChange change) {
        names.push(change);
    }

    /** Gives a file another name until its removal is on the device; null if there is none. */
    private synchronized @Nullable Path keep(Path file) throws IOException {
        if (!Files.exists(file)) {
            return null;
        }
        Files.createDirectories(removed);
        Path kept = removed.resolve(removals++ + "-" + ProcessHandle.current().pid());
        Files.createLink(kept, file);
        return kept;
    }

    @Override
    public List<Path> list(Path folder) throws IOException {
        return disk.list(folder);
    }

    @Override
    public void createFolder(Path folder) throws IOException {
        disk.createFolder(folder);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        begin();
        try {
            Path kept = keep(to);
            disk.rename(from, to);
            changed(new NameChange(folderOf(to), to, from, kept));
            synchronized (this) {
                Deque<Replaced> writes = unforced.remove(from);
                unforced.remove(to);
                if (writes != null) {
                    unforced.put(to, writes);
                }
            }
        } finally {
            end();
        }
    }

    @Override
    public void delete(Path file) throws IOException {
        begin();
        try {
            Path kept = keep(file);
            disk.delete(file);
            if (kept != null) {
                changed(new NameChange(folderOf(file), file, null, kept));
            }
        } finally {
            end();
        }
    }

    @Override
    public long lastWrittenMillis(Path file) throws IOException {
        return disk.lastWrittenMillis(file);
    }

    @Override
    public void setLastWrittenMillis(Path file, long millis) throws IOException {
        disk.setLastWrittenMillis(file, millis);
    }

    @Override
    public long usableBytes(Path folder) throws IOException {
        return isFull ? 0 : disk.usableBytes(folder);
    }

    @Override
    public boolean storesNeedRoom(Path folder) {
        return disk.storesNeedRoom(folder);
    }

    @Override
    public void forceFolder(Path folder) throws IOException {
        begin();
        try {
            disk.forceFolder(folder);
            List<NameChange> forced = new ArrayList<>();
            synchronized (this) {
                names.removeIf(change -> change.folder.equals(folder.toAbsolutePath()) && forced.add(change));
            }
            for (NameChange change : forced) {
                if (change.kept != null) {
                    Files.deleteIfExists(change.kept);
                }
            }
        } finally {
            end();
        }
    }

    @Override
    public Closeable lock(Path file, Duration timeout) throws IOException {
        return disk.lock(file, timeout);
    }

    private final class CutFile implements DataFile {
        private final Path path;
        private final DataFile file;
        private final Access access;

        CutFile(Path path, DataFile file, Access access) {
            this.path = path;
            this.file = file;
            this.access = access;
        }

        @Override
        public int read(ByteBuffer target, long position) throws IOException {
            return file.read(target, position);
        }

        @Override
        public ByteBuffer mapForWriting(int bytes) {
            throw new UnsupportedOperationException("stores into a mapping are not seen: " + path);
        }

        @Override
        public void write(ByteBuffer source, long position) throws IOException {
            begin();
            SplittableRandom tear = access == Access.WRITE_THROUGH ? tearing : null;
            try {
                if (position + source.remaining() > file.size()) {
                    checkRoom(path);
                }
                if (tear == null) {
                    if (access != Access.WRITE_THROUGH) {
                        remember(position, source.remaining());
                    }
                    file.write(source, position);
                } else {
                    tear(source, position, tear);
                }
            } finally {
                end();
            }
            if (tear != null) {
                stop();
            }
        }

        /** Writes any sectors of what was to be written. */
        private void tear(ByteBuffer source, long position, SplittableRandom random) throws IOException {
            synchronized (CutFileIo.this) {
                for (int at = 0; at < source.remaining(); at += SECTOR_BYTES) {
                    if (random.nextBoolean()) {
                        int length = Math.min(SECTOR_BYTES, source.remaining() - at);
                        file.write(source.slice(source.position() + at, length), position + at);
                    }
                }
            }
            torn.countDown();
        }

        private void remember(long position, int length) throws IOException {
            long size = file.size();
            ByteBuffer old = ByteBuffer.allocate((int) Math.max(0, Math.min(length, size - position)));
            int unused = file.read(old, position);
            Replaced replaced = new Replaced(position, old.array(), length, size);
            synchronized (CutFileIo.this) {
                unforced.computeIfAbsent(path, none -> new ArrayDeque<>()).push(replaced);
            }
        }

        @Override
        public void force() throws IOException {
            begin();
            try {
                file.force();
                synchronized (CutFileIo.this) {
                    unforced.remove(path);
                }
            } finally {
                end();
            }
        }

        @Override
        public void truncate(long bytes) throws IOException {
            begin();
            try {
                file.truncate(bytes);
            } finally {
                end();
            }
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
