package dev.touchstone.benchmarks.queue;

import dev.touchstone.benchmarks.queue.peer.Folders;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A fork's own folder on the disk that is measured: below the system property {@code touchstone.data}, or below the working directory
 * where that is not set. Deleted with all its content on close.
 */
final class DataFolder implements Closeable {

    private static final String PROPERTY = "touchstone.data";

    private final Path root;
    private int subjects;
    private Path subject;

    private DataFolder(Path root) {
        this.root = root;
        subject = root;
    }

    /** Makes the folder. */
    static DataFolder create() throws IOException {
        return create(Path.of(System.getProperty(PROPERTY, "")));
    }

    /** Makes the folder below another one. */
    static DataFolder create(Path parent) throws IOException {
        return new DataFolder(Files.createTempDirectory(parent.toAbsolutePath(), "touchstone-queue-"));
    }

    /**
     * Returns a new empty folder for one subject and deletes the one before. What that left unwritten in the page cache goes with
     * its files, unless something still has them open or mapped. A small file is forced then, which makes a journaling file system
     * such as ext4 commit the deletions; on others, and for what other processes have written, this promises nothing. Freed blocks
     * may be discarded on the device later.
     */
    Path fresh() throws IOException {
        if (subjects > 0) {
            Folders.delete(subject);
        }
        subject = Files.createDirectory(root.resolve(Integer.toString(subjects++)));
        settle();
        return subject;
    }

    @Override
    public void close() throws IOException {
        Folders.delete(root);
    }

    /** Forces a small file: see {@link #fresh}. */
    private void settle() throws IOException {
        Path file = root.resolve("settle");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(1));
            channel.force(true);
        }
        Files.delete(file);
    }
}
