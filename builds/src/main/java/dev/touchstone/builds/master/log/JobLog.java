package dev.touchstone.builds.master.log;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.Closeable;
import java.io.IOException;
import java.lang.System.Logger;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The log of a job that has a lease: one file for each attempt. Bytes of the present attempt are appended at the offset that they have in the agent's
 * log, behind a line that says which attempt this is, where it is not the first. Thread-safe.
 */
public final class JobLog implements Closeable {
    /*
     * Who calls:      the dispatcher `lease`, `expect`, `stuck`; the logs' thread `append` and `credit`; both `takeComplete` and `fence`; the views'
     *                 `watch`; the store's closer `force` and `close`; any thread the figures.
     * Invariants:     nothing is appended once `fence` has returned. Attempts before the present one do not grow. `length` is the present file's,
     *                 without `head`.
     * Ordering:       files are written with the lock, since what follows depends on what was written.
     */
    private static final Logger LOG = System.getLogger(JobLog.class.getName());
    private static final long AGENTS_BYTES = 64 << 10; // of lines that the agent adds to the output

    private final AttemptFiles files;
    private final long number;

    @GuardedBy("this")
    private String agent = "";

    @GuardedBy("this")
    private int attempt;

    @GuardedBy("this")
    private long epoch;

    @GuardedBy("this")
    private long maxLength;

    @GuardedBy("this")
    private boolean open;

    @GuardedBy("this")
    private long before; // bytes of earlier attempts

    @GuardedBy("this")
    private long head; // bytes of the line before the attempt's own

    @GuardedBy("this")
    private long length;

    @GuardedBy("this")
    private long credited;

    @GuardedBy("this")
    private long expected = -1;

    @GuardedBy("this")
    private @Nullable FileChannel channel;

    @GuardedBy("this")
    private boolean watched;

    @GuardedBy("this")
    private long seen = -1;

    @GuardedBy("this")
    private int stuck;

    @GuardedBy("this")
    private long noted; // second since 1970

    /** Says what became of an append. */
    public enum Verdict {
        APPENDED,
        /** Was there already. */
        KNOWN,
        /** Bytes before it are missing. */
        GAP,
        /** The lease of the piece is over. */
        STALE,
        /** The log would be longer than the request lets it be, and the lease is over. */
        TOO_LONG
    }

    JobLog(AttemptFiles files, long number) {
        this.files = files;
        this.number = number;
    }

    /** Begins a lease, or goes on with one after a restart. */
    synchronized void lease(String newAgent, int newAttempt, long newEpoch, long mostOutput) throws IOException {
        close();
        agent = newAgent;
        attempt = newAttempt;
        epoch = newEpoch;
        maxLength = Math.max(mostOutput, mostOutput + AGENTS_BYTES); // which may be too much for a long
        before = 0;
        for (int earlier = 1; earlier < newAttempt; earlier++) {
            files.touch(number, earlier);
            before += files.size(number, earlier);
        }
        byte[] line = newAttempt == 1 ? new byte[0] : marker(newAttempt);
        head = line.length;
        long size = files.size(number, newAttempt);
        if (size < head) {
            ByteBuffer rest = ByteBuffer.wrap(line, (int) size, (int) (head - size));
            write(rest, size);
            size = head;
        }
        length = size - head;
        credited = length;
        expected = -1;
        open = true;
    }

    /** Returns the line before an attempt's log, always the same for one attempt: the attempt before does not grow any more. */
    @GuardedBy("this")
    private byte[] marker(int ofAttempt) throws IOException {
        boolean atLineStart = before == 0 || files.endsWithNewline(number, ofAttempt - 1);
        return ((atLineStart ? "" : "\n") + "---> Agent lost, attempt " + ofAttempt + "\n")
                .getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Appends what is new in these bytes of the attempt's log.
     *
     * @param from identity of the agent that has sent them; not null
     */
    public synchronized Verdict append(String from, int ofAttempt, long ofEpoch, long offset, ByteBuffer bytes)
            throws IOException {
        if (!open || !from.equals(agent) || ofAttempt != attempt || ofEpoch != epoch) {
            return Verdict.STALE;
        }
        if (offset > length) {
            return Verdict.GAP;
        }
        long known = length - offset;
        if (known >= bytes.remaining()) {
            return Verdict.KNOWN;
        }
        if (bytes.remaining() > maxLength - offset) {
            open = false;
            return Verdict.TOO_LONG;
        }
        bytes.position(bytes.position() + (int) known);
        int added = bytes.remaining();
        write(bytes, head + length);
        note();
        length += added;
        return Verdict.APPENDED;
    }

    /** Notes that bytes have come in this second, which is for people only: without it the log is as good. */
    @GuardedBy("this")
    private void note() {
        long second = TimeUnit.MILLISECONDS.toSeconds(System.currentTimeMillis());
        if (second != noted) {
            noted = second;
            try {
                files.note(number, before + head + length, second);
            } catch (IOException e) {
                LOG.log(Logger.Level.DEBUG, "time of a log cannot be noted: job=" + number, e);
            }
        }
    }

    @GuardedBy("this")
    private void write(ByteBuffer bytes, long at) throws IOException {
        FileChannel out = channel;
        if (out == null) {
            out = files.open(number, attempt);
            channel = out;
        }
        long to = at;
        while (bytes.hasRemaining()) {
            to += out.write(bytes, to);
        }
    }

    /** Returns up to where the agent may send now, if that is worth telling; else -1. */
    public synchronized long credit(long window) {
        if (!open || length - credited < window / 4) {
            return -1;
        }
        credited = length;
        return length + window;
    }

    /** Returns up to where the present attempt's log is here. */
    public synchronized long length() {
        return length;
    }

    /** Returns the epoch of the present lease. */
    public synchronized long epoch() {
        return epoch;
    }

    /** Returns the present attempt. */
    public synchronized int attempt() {
        return attempt;
    }

    /** Returns the bytes of all attempts, as a viewer sees them. */
    public synchronized long total() {
        return before + head + length;
    }

    /** Says how long the attempt's log will be; true if it is that long already. */
    synchronized boolean expect(long bytes) {
        expected = bytes;
        return length >= bytes;
    }

    /** Returns whether all that is expected has come; true once. */
    synchronized boolean takeComplete() {
        boolean complete = open && expected >= 0 && length >= expected;
        if (complete) {
            expected = -1;
        }
        return complete;
    }

    /** Returns how often one after the other this was asked since the last byte came. */
    public synchronized int stuck() {
        stuck = length == seen ? stuck + 1 : 0;
        seen = length;
        return stuck;
    }

    /** Ends the lease: nothing is appended from now on. */
    synchronized void fence() {
        open = false;
    }

    /** Has all bytes on the device. */
    synchronized void force() throws IOException {
        if (channel != null) {
            channel.force(false);
        }
    }

    @Override
    public synchronized void close() throws IOException {
        open = false;
        FileChannel out = channel;
        channel = null;
        if (out != null) {
            out.close();
        }
    }

    /** Has {@link #takeWatched} say so when bytes are appended. */
    public synchronized void watch() {
        watched = true;
    }

    /** Returns whether somebody has watched since it was asked last. */
    public synchronized boolean takeWatched() {
        boolean was = watched;
        watched = false;
        return was;
    }
}
