package dev.touchstone.queue.migrate;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;

/**
 * A file of another library's queue, opened for reading through a window of at most {@value #WINDOW_BYTES} bytes. No other class of this
 * package touches files. Belongs to one thread.
 */
final class SourceFile implements ByteSource, Closeable {
    private static final int WINDOW_BYTES = 64 << 10;

    private final Path path;
    private final SeekableByteChannel channel;
    private final long size; // at open: bytes that a running owner appends later are not read
    private final ByteBuffer window;
    private long windowAt;

    private SourceFile(Path path, SeekableByteChannel channel) throws IOException {
        this.path = path;
        this.channel = channel;
        this.size = channel.size();
        this.window = ByteBuffer.allocate((int) Math.min(WINDOW_BYTES, size)).limit(0);
    }

    static SourceFile open(Path path) throws IOException {
        SeekableByteChannel channel = Files.newByteChannel(path);
        try {
            return new SourceFile(path, channel);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /**
     * Returns whether {@code path} is a folder and not a file.
     *
     * @throws NoSuchFileException if it is neither
     */
    static boolean isFolder(Path path) throws IOException {
        if (Files.isDirectory(path)) {
            return true;
        }
        if (Files.isRegularFile(path)) {
            return false;
        }
        throw new NoSuchFileException(path.toString(), null, "neither a file nor a folder");
    }

    /** Returns the regular files of a folder, unordered. */
    static List<Path> list(Path folder) throws IOException {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, Files::isRegularFile)) {
            all.forEach(files::add);
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return files;
    }

    Path path() {
        return path;
    }

    long size() {
        return size;
    }

    FileTime modified() throws IOException {
        return Files.getLastModifiedTime(path);
    }

    byte byteAt(long at) throws IOException {
        require(at, Byte.BYTES);
        return window.get((int) (at - windowAt));
    }

    @Override
    public boolean has(long at, long bytes) {
        return at + bytes <= size;
    }

    @Override
    public int intAt(long at) throws IOException {
        require(at, Integer.BYTES);
        return window.getInt((int) (at - windowAt));
    }

    long longAt(long at) throws IOException {
        require(at, Long.BYTES);
        return window.getLong((int) (at - windowAt));
    }

    /** Copies {@code length} bytes at {@code at} to {@code target}, from index {@code from} on. */
    void read(long at, byte[] target, int from, int length) throws IOException {
        int done = 0;
        while (done < length) {
            require(at + done, 1);
            int begin = (int) (at + done - windowAt);
            int some = Math.min(length - done, window.limit() - begin);
            window.get(begin, target, from + done, some);
            done += some;
        }
    }

    @Override
    public void read(long at, byte[] target) throws IOException {
        read(at, target, 0, target.length);
    }

    /** Feeds a range of bytes into a digest. */
    void digest(long at, long bytes, MessageDigest digest) throws IOException {
        long done = 0;
        while (done < bytes) {
            require(at + done, 1);
            int begin = (int) (at + done - windowAt);
            int some = (int) Math.min(bytes - done, window.limit() - begin);
            digest.update(window.array(), begin, some);
            done += some;
        }
    }

    /** Returns the offset of the first byte from {@code at} on that is not zero, or the file's size. */
    long firstNonZero(long at) throws IOException {
        for (long position = at; position < size; position++) {
            if (byteAt(position) != 0) {
                return position;
            }
        }
        return size;
    }

    @Override
    public String place(long at) {
        return "file=" + path + " offset=" + at;
    }

    @Override
    public CorruptSourceException corrupt(long at, String field, Object expected, Object got) {
        return new CorruptSourceException(path, at, field, expected, got);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    /** Moves the window, if necessary, so that it holds {@code bytes} bytes from {@code at} on. */
    private void require(long at, int bytes) throws IOException {
        if (at >= windowAt && at + bytes <= windowAt + window.limit()) {
            return;
        }
        if (at < 0 || at + bytes > size) {
            throw corrupt(at, "file length", "at least " + (at + bytes), size);
        }
        channel.position(at);
        window.clear();
        windowAt = at;
        int read = 0;
        while (window.hasRemaining() && read >= 0) {
            read = channel.read(window);
        }
        window.flip();
        if (window.limit() < bytes) {
            throw corrupt(at, "file length, which shrank", "at least " + size, at + window.limit());
        }
    }
}
