package dev.touchstone.builds.agent.log;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** The reading end of a script's output: a named pipe, from which a thread of its own reads until {@link #drain}. */
final class OutputPipe {
    /*
     * Who calls:  one thread creates and drains; the pipe's own thread and then the draining one call the target.
     * Invariants: the pipe has a writer, `in` itself, until it is drained, so that reading ends with nobody's output but with `in`.
     * Ordering:   `rest` keeps what is in the pipe when `in` is closed.
     * Failure:    the first one ends the reading. Programs that write wait then, until somebody ends them.
     */
    private static final int CHUNK_BYTES = 64 << 10; // what a pipe holds unless told otherwise
    private static final int MIN_READ = 4 << 10;
    private static final long PAUSE_NANOS =
            TimeUnit.MILLISECONDS.toNanos(1); // behind less: each line of a script would be a read of its own
    private static final int MAX_REST_BYTES = 1 << 20; // what programs can make it hold

    private final FileChannel in;
    private final FileInputStream rest;
    private final Target target;
    private final Consumer<IOException> failures;
    private final Thread thread;
    private volatile boolean failed;
    private volatile boolean drained;

    /** Takes what is read. */
    interface Target {
        /** Takes all of the bytes. */
        void append(ByteBuffer bytes) throws IOException;
    }

    /**
     * Opens a pipe and begins to read it.
     *
     * @param file a named pipe
     * @param failures told of what ends the reading early, on the pipe's thread or the one that drains
     * @throws IOException if there is no such pipe
     */
    OutputPipe(Path file, Target target, Consumer<IOException> failures) throws IOException {
        this.target = target;
        this.failures = failures;
        in = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            rest = new FileInputStream(file.toFile());
        } catch (IOException e) {
            in.close();
            throw e;
        }
        thread = new Thread(this::read, "builds-output");
        thread.setDaemon(true);
        thread.start();
    }

    private void read() {
        ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES);
        try {
            while (read(chunk)) {
                boolean isTrickle = chunk.flip().remaining() < MIN_READ;
                target.append(chunk);
                if (isTrickle && !drained) {
                    LockSupport.parkNanos(this, PAUSE_NANOS);
                }
            }
        } catch (IOException e) {
            fail(e);
        } catch (RuntimeException | Error e) {
            fail(new IOException("output cannot be read: " + e, e));
            throw e;
        }
    }

    /** Waits for output; returns false once the channel is closed. */
    private boolean read(ByteBuffer chunk) throws IOException {
        try {
            return in.read(chunk.clear()) >= 0;
        } catch (ClosedChannelException e) {
            return false;
        }
    }

    private void fail(IOException failure) {
        failed = true;
        failures.accept(failure);
    }

    /** Ends the reading when all is read that was written by now. Programs that still have the pipe cannot write to it any more. */
    void drain() {
        drained = true;
        LockSupport.unpark(thread);
        try (rest) {
            in.close();
            join();
            byte[] chunk = new byte[CHUNK_BYTES];
            for (int left = MAX_REST_BYTES; !failed && left > 0; ) {
                int read = rest.read(chunk, 0, Math.min(Math.min(chunk.length, left), rest.available()));
                if (read <= 0) {
                    return;
                }
                target.append(ByteBuffer.wrap(chunk, 0, read));
                left -= read;
            }
        } catch (IOException e) {
            fail(e);
        }
    }

    private void join() {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
