package dev.touchstone.builds.master.artefact;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.builds.file.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The bundle of an attempt that has a lease, as far as it is here. Bytes are appended at the offset that they have in the agent's file. Thread-safe.
 */
final class Incoming {
    /*
     * Who calls:  the service's thread `append`; the dispatcher `resume`, `expect`, `stuck`, `fence`; both `takeDone`; the keeper `problem` and
     *             `close`.
     * Invariants: nothing is appended once `isOpen` is false; it is never true again. `length` is the file's.
     * Failure:    a bundle that cannot be written is not asked for again: `problem` says why, and is what the job's result says.
     */
    /** Answer to an append of a lease that is over. */
    static final long STALE = -2;

    /** Answer to an append of which nothing is to be told. */
    static final long NOTHING = -1;

    final String agent;
    final int attempt;
    final long epoch;
    final Path file;
    private final long maxBytes;

    @GuardedBy("this")
    private boolean isOpen = true;

    @GuardedBy("this")
    private long length;

    @GuardedBy("this")
    private long credited; // length when the agent was last let send more

    @GuardedBy("this")
    private long expected = -1;

    @GuardedBy("this")
    private String problem = "";

    @GuardedBy("this")
    private @Nullable FileChannel channel;

    @GuardedBy("this")
    private @Nullable Consumer<ArtefactStore.Arrival> done;

    @GuardedBy("this")
    private long seen = -1; // length at the last call of `stuck`

    @GuardedBy("this")
    private int stuck;

    Incoming(String agent, int attempt, long epoch, Path file, long maxBytes) {
        this.agent = agent;
        this.attempt = attempt;
        this.epoch = epoch;
        this.file = file;
        this.maxBytes = maxBytes;
    }

    /** Goes on where an earlier life of the master was. */
    synchronized void resume() throws IOException {
        length = Files.exists(file) ? Files.size(file) : 0;
        credited = length;
    }

    /** Appends what is new in these bytes; returns up to where the agent may send now if that is worth telling, {@link #NOTHING} or {@link #STALE}. */
    synchronized long append(String from, int ofAttempt, long ofEpoch, long offset, ByteBuffer bytes, long window) {
        if (!isOpen || !from.equals(agent) || ofAttempt != attempt || ofEpoch != epoch) {
            return STALE;
        }
        long known = length - offset;
        if (known < 0 || known >= bytes.remaining() || !problem.isEmpty()) {
            return NOTHING;
        }
        bytes.position(bytes.position() + (int) known);
        if (length + bytes.remaining() > maxBytes) {
            fail("they are larger than the master takes: bytes=" + maxBytes);
            return NOTHING;
        }
        try {
            FileChannel out = channel;
            if (out == null) {
                out = OwnerOnly.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                channel = out;
            }
            while (bytes.hasRemaining()) {
                length += out.write(bytes, length);
            }
        } catch (IOException e) {
            fail("the master cannot write them: " + e);
            return NOTHING;
        }
        if (length - credited < window / 4) {
            return NOTHING;
        }
        credited = length;
        return length + window;
    }

    synchronized void fail(String reason) {
        if (problem.isEmpty()) {
            problem = reason;
        }
    }

    /** Says how long the bundle will be, and who is told what became of it. */
    synchronized void expect(long bytes, Consumer<ArtefactStore.Arrival> listener) {
        expected = bytes;
        done = listener;
        if (bytes > maxBytes) {
            fail("they are larger than the master takes: bytes=" + bytes + " most=" + maxBytes);
        }
    }

    /** Returns who is told once the bundle is whole, or will never be; null if it is neither, or somebody was returned before. */
    synchronized @Nullable Consumer<ArtefactStore.Arrival> takeDone() {
        Consumer<ArtefactStore.Arrival> listener = done;
        if (listener == null || !isOpen || (problem.isEmpty() && length < expected)) {
            return null;
        }
        isOpen = false;
        done = null;
        return listener;
    }

    /** Returns why the bundle is not whole; empty if it is. */
    synchronized String problem() {
        return problem.isEmpty() && length != expected
                ? "the bundle has another length: expected bytes=" + expected + " got=" + length
                : problem;
    }

    synchronized long length() {
        return length;
    }

    /** Returns how often one after the other this was asked since the last byte came. */
    synchronized int stuck() {
        stuck = length == seen ? stuck + 1 : 0;
        seen = length;
        return stuck;
    }

    /** Ends the lease: nothing is appended from now on, and nobody is told. */
    synchronized void fence() {
        isOpen = false;
        done = null;
    }

    synchronized void close() throws IOException {
        isOpen = false;
        FileChannel out = channel;
        channel = null;
        if (out != null) {
            out.close();
        }
    }
}
