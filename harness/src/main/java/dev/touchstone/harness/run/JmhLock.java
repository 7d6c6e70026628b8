package dev.touchstone.harness.run;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The machine-wide lock that every JMH takes, so that no two measure at once. A session takes it once for all of its forks and then tells JMH, which
 * would find it taken, to leave it alone.
 */
public final class JmhLock implements Closeable {
    private static final String IGNORE_PROPERTY = "jmh.ignoreLock";

    private final FileChannel channel;

    private JmhLock(FileChannel channel) {
        this.channel = channel;
    }

    /** Takes the lock; says once through {@code message} that it waits, where it must. */
    public static JmhLock acquire(Consumer<String> message) throws IOException {
        JmhLock lock = acquire(Path.of(System.getProperty("java.io.tmpdir"), "jmh.lock"), message);
        System.setProperty(IGNORE_PROPERTY, "true"); // read when JMH's Runner is loaded, which is after this
        return lock;
    }

    static JmhLock acquire(Path file, Consumer<String> message) throws IOException {
        FileChannel channel = open(file);
        try {
            FileLock lock = channel.tryLock();
            if (lock == null) {
                message.accept("Another JMH run holds " + file + "; waiting for it to end.");
                channel.lock();
            }
            return new JmhLock(channel);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /** Opens without creating where it can: systems refuse to create over another user's file in a shared folder. */
    private static FileChannel open(Path file) throws IOException {
        boolean exists = Files.exists(file);
        Set<OpenOption> options =
                exists ? Set.of(StandardOpenOption.WRITE) : Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE);
        FileChannel channel = FileChannel.open(file, options);
        if (!exists && !file.toFile().setWritable(true, false)) {
            channel.close();
            throw new IOException("cannot let other users take turns: " + file);
        }
        return channel;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
