package dev.touchstone.queue.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.Set;

/** An open file that survives interrupts: its channel is opened again when the interrupt of some thread has closed it. Thread-safe. */
final class ReopeningFile implements FileIo.DataFile {
    /*
     * Who calls:  any thread; close() may come while others are in a call, which then fails for them.
     * Invariants: a FileChannel is closed under all its users when one of them is interrupted inside a call. Every call here is positional
     *             and so can be repeated: the interrupt is set aside, the file opened again, the call made again, the interrupt restored.
     * Ordering:   closing and opening again exclude each other, so that no channel is opened behind close().
     * Failure:    a file that is gone or was replaced by something else cannot be opened again; the call fails.
     */
    private final Path file;
    private final Set<OpenOption> options;
    private volatile FileChannel channel;
    private volatile boolean closed;

    private ReopeningFile(Path file, Set<OpenOption> options, FileChannel channel) {
        this.file = file;
        this.options = options;
        this.channel = channel;
    }

    /**
     * Opens an existing file.
     *
     * @throws java.nio.file.NoSuchFileException if there is none
     * @throws CorruptLogException if the file is not a regular one
     */
    static ReopeningFile open(Path file, FileIo.Access access) throws IOException {
        Set<OpenOption> options = options(access);
        return new ReopeningFile(file, options, channel(file, options));
    }

    /**
     * Opens a file, made where absent: readable and writable by its owner only, where the file system has such permissions.
     *
     * @throws CorruptLogException if the file is not a regular one
     */
    static ReopeningFile create(Path file, FileIo.Access access) throws IOException {
        Set<OpenOption> options = options(access);
        Set<OpenOption> creating = new HashSet<>(options);
        creating.add(StandardOpenOption.CREATE);
        return new ReopeningFile(file, options, channel(file, creating));
    }

    /**
     * Opens a channel of a file, new files for the owner only. Anything but a regular file is refused before it is opened: a link's target is
     * not the log's, and to open a pipe may wait for ever.
     */
    static FileChannel channel(Path file, Set<OpenOption> options) throws IOException {
        if (options.contains(LinkOption.NOFOLLOW_LINKS)) {
            requireRegular(file);
        }
        return FileChannel.open(file, options, DiskFileIo.ownerOnly(file, "rw-------"));
    }

    private static void requireRegular(Path file) throws IOException {
        BasicFileAttributes found;
        try {
            found = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException absent) {
            return;
        }
        if (!found.isRegularFile()) {
            String type = found.isSymbolicLink() ? "symbolic link" : found.isDirectory() ? "folder" : "special file";
            throw new CorruptLogException(file, 0, "file type", "regular file", type);
        }
    }

    /** Opens a folder, which may be reached through links, to force the names in it. */
    static ReopeningFile openFolder(Path folder) throws IOException {
        Set<OpenOption> options = Set.of(StandardOpenOption.READ);
        return new ReopeningFile(folder, options, channel(folder, options));
    }

    private static Set<OpenOption> options(FileIo.Access access) {
        return switch (access) {
            case READ -> Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
            case WRITE -> Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
            case WRITE_THROUGH ->
                Set.of(
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.DSYNC,
                        LinkOption.NOFOLLOW_LINKS);
        };
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
        int start = target.position();
        call(open -> {
            target.position(start);
            long at = position;
            int count = 0;
            while (target.hasRemaining() && count >= 0) {
                count = open.read(target, at);
                at += Math.max(count, 0);
            }
        });
        return target.position() - start;
    }

    @Override
    public ByteBuffer mapForWriting(int bytes) throws IOException {
        ByteBuffer[] mapped = new ByteBuffer[1];
        call(open -> mapped[0] = open.map(FileChannel.MapMode.READ_WRITE, 0, bytes));
        return mapped[0];
    }

    /** Does without {@link #call}, because a write is made for each batch and each removal, and must not allocate. */
    @Override
    public void write(ByteBuffer source, long position) throws IOException {
        int start = source.position();
        boolean interrupted = Thread.interrupted();
        try {
            while (!tryWrite(source, position - start)) {
                interrupted |= Thread.interrupted();
                source.position(start);
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Writes what remains of {@code source}; false where an interrupt has closed the channel, which is open again. */
    private boolean tryWrite(ByteBuffer source, long base) throws IOException {
        FileChannel open = channel;
        try {
            while (source.hasRemaining()) {
                open.write(source, base + source.position());
            }
            return true;
        } catch (ClosedChannelException e) {
            reopen(open, e);
            return false;
        }
    }

    @Override
    public void force() throws IOException {
        call(open -> open.force(false));
    }

    @Override
    public void truncate(long bytes) throws IOException {
        call(open -> open.truncate(bytes));
    }

    @Override
    public long size() throws IOException {
        long[] size = new long[1];
        call(open -> size[0] = open.size());
        return size[0];
    }

    @Override
    public synchronized void close() throws IOException {
        closed = true;
        channel.close();
    }

    private void call(Call call) throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            for (; ; ) {
                FileChannel open = channel;
                try {
                    call.on(open);
                    return;
                } catch (ClosedChannelException e) {
                    interrupted |= Thread.interrupted();
                    reopen(open, e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @SuppressWarnings("ReferenceEquality") // whether another thread has opened it again
    private synchronized void reopen(FileChannel stale, ClosedChannelException cause) throws IOException {
        if (closed) {
            throw cause;
        }
        if (channel == stale) {
            channel = channel(file, options);
        }
    }

    /** A repeatable use of the channel. */
    private interface Call {
        void on(FileChannel channel) throws IOException;
    }
}
