package dev.touchstone.index;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A file while it is written beside the one whose place it takes. Several writers may do that at once. Each holds a lock on its own file, which ends with
 * its process: a file that nobody holds is what a killed one has left, and is deleted by the next writer or reader.
 */
final class NextFile implements Closeable {
    private static final int ATTEMPTS = 10;

    /** Names this JVM's files, which it knows are written: to look at their locks would take these away. */
    private static final String WRITER = hex();

    private final Path file;
    private final Path next;
    private final FileChannel channel;

    private NextFile(Path file, Path next, FileChannel channel) {
        this.file = file;
        this.next = next;
        this.channel = channel;
    }

    private static String hex() {
        return String.format(Locale.ROOT, "%016x", UUID.randomUUID().getMostSignificantBits());
    }

    /** Begins a file beside one, after those that are left over are deleted. */
    static NextFile create(Path file) throws IOException {
        Path folder = folder(file);
        deleteLeftOver(file);
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Path next = folder.resolve(file.getFileName() + "." + WRITER + "-" + hex() + ".next");
            FileChannel channel = FileChannel.open(next, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            if (isHeld(channel) && Files.exists(next)) {
                return new NextFile(file, next, channel);
            }
            channel.close(); // another one took it for left over before the lock was there
            Files.deleteIfExists(next);
        }
        throw new IOException("a file to write is always deleted at once: path=" + file);
    }

    /** Takes the lock that tells others of this writer. Where files cannot be locked nobody finds one left over either. */
    private static boolean isHeld(FileChannel channel) {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    FileChannel channel() {
        return channel;
    }

    /** Makes it the file, on the device. The lock holds until then. */
    void replace() throws IOException {
        channel.force(true);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        try (FileChannel directory = FileChannel.open(folder(file), StandardOpenOption.READ)) {
            directory.force(true);
        }
    }

    @Override
    public void close() throws IOException {
        try {
            Files.deleteIfExists(next); // where it has not become the file
        } finally {
            channel.close();
        }
    }

    private static Path folder(Path file) throws IOException {
        @Nullable Path folder = file.toAbsolutePath().getParent();
        if (folder == null) {
            throw new IOException("not a file: path=" + file);
        }
        return folder;
    }

    /** Deletes what killed writers have left of a file. What cannot be deleted stays, and harms nobody. */
    static void deleteLeftOver(Path file) {
        Pattern name = Pattern.compile(Pattern.quote(String.valueOf(file.getFileName())) + "\\.(?!" + WRITER
                + ")[0-9a-f]{16}-[0-9a-f]{16}\\.next");
        try (DirectoryStream<Path> found = Files.newDirectoryStream(
                folder(file),
                path -> name.matcher(String.valueOf(path.getFileName())).matches())) {
            for (Path other : found) {
                deleteUnlessHeld(other);
            }
        } catch (IOException e) {
            // the folder cannot be listed, or has been changed meanwhile
        }
    }

    private static void deleteUnlessHeld(Path other) {
        try (FileChannel channel = FileChannel.open(other, StandardOpenOption.WRITE)) {
            FileLock lock = channel.tryLock();
            if (lock != null) {
                Files.deleteIfExists(other);
            }
        } catch (IOException | OverlappingFileLockException e) {
            // it is held, or another one was faster
        }
    }
}
