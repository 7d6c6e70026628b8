package dev.touchstone.builds.agent.source;

import dev.touchstone.builds.agent.process.StopSignal;
import dev.touchstone.builds.agent.process.StoppedException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A lock between agents that share a folder of mirrors; the operating system gives it back when its holder dies. One thread at a time. */
final class FileGuard implements AutoCloseable {
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final Path file;
    private @Nullable FileChannel channel;

    FileGuard(Path file) {
        this.file = file;
    }

    /** Waits for the lock; give it back with {@link FileLock#release}. */
    FileLock lock(StopSignal stop) throws IOException, StoppedException {
        FileChannel open = channel;
        if (open == null) {
            open = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            channel = open;
        }
        while (true) {
            FileLock lock = tryLock(open);
            if (lock != null) {
                return lock;
            }
            stop.check();
            LockSupport.parkNanos(this, RETRY_NANOS);
        }
    }

    private static @Nullable FileLock tryLock(FileChannel open) throws IOException {
        try {
            return open.tryLock();
        } catch (OverlappingFileLockException e) {
            return null; // another agent in this JVM
        }
    }

    @Override
    public void close() throws IOException {
        if (channel != null) {
            channel.close();
        }
    }
}
