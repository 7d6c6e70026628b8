package dev.touchstone.queue.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The real file system. */
final class DiskFileIo implements FileIo {

    private static final long LOCK_RETRY_NANOS = 10_000_000;

    @Override
    public DataFile open(Path file, Access access) throws IOException {
        return ReopeningFile.open(file, access);
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
    public void forceFolder(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    @Override
    public Closeable lock(Path file, Duration timeout) throws IOException {
        long deadline = System.nanoTime() + timeout.toNanos();
        FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            FileLock lock = tryLock(channel);
            while (lock == null
                    && System.nanoTime() < deadline
                    && !Thread.currentThread().isInterrupted()) {
                LockSupport.parkNanos(LOCK_RETRY_NANOS);
                lock = tryLock(channel);
            }
            if (lock == null) {
                throw new LogLockedException(file, owner(channel));
            }
            byte[] pid = Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII);
            channel.truncate(0);
            channel.write(ByteBuffer.wrap(pid), 0);
            return channel; // closing it releases the lock
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException heldByThisProcess) {
            return null;
        }
    }

    private static String owner(FileChannel channel) throws IOException {
        ByteBuffer pid = ByteBuffer.allocate(20);
        channel.read(pid, 0);
        return new String(pid.array(), 0, pid.position(), StandardCharsets.US_ASCII).replaceAll("[^0-9]", "");
    }
}
