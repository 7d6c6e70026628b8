package dev.touchstone.queue.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;

/** A file whose channel is opened again when an interrupt of some thread has closed it. Thread-safe. */
public final class ReopeningFile implements FileIo.DataFile {
    /*
     * A FileChannel is closed under all its users when one of them is interrupted inside a call. Every call here is positional and
     * so can be repeated: the interrupt is set aside, the file opened again, the call made again, the interrupt restored.
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

    public static ReopeningFile open(Path file, FileIo.Access access) throws IOException {
        Set<OpenOption> options = options(access);
        return new ReopeningFile(file, options, FileChannel.open(file, options));
    }

    public static ReopeningFile create(Path file, FileIo.Access access) throws IOException {
        Set<OpenOption> options = options(access);
        Set<OpenOption> creating = new HashSet<>(options);
        creating.add(StandardOpenOption.CREATE);
        return new ReopeningFile(file, options, FileChannel.open(file, creating));
    }

    private static Set<OpenOption> options(FileIo.Access access) {
        return switch (access) {
            case READ -> Set.of(StandardOpenOption.READ);
            case WRITE -> Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE);
            case WRITE_THROUGH -> Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DSYNC);
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
    public ByteBuffer map(int bytes) throws IOException {
        ByteBuffer[] mapped = new ByteBuffer[1];
        call(open -> mapped[0] = open.map(FileChannel.MapMode.READ_ONLY, 0, bytes));
        return mapped[0];
    }

    /** As {@link #call}, spelt out: this one is called for each batch and each removal, and allocates nothing. */
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
    public void close() throws IOException {
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
            channel = FileChannel.open(file, options);
        }
    }

    /** One use of the channel; repeatable. */
    private interface Call {
        void on(FileChannel channel) throws IOException;
    }
}
