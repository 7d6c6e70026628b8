package dev.touchstone.builds.agent.log;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A log in a file that the script itself appends to, so that no reader is ever in its way. Reads from any thread. */
public final class KeptLog implements BuildLog {
    /*
     * Files:      raw is written by the script (append mode) and, while none runs, by the agent. Without secrets it is what readers get. With
     *             secrets readers get masked, which the executor's thread writes, and raw is deleted at the end.
     * Limit:      when raw is longer than the limit, a marker is written over what follows, and raw is cut behind it, again and again:
     *             in append mode the script's next write lands behind the marker whatever happens in between. So raw[0, limit + marker)
     *             never changes once it is there, and the disk holds no more than what the script writes between two looks.
     * Who:        poll by the tailer's thread and the executor's, under this object's lock; pump, say, finish by the executor's only;
     *             read by anybody, up to readable, which only grows.
     */
    private static final int CHUNK_BYTES = 1 << 16;

    private final Path rawFile;
    private final FileChannel raw;
    private final @Nullable Path maskedFile;
    private final @Nullable FileChannel masked;
    private final @Nullable SecretMasker masker;
    private final long limitBytes;
    private final byte[] marker;
    private final byte[] chunk;

    // Under the lock.
    private boolean cut;
    private boolean outputEnded;
    private @Nullable IOException failure;

    private volatile long rawBytes; // that will not change any more
    private volatile long pumpedBytes; // of raw into masked; one writer
    private boolean hidden; // what was held back at the cut is masked
    private volatile long maskedBytes;
    private volatile boolean truncated;
    private volatile boolean finished;

    private KeptLog(Path folder, long limitBytes, Secrets secrets) throws IOException {
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
     */
    public static KeptLog create(Path folder, long limitBytes, Secrets secrets) throws IOException {
        return new KeptLog(folder, limitBytes, secrets);
    }

    /** What the script writes; not for readers if there are secrets. */
    public static Path rawFile(Path folder) {
        return folder.resolve("log");
    }

    /** What readers get if there are secrets. */
    public static Path maskedFile(Path folder) {
        return folder.resolve("masked");
    }

    @Override
    public Redirect output() {
        return Redirect.appendTo(rawFile.toFile());
    }

    @Override
    public void say(String line) throws IOException {
        synchronized (this) {
            LogFiles.write(raw, raw.size(), ByteBuffer.wrap(BuildLog.bytes(line)));
        }
        poll();
        pump();
    }

    /** Looks at what the script has written, and cuts it where the log is full. A failure is kept for the executor. */
    void poll() {
        synchronized (this) {
            if (finished || failure != null) {
                return;
            }
            try {
                look();
            } catch (IOException e) {
                failure = e;
            }
        }
    }

    private void look() throws IOException {
        long size = raw.size();
        if (!outputEnded && (cut || size > limitBytes)) {
            size = cutBehindMarker(size);
        }
        rawBytes = size;
    }

    private long cutBehindMarker(long size) throws IOException {
        long end = limitBytes + marker.length;
        if (!cut) {
            LogFiles.write(raw, limitBytes, ByteBuffer.wrap(marker));
            cut = true;
            truncated = true;
        }
        if (size > end) {
            raw.truncate(end);
        }
        return end;
    }

    @Override
    public boolean isBehind() {
        return masker != null && pumpedBytes < rawBytes;
    }

    @Override
    public void pump() throws IOException {
        poll();
        synchronized (this) {
            if (failure != null) {
                throw failure;
            }
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
                append(masking.cut());
                hidden = true;
            }
            long until = at < limitBytes ? Math.min(end, limitBytes) : end;
            int read = raw.read(ByteBuffer.wrap(chunk, 0, (int) Math.min(chunk.length, until - at)), at);
            if (read <= 0) {
                return;
            }
            append(masking.mask(chunk, read));
            pumpedBytes = at + read;
        }
    }

    private void append(ByteBuffer bytes) throws IOException {
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
        poll();
        synchronized (this) {
            outputEnded = true;
        }
        pump();
    }

    @Override
    public void finish() throws IOException {
        pump();
        if (masker != null) {
            append(masker.finish());
        }
        synchronized (this) {
            finished = true;
        }
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
        try {
            raw.close();
        } finally {
            if (masked != null) {
                masked.close();
                Files.deleteIfExists(rawFile); // has secrets, also when the log could not be finished
            }
        }
    }
}
