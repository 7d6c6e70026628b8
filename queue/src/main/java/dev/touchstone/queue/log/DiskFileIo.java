package dev.touchstone.queue.log;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The real file system. */
public final class DiskFileIo implements FileIo {

    private static final long LOCK_RETRY_NANOS = 10_000_000;
    private static final int PID_BYTES = 20;
    private static final Set<OpenOption> LOCK_OPTIONS = Set.of(
            StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);

    /** File systems that overwrite blocks where they are, also after a snapshot or a copy of the file. */
    private static final Set<String> IN_PLACE = Set.of("ext2", "ext3", "ext4", "tmpfs");

    /**
     * Lock files that this process holds. The one piece of static state, because it mirrors one: the operating system's lock belongs
     * to the process and is gone as soon as any descriptor of its file is closed, so a second owner here must not even open it.
     */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final FolderForce forceNames;

    @GuardedBy("this")
    private @Nullable DataFile folder; // the log's

    private volatile @Nullable FileStore store; // that holds the log's folder

    /** Uses the operating system's file systems. */
    public DiskFileIo() {
        this(DiskFileIo::forceNames);
    }

    /** Calls {@code forceNames} with the parent of each folder that is made. */
    DiskFileIo(FolderForce forceNames) {
        this.forceNames = forceNames;
    }

    /** Brings the names in a folder to the device. */
    interface FolderForce {
        void accept(Path path) throws IOException;
    }

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
            return files.filter(
                            file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || Files.isSymbolicLink(file))
                    .sorted()
                    .toList();
        }
    }

    @Override
    public void createFolder(Path path) throws IOException {
        Deque<Path> missing = new ArrayDeque<>();
        for (Path each = path.toAbsolutePath(); // not normalized: ".." behind a link is not the parent of its name
                each != null && !Files.isDirectory(each);
                each = each.getParent()) {
            missing.push(each);
        }
        for (Path each : missing) {
            try {
                Files.createDirectory(each, ownerOnly(each, "rwx------"));
            } catch (FileAlreadyExistsException e) {
                if (!Files.isDirectory(each)) {
                    throw e;
                }
            }
            forceNames.accept(Objects.requireNonNull(each.getParent()));
        }
    }

    /** Returns the attributes of a file or folder to be made that only its owner may use; none where the file system has no permissions. */
    static FileAttribute<?>[] ownerOnly(Path path, String permissions) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    private static void forceNames(Path path) throws IOException {
        try (DataFile open = ReopeningFile.openFolder(path)) {
            open.force();
        }
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
    public void setLastWrittenMillis(Path file, long millis) throws IOException {
        Path unused = Files.setLastModifiedTime(file, FileTime.fromMillis(millis));
    }

    @Override
    public long usableBytes(Path folder) throws IOException {
        try {
            return store(folder).getUsableSpace();
        } catch (IOException cannotTell) {
            return Long.MAX_VALUE; // as without descriptors: what is refused then says so by itself
        }
    }

    @Override
    public boolean storesNeedRoom(Path folder) {
        try {
            return !IN_PLACE.contains(store(folder).type());
        } catch (IOException cannotTell) {
            return true;
        }
    }

    private FileStore store(Path folder) throws IOException {
        FileStore known = store;
        if (known == null) {
            known = Files.getFileStore(folder); // which searches the mounted file systems: not for each batch
            store = known;
        }
        return known;
    }

    /** Keeps the folder open, so that it can be forced also when there are no descriptors left. */
    @Override
    public synchronized void forceFolder(Path path) throws IOException {
        DataFile open = folder;
        if (open == null) {
            open = ReopeningFile.openFolder(path);
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

    /**
     * Takes the operating system's lock of a name that is in {@link #HELD}; removes the name and returns null if it is taken. An interrupt is set
     * aside, because it would close the channel and so release the lock.
     */
    private @Nullable Closeable lockAgainstOthers(Path name) throws IOException {
        boolean locked = false;
        boolean interrupted = Thread.interrupted();
        FileChannel channel = null;
        try {
            while (!locked) {
                channel = ReopeningFile.channel(name, LOCK_OPTIONS);
                if (channel.tryLock() == null) {
                    return null;
                }
                locked = writeOwner(channel);
                interrupted |= Thread.interrupted();
            }
            FileChannel held = Objects.requireNonNull(channel);
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
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Writes the process id into a lock file; returns false where an interrupt has closed the channel. */
    private static boolean writeOwner(FileChannel lock) throws IOException {
        String pid = String.format(
                Locale.ROOT, "%-" + PID_BYTES + "d", ProcessHandle.current().pid()); // of one length: needs no new room
        try {
            lock.write(ByteBuffer.wrap(pid.getBytes(StandardCharsets.US_ASCII)), 0);
            return true;
        } catch (ClosedByInterruptException e) {
            return false;
        }
    }

    /**
     * Keeps a folder from being opened for as long as the answer is open, without writing; null where it is in use. Not the lock of {@link
     * #lock}: several may have this one.
     *
     * @param file the lock file; where there is none, nobody has ever opened the folder
     */
    public static @Nullable Closeable lockForReading(Path file) throws IOException {
        Path name = file.resolveSibling(".").toRealPath().resolve(file.getFileName());
        if (!Files.exists(name, LinkOption.NOFOLLOW_LINKS)) {
            return () -> {};
        }
        if (!HELD.add(name)) {
            return null;
        }
        FileChannel channel = null;
        boolean locked = false;
        try {
            channel = ReopeningFile.channel(name, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
            locked = channel.tryLock(0, Long.MAX_VALUE, true) != null;
            FileChannel held = channel;
            return locked
                    ? () -> {
                        held.close();
                        HELD.remove(name);
                    }
                    : null;
        } finally {
            if (!locked) {
                if (channel != null) {
                    channel.close();
                }
                HELD.remove(name);
            }
        }
    }

    /** Returns the process id that is written in a lock file. */
    public static String owner(Path lock) throws IOException {
        if (HELD.contains(lock)) {
            return Long.toString(ProcessHandle.current().pid());
        }
        try (InputStream pid = Files.newInputStream(lock, LinkOption.NOFOLLOW_LINKS)) {
            return new String(pid.readNBytes(PID_BYTES), StandardCharsets.US_ASCII).replaceAll("[^0-9]", "");
        }
    }
}
