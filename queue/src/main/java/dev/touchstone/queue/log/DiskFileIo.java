package dev.touchstone.queue.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The real file system. */
public final class DiskFileIo implements FileIo {

    private static final long LOCK_RETRY_NANOS = 10_000_000;

    /**
     * Lock files that this process holds. The one piece of static state, because it mirrors one: the operating system's lock belongs
     * to the process and is gone as soon as any descriptor of its file is closed, so a second owner here must not even open it.
     */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private @Nullable DataFile folder; // of the log; guarded by this

    @Override
    public DataFile open(Path file, Access access) throws IOException {
        return ReopeningFile.open(file, access);
    }

    @Override
    public DataFile create(Path file, Access access) throws IOException {
        return ReopeningFile.create(file, access);
    }

    @Override
    public List<Path> list(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                    .sorted()
                    .toList();
        }
    }

    @Override
    public void createFolder(Path folder) throws IOException {
        Files.createDirectories(folder);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void delete(Path file) throws IOException {
        Files.deleteIfExists(file);
    }

    @Override
    public long lastWrittenMillis(Path file) throws IOException {
        return Files.getLastModifiedTime(file).toMillis();
    }

    @Override
    public long usableBytes(Path folder) throws IOException {
        try {
            return Files.getFileStore(folder).getUsableSpace();
        } catch (IOException cannotTell) {
            return Long.MAX_VALUE; // as without descriptors: what is refused then says so by itself
        }
    }

    /** Keeps the folder open, so that it can be forced also when there are no descriptors left. */
    @Override
    public synchronized void forceFolder(Path path) throws IOException {
        DataFile open = folder;
        if (open == null) {
            open = ReopeningFile.open(path, Access.READ);
            folder = open;
        }
        open.force();
    }

    private synchronized void closeFolder() throws IOException {
        if (folder != null) {
            folder.close();
            folder = null;
        }
    }

    @Override
    public Closeable lock(Path file, Duration timeout) throws IOException {
        Path name = file.resolveSibling(".").toRealPath().resolve(file.getFileName());
        long deadline = System.nanoTime() + timeout.toNanos();
        for (; ; ) {
            if (HELD.add(name)) {
                Closeable lock = lockAgainstOthers(name);
                if (lock != null) {
                    return lock;
                }
            }
            if (System.nanoTime() - deadline >= 0 || Thread.currentThread().isInterrupted()) {
                throw new LogLockedException(file, owner(name));
            }
            LockSupport.parkNanos(LOCK_RETRY_NANOS);
        }
    }

    /** Takes the operating system's lock of a name that is in {@link #HELD}, or gives the name back and returns null. */
    private @Nullable Closeable lockAgainstOthers(Path name) throws IOException {
        boolean locked = false;
        FileChannel channel = null;
        try {
            channel = FileChannel.open(
                    name, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            if (channel.tryLock() == null) {
                return null;
            }
            String pid = String.format(
                    Locale.ROOT, "%-20d", ProcessHandle.current().pid()); // of one length: needs no new room
            channel.write(ByteBuffer.wrap(pid.getBytes(StandardCharsets.US_ASCII)), 0);
            locked = true;
            FileChannel held = channel;
            return () -> {
                closeFolder();
                held.close(); // which releases the lock
                HELD.remove(name);
            };
        } finally {
            if (!locked) {
                if (channel != null) {
                    channel.close();
                }
                HELD.remove(name);
            }
        }
    }

    private static String owner(Path lock) throws IOException {
        if (HELD.contains(lock)) {
            return Long.toString(ProcessHandle.current().pid());
        }
        return Files.readString(lock, StandardCharsets.US_ASCII).replaceAll("[^0-9]", "");
    }
}
