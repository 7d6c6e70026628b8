package dev.touchstone.harness.run.fork;

import dev.touchstone.harness.run.Durations;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * The machine-wide lock that every JMH takes, so that no two measure at once. A session takes the lock once for all of its forks, and then
 * tells JMH to ignore the lock, which JMH would find taken.
 */
public final class JmhLock implements Closeable {
    /** Time to wait for the lock if the user chose none, as {@link Durations#parse} reads it. */
    public static final String DEFAULT_WAIT = "10m";

    private static final String IGNORE_PROPERTY = "jmh.ignoreLock";
    private static final Path LOCKS = Path.of("/proc/locks");

    private final AsynchronousFileChannel channel;

    private JmhLock(AsynchronousFileChannel channel) {
        this.channel = channel;
    }

    /**
     * Takes the lock, and waits if another run holds it.
     *
     * @param wait most time to wait; zero or negative to try once
     * @param message receives one line if the lock is not free at once
     * @return the lock, to be closed after the last fork
     * @throws IOException if the lock file cannot be used, or the lock is still held after {@code wait}
     */
    public static JmhLock acquire(Duration wait, Consumer<String> message) throws IOException {
        JmhLock lock = acquire(Path.of(System.getProperty("java.io.tmpdir"), "jmh.lock"), wait, message);
        System.setProperty(IGNORE_PROPERTY, "true"); // read when JMH's Runner is loaded, which is after this
        return lock;
    }

    static JmhLock acquire(Path file, Duration wait, Consumer<String> message) throws IOException {
        AsynchronousFileChannel channel = open(file);
        try {
            FileLock lock = channel.tryLock();
            if (lock == null) {
                message.accept("Another JMH run holds " + file + holder(file) + "; waiting up to "
                        + Durations.about(wait) + " for it to end (--lock-wait).");
                await(channel, file, wait);
            }
            return new JmhLock(channel);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    private static void await(AsynchronousFileChannel channel, Path file, Duration wait) throws IOException {
        try {
            FileLock unused = channel.lock().get(Math.max(0, wait.toNanos()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new IOException(
                    "another JMH run still holds the lock: file=" + file + holder(file) + " waited="
                            + Durations.text(wait)
                            + "; wait for that run, end it, or give a longer --lock-wait",
                    e);
        } catch (ExecutionException e) {
            throw new IOException("cannot lock: file=" + file + " cause=" + e.getCause(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for the lock: file=" + file);
        }
    }

    /** Names the process that holds a lock on the file, or nothing if the system does not tell. */
    private static String holder(Path file) {
        try {
            String inode = ":" + Files.getAttribute(file, "unix:ino") + " ";
            Optional<String> pid = Files.readAllLines(LOCKS).stream()
                    .filter(line -> line.contains(inode) && !line.contains("->")) // an arrow marks those that wait
                    .map(line -> line.trim().split("\\s+", -1)[4]) // number: type, kind, access, process, file, range
                    .findFirst();
            return pid.map(id -> " pid=" + id + command(id)).orElse("");
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return ""; // only Linux lists its locks
        }
    }

    private static String command(String pid) {
        return ProcessHandle.of(Long.parseLong(pid))
                .flatMap(process -> process.info().command())
                .map(command -> " command=" + command)
                .orElse("");
    }

    /** Opens without creating if the file exists: systems refuse to create over another user's file in a shared folder. */
    private static AsynchronousFileChannel open(Path file) throws IOException {
        boolean exists = Files.exists(file);
        OpenOption[] options = exists
                ? new OpenOption[] {StandardOpenOption.WRITE}
                : new OpenOption[] {StandardOpenOption.WRITE, StandardOpenOption.CREATE};
        AsynchronousFileChannel channel = AsynchronousFileChannel.open(file, options);
        if (!exists && !file.toFile().setWritable(true, false)) {
            channel.close();
            throw new IOException("cannot let other users take turns: file=" + file + "; change its permissions");
        }
        return channel;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
