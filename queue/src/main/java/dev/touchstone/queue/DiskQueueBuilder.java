package dev.touchstone.queue;

import static java.util.Objects.requireNonNull;

import dev.touchstone.queue.log.LogOptions;
import dev.touchstone.queue.log.RecordLog;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link DiskQueue} is opened. Immutable: every method returns a new builder. All values are checked by {@link #open}.
 *
 * @param <T> element type
 */
public final class DiskQueueBuilder<T> {
    private static final int MIN_SEGMENT_BYTES = 64 << 10;
    private static final int SEGMENT_OVERHEAD_BYTES = 8 << 10;
    private static final int MIN_BATCH_BYTES = 16 << 10;
    private static final int MIN_BATCH_RECORDS = 4;
    private static final int MOST_RECORD_BYTES = (1 << 28) - 1;

    private final Durability durability;
    private final Codec<T> codec;
    private final @Nullable Path folder;
    private final int segmentBytes;
    private final int maxRecordBytes;
    private final int batchRecords;
    private final int batchBytes;
    private final Duration batchDelay;
    private final Duration lockTimeout;

    private DiskQueueBuilder(
            Durability durability,
            Codec<T> codec,
            @Nullable Path folder,
            int segmentBytes,
            int maxRecordBytes,
            int batchRecords,
            int batchBytes,
            Duration batchDelay,
            Duration lockTimeout) {
        this.durability = durability;
        this.codec = requireNonNull(codec, "codec");
        this.folder = folder;
        this.segmentBytes = segmentBytes;
        this.maxRecordBytes = maxRecordBytes;
        this.batchRecords = batchRecords;
        this.batchBytes = batchBytes;
        this.batchDelay = requireNonNull(batchDelay, "batchDelay");
        this.lockTimeout = requireNonNull(lockTimeout, "lockTimeout");
    }

    static DiskQueueBuilder<byte[]> of(Durability durability) {
        return new DiskQueueBuilder<>(
                durability,
                Codec.bytes(),
                null,
                64 << 20,
                16 << 20,
                10_000,
                1 << 20,
                Duration.ofMillis(10),
                Duration.ofSeconds(1));
    }

    /** The folder of this queue alone, made where absent. Required. */
    public DiskQueueBuilder<T> folder(Path newFolder) {
        return new DiskQueueBuilder<>(
                durability,
                codec,
                requireNonNull(newFolder, "folder"),
                segmentBytes,
                maxRecordBytes,
                batchRecords,
                batchBytes,
                batchDelay,
                lockTimeout);
    }

    /** How elements become bytes; {@link Codec#bytes()} unless told otherwise. */
    public <U> DiskQueueBuilder<U> codec(Codec<U> newCodec) {
        return new DiskQueueBuilder<>(
                durability,
                newCodec,
                folder,
                segmentBytes,
                maxRecordBytes,
                batchRecords,
                batchBytes,
                batchDelay,
                lockTimeout);
    }

    /** Length of a log file in bytes; 64 MiB unless told otherwise, at least 64 KiB. */
    public DiskQueueBuilder<T> segmentBytes(int bytes) {
        return new DiskQueueBuilder<>(
                durability, codec, folder, bytes, maxRecordBytes, batchRecords, batchBytes, batchDelay, lockTimeout);
    }

    /** Longest encoded element in bytes; 16 MiB unless told otherwise, and never more than fits into a segment. */
    public DiskQueueBuilder<T> maxRecordBytes(int bytes) {
        return new DiskQueueBuilder<>(
                durability, codec, folder, segmentBytes, bytes, batchRecords, batchBytes, batchDelay, lockTimeout);
    }

    /**
     * Bounds what a {@linkplain Durability#BATCHED batched} queue holds in memory, and so what a killed process loses: never more
     * than {@code records} elements (at least 4), {@code bytes} bytes (or up to four larger elements), nor any element for longer than
     * {@code delay} and the writes that are under way. 10 000, 1 MiB and 10 ms unless told otherwise.
     */
    public DiskQueueBuilder<T> batch(int records, int bytes, Duration delay) {
        return new DiskQueueBuilder<>(
                durability, codec, folder, segmentBytes, maxRecordBytes, records, bytes, delay, lockTimeout);
    }

    /** How long {@link #open} waits for another owner of the folder; 1 s unless told otherwise. */
    public DiskQueueBuilder<T> lockTimeout(Duration timeout) {
        return new DiskQueueBuilder<>(
                durability, codec, folder, segmentBytes, maxRecordBytes, batchRecords, batchBytes, batchDelay, timeout);
    }

    /**
     * Opens the queue and recovers what an earlier use left: a scan of the last segment.
     *
     * @throws IllegalArgumentException if a value is out of its range, or no folder was given
     * @throws QueueLockedException if the folder is in use
     * @throws CorruptQueueException if a file in the folder is not a queue's, or damaged where nothing can be read behind it
     * @throws QueueFailedException if the file system refuses
     */
    public DiskQueue<T> open() {
        Path of = folder;
        if (of == null) {
            throw new IllegalArgumentException("no folder given");
        }
        atLeast("segmentBytes", segmentBytes, MIN_SEGMENT_BYTES);
        atLeast("maxRecordBytes", maxRecordBytes, 1);
        atLeast("batchRecords", batchRecords, MIN_BATCH_RECORDS);
        atLeast("batchBytes", batchBytes, MIN_BATCH_BYTES);
        atLeast("batchDelay in ns", batchDelay.toNanos(), 1);
        atLeast("lockTimeout in ns", lockTimeout.toNanos(), 0);
        int longest = Math.min(Math.min(maxRecordBytes, MOST_RECORD_BYTES), segmentBytes - SEGMENT_OVERHEAD_BYTES);
        LogOptions options =
                new LogOptions(of, commit(), segmentBytes, batchRecords, batchBytes, batchDelay, lockTimeout);
        try {
            return new LogQueue<>(RecordLog.open(options), codec, longest);
        } catch (IOException e) {
            throw QueueException.of(e);
        }
    }

    private LogOptions.Commit commit() {
        return switch (durability) {
            case BATCHED -> LogOptions.Commit.MEMORY;
            case WRITTEN -> LogOptions.Commit.PAGE_CACHE;
            case SYNCED -> LogOptions.Commit.DEVICE;
        };
    }

    private static void atLeast(String name, long value, long least) {
        if (value < least) {
            throw new IllegalArgumentException(name + "=" + value + " is less than " + least);
        }
    }
}
