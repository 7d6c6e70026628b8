package dev.touchstone.builds.agent.log;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A log in a file, to which a thread of its own copies what the script writes into a pipe. Reads from any thread. */
public final class KeptLog implements BuildLog {
    /*
     * Who calls:  `append` the pipe's thread and the executor's, under the lock; `pump`, `say`, `output`, `finish` the executor's only; `read` any
     *             thread, up to what is readable, which only grows.
     * Files:      raw has what the script and the agent write. Without secrets it is what readers get. With secrets readers get masked, which the
     *             executor's thread writes, and raw is deleted at the end.
     * Pipe:       scripts have no descriptor of raw: whoever can write to a file can cut it, as "echo >/dev/stdout" does.
     * Limit:      up to the end of the output raw takes limit bytes, and a marker in place of what follows.
     * Failure:    what the pipe's thread meets is thrown to the executor by the next pump.
     */
    private static final int CHUNK_BYTES = 1 << 16;

    private final Path pipeFile;
    private final Path rawFile;
    private final FileChannel raw;
    private final @Nullable Path maskedFile;
    private final @Nullable FileChannel masked;
    private final @Nullable SecretMasker masker;
    private final long limitBytes;
    private final byte[] marker;
    private final byte[] chunk;

    @GuardedBy("this")
    private boolean outputEnded;

    private volatile @Nullable IOException failure; // of the pipe's thread
    private @Nullable OutputPipe pipe; // the executor's

    private volatile long rawBytes; // written under the lock
    private volatile long pumpedBytes; // of raw into masked; one writer
    private boolean hidden; // what was held back at the cut is masked
    private volatile long maskedBytes;
    private volatile boolean truncated;
    private volatile boolean finished;

    private KeptLog(Path folder, long limitBytes, Secrets secrets, Path pipe) throws IOException {
        this.pipeFile = pipe;
        this.limitBytes = limitBytes;
        this.marker = BuildLog.bytes("\n---> Log truncated: it is longer than " + limitBytes + " bytes");
        this.rawFile = rawFile(folder);
        this.raw = LogFiles.create(rawFile);
        boolean masks = !secrets.isEmpty();
        this.maskedFile = masks ? maskedFile(folder) : null;
        this.masker = masks ? new SecretMasker(secrets) : null;
        this.chunk = masks ? new byte[CHUNK_BYTES] : new byte[0];
        try {
            this.masked = maskedFile == null ? null : LogFiles.create(maskedFile);
        } catch (IOException e) {
            raw.close();
            throw e;
        }
    }

    /**
     * Makes the files of a new log.
     *
     * @param limitBytes of what the agent and the script write, before the marker and the agent's last lines
     * @param pipe named pipe that nobody else has; removed when the log is closed
     */
    public static KeptLog create(Path folder, long limitBytes, Secrets secrets, Path pipe) throws IOException {
        return new KeptLog(folder, limitBytes, secrets, pipe);
    }

    /** Returns the file of what the script writes; not for readers if there are secrets. */
    public static Path rawFile(Path folder) {
        return folder.resolve("log");
    }

    /** Returns the file that readers get if there are secrets. */
    public static Path maskedFile(Path folder) {
        return folder.resolve("masked");
    }

    @Override
    public Redirect output() throws IOException {
        pipe = new OutputPipe(pipeFile, this::append, e -> failure = e);
        return Redirect.appendTo(pipeFile.toFile());
    }

    @Override
    public void say(String line) throws IOException {
        append(ByteBuffer.wrap(BuildLog.bytes(line)));
        pump();
    }

    private synchronized void append(ByteBuffer bytes) throws IOException {
        long room = outputEnded ? Long.MAX_VALUE : limitBytes - rawBytes;
        if (bytes.remaining() <= room) {
            appendWhole(bytes);
            return;
        }
        appendWhole(bytes.slice(bytes.position(), (int) Math.max(0, room)));
        if (!truncated) {
            truncated = true;
            appendWhole(ByteBuffer.wrap(marker));
        }
    }

    @GuardedBy("this")
    private void appendWhole(ByteBuffer bytes) throws IOException {
        long end = rawBytes + bytes.remaining();
        LogFiles.write(raw, rawBytes, bytes);
        rawBytes = end;
    }

    @Override
    public boolean isBehind() {
        return failure != null || (masker != null && pumpedBytes < rawBytes);
    }

    @Override
    public void pump() throws IOException {
        IOException failed = failure;
        if (failed != null) {
            throw failed;
        }
        if (masker != null) {
            maskUpTo(rawBytes);
        }
    }

    private void maskUpTo(long end) throws IOException {
        SecretMasker masking = masker;
        if (masking == null) {
            return;
        }
        for (long at = pumpedBytes; at < end; at = pumpedBytes) {
            if (truncated && !hidden && at >= limitBytes) {
                appendMasked(masking.cut());
                hidden = true;
            }
            long until = at < limitBytes ? Math.min(end, limitBytes) : end;
            int read = raw.read(ByteBuffer.wrap(chunk, 0, (int) Math.min(chunk.length, until - at)), at);
            if (read <= 0) {
                return;
            }
            appendMasked(masking.mask(chunk, read));
            pumpedBytes = at + read;
        }
    }

    private void appendMasked(ByteBuffer bytes) throws IOException {
        FileChannel file = masked;
        if (file != null && bytes.hasRemaining()) {
            long length = bytes.remaining();
            long at = maskedBytes;
            LogFiles.write(file, at, bytes);
            maskedBytes = at + length; // one writer
        }
    }

    @Override
    public void endOfOutput() throws IOException {
        drainPipe();
        synchronized (this) {
            outputEnded = true;
        }
        pump();
    }

    private void drainPipe() {
        OutputPipe ended = pipe;
        pipe = null;
        if (ended != null) {
            ended.drain();
        }
    }

    @Override
    public void finish() throws IOException {
        pump();
        if (masker != null) {
            appendMasked(masker.finish());
        }
        finished = true;
    }

    @Override
    public long readableBytes() {
        return masked == null ? rawBytes : maskedBytes;
    }

    @Override
    public boolean isTruncated() {
        return truncated;
    }

    @Override
    public int read(long offset, ByteBuffer into) throws IOException {
        boolean ended = finished; // before the length: what is readable then is all
        FileChannel file = masked == null ? raw : masked;
        return LogFiles.read(file, offset, readableBytes(), into, ended);
    }

    @Override
    public void close() throws IOException {
        drainPipe();
        try {
            Files.deleteIfExists(pipeFile);
            raw.close();
        } finally {
            if (masked != null) {
                masked.close();
                Files.deleteIfExists(rawFile); // has secrets, also when the log could not be finished
            }
        }
    }
}
