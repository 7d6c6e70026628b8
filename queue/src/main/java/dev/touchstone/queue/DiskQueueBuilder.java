package dev.touchstone.queue;

import static java.util.Objects.requireNonNull;

import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.LogOptions;
import dev.touchstone.queue.log.engine.RecordLog;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
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
    private static final int MAX_RECORD_BYTES = (1 << 28) - 1 - Long.BYTES; // with the time of a delayed one

    private final Durability durability;
    private final Codec<T> codec;

    // Never changed once the builder is handed out.
    private @Nullable Path folder;
    private int segmentBytes = 64 << 20;
    private int maxRecordBytes = 16 << 20;
    private LogOptions.BatchBound batch = new LogOptions.BatchBound(10_000, 1 << 20, Duration.ofMillis(10));
    private Duration lockTimeout = Duration.ofSeconds(1);
    private long maxElements = Long.MAX_VALUE;
    private long maxBytes = Long.MAX_VALUE;
    private long minFreeBytes;
    private WhenFull whenFull = WhenFull.BLOCK;
    private Consumer<Object> onRejected = element -> {};
    private LogOptions.Retention retention = LogOptions.Retention.NONE;
    private LogOptions.Leases leases = new LogOptions.Leases(10_000, Duration.ofSeconds(30));
    private Duration firstDelay = Duration.ofMillis(100);
    private Duration maxDelay = Duration.ofMinutes(1);
    private int maxDeliveries = 10;
    private DeadLetter.@Nullable Handler deadLetters;
    private boolean namedCursorsOnly;
    private Damage.Handler onDamage = damage -> Damage.Decision.THROW;

    private DiskQueueBuilder(Durability durability, Codec<T> codec) {
        this.durability = durability;
        this.codec = requireNonNull(codec, "codec");
    }

    static DiskQueueBuilder<byte[]> of(Durability durability) {
        return new DiskQueueBuilder<>(durability, Codec.bytes());
    }

    private <U> DiskQueueBuilder<U> copy(Codec<U> newCodec) {
        DiskQueueBuilder<U> copy = new DiskQueueBuilder<>(durability, newCodec);
        copy.folder = folder;
        copy.segmentBytes = segmentBytes;
        copy.maxRecordBytes = maxRecordBytes;
        copy.batch = batch;
        copy.lockTimeout = lockTimeout;
        copy.maxElements = maxElements;
        copy.maxBytes = maxBytes;
        copy.minFreeBytes = minFreeBytes;
        copy.whenFull = whenFull;
        copy.onRejected = onRejected;
        copy.retention = retention;
        copy.leases = leases;
        copy.firstDelay = firstDelay;
        copy.maxDelay = maxDelay;
        copy.maxDeliveries = maxDeliveries;
        copy.deadLetters = deadLetters;
        copy.namedCursorsOnly = namedCursorsOnly;
        copy.onDamage = onDamage;
        return copy;
    }

    private DiskQueueBuilder<T> with(Consumer<DiskQueueBuilder<T>> change) {
        DiskQueueBuilder<T> copy = copy(codec);
        change.accept(copy);
        return copy;
    }

    /** The folder of this queue alone, made where absent. Required. */
    public DiskQueueBuilder<T> folder(Path newFolder) {
        requireNonNull(newFolder, "folder");
        return with(copy -> copy.folder = newFolder);
    }

    /** How elements become bytes; {@link Codec#bytes()} unless told otherwise. */
    public <U> DiskQueueBuilder<U> codec(Codec<U> newCodec) {
        return copy(newCodec);
    }

    /** Length of a log file in bytes; 64 MiB unless told otherwise, at least 64 KiB. */
    public DiskQueueBuilder<T> segmentBytes(int bytes) {
        return with(copy -> copy.segmentBytes = bytes);
    }

    /** Longest encoded element in bytes; 16 MiB unless told otherwise, and never more than fits into a segment. */
    public DiskQueueBuilder<T> maxRecordBytes(int bytes) {
        return with(copy -> copy.maxRecordBytes = bytes);
    }

    /**
     * Bounds what a {@linkplain Durability#BATCHED batched} queue holds in memory, and so what a killed process loses: never more
     * than {@code records} elements (at least 4), {@code bytes} bytes (or up to four larger elements), nor any element for longer than
     * {@code delay} and the writes that are under way. 10 000, 1 MiB and 10 ms unless told otherwise.
     */
    public DiskQueueBuilder<T> batch(int records, int bytes, Duration delay) {
        requireNonNull(delay, "batchDelay");
        return with(copy -> copy.batch = new LogOptions.BatchBound(records, bytes, clamped(delay)));
    }

    /** How long {@link #open} waits for another owner of the folder; 1 s unless told otherwise. */
    public DiskQueueBuilder<T> lockTimeout(Duration timeout) {
        requireNonNull(timeout, "lockTimeout");
        return with(copy -> copy.lockTimeout = clamped(timeout));
    }

    /**
     * Limits the queue to so many elements: never more than {@code elements} are in it. An element counts until every cursor has removed
     * it and all before it. No limit unless told otherwise.
     */
    public DiskQueueBuilder<T> maxElements(long elements) {
        return with(copy -> copy.maxElements = elements);
    }

    /**
     * Limits the queue to so many bytes of elements, each with its 16 bytes of header and padded to a multiple of 8; an empty queue
     * takes one element whatever its length. No limit unless told otherwise.
     */
    public DiskQueueBuilder<T> maxBytes(long bytes) {
        return with(copy -> copy.maxBytes = bytes);
    }

    /** Counts the queue as full while its disk has fewer usable bytes; looked at ten times a second. 0 unless told otherwise. */
    public DiskQueueBuilder<T> minFreeBytes(long bytes) {
        return with(copy -> copy.minFreeBytes = bytes);
    }

    /** What {@code offer} does where a limit leaves no room; {@link WhenFull#BLOCK} unless told otherwise. */
    public DiskQueueBuilder<T> whenFull(WhenFull policy) {
        requireNonNull(policy, "whenFull");
        return with(copy -> copy.whenFull = policy);
    }

    /**
     * Is told of each element, or collection of {@code offerAll}, that a full queue refused, by the offering thread before {@code offer}
     * returns false.
     */
    public DiskQueueBuilder<T> onRejected(Consumer<Object> handler) {
        requireNonNull(handler, "onRejected");
        return with(copy -> copy.onRejected = handler);
    }

    /**
     * Keeps removed elements for {@linkplain DiskQueue#iterator(long) replay}: at most {@code bytes} of log files, and none that was
     * written last longer ago than {@code age}. Whole files at a time. Nothing is kept unless told otherwise.
     */
    public DiskQueueBuilder<T> retain(long bytes, Duration age) {
        requireNonNull(age, "age");
        return with(copy -> copy.retention = new LogOptions.Retention(bytes, clamped(age)));
    }

    /**
     * Bounds the leases of each cursor: at most {@code most} elements are on {@linkplain QueueCursor#lease lease} at once, each for {@code
     * time} unless it is {@linkplain Lease#extend extended}. 10 000 and 30 s unless told otherwise.
     */
    public DiskQueueBuilder<T> leases(int most, Duration time) {
        requireNonNull(time, "time");
        return with(copy -> copy.leases = new LogOptions.Leases(most, clamped(time)));
    }

    /**
     * Delays the next delivery of an element that was given back or could not be decoded: by {@code first} after its first delivery, and
     * twice as long after each that follows, up to {@code max}. 100 ms and 1 min unless told otherwise; with {@link Duration#ZERO} it
     * comes next.
     */
    public DiskQueueBuilder<T> redeliveryDelay(Duration first, Duration max) {
        requireNonNull(first, "first");
        requireNonNull(max, "max");
        return with(copy -> {
            copy.firstDelay = first;
            copy.maxDelay = max;
        });
    }

    /**
     * Hands an element out so often before it goes to the {@linkplain #deadLetters dead letters}; 10 unless told otherwise. Leases count,
     * and calls for which the codec throws; {@code poll} hands out an element whatever its count. Without dead letters elements come again
     * for ever.
     */
    public DiskQueueBuilder<T> maxDeliveries(int deliveries) {
        return with(copy -> copy.maxDeliveries = deliveries);
    }

    /** Gives elements that were handed out too often to {@code handler}. No dead letters unless told otherwise. */
    public DiskQueueBuilder<T> deadLetters(DeadLetter.Handler handler) {
        requireNonNull(handler, "deadLetters");
        return with(copy -> copy.deadLetters = handler);
    }

    /**
     * Appends elements that were handed out too often to {@code queue}, which has the codec {@link DeadLetter#codec}. It must stay open for
     * as long as this queue is.
     */
    public DiskQueueBuilder<T> deadLetters(DiskQueue<DeadLetter> queue) {
        requireNonNull(queue, "deadLetters");
        return deadLetters(queue::add);
    }

    /**
     * Leaves consuming to {@linkplain DiskQueue#cursor named cursors}: an element is kept until all of them have removed it, and while
     * there are none. {@code poll}, {@code peek}, {@code lease}, {@code remove(sequence)} and {@code clear} of the queue itself throw {@link
     * UnsupportedOperationException}; its size is what the slowest cursor has before it.
     */
    public DiskQueueBuilder<T> namedCursorsOnly() {
        return with(copy -> copy.namedCursorsOnly = true);
    }

    /** Decides what is done about damage; {@link Damage.Decision#THROW} unless told otherwise. */
    public DiskQueueBuilder<T> onDamage(Damage.Handler handler) {
        requireNonNull(handler, "onDamage");
        return with(copy -> copy.onDamage = handler);
    }

    /**
     * Opens the queue and recovers what an earlier use left: a scan of the log files that may not be on the device, normally the last.
     *
     * @throws IllegalArgumentException if a value is out of its range, or no folder was given
     * @throws QueueLockedException if the folder is in use
     * @throws CorruptQueueException if a file in the folder is not a queue's, or damaged where nothing can be read behind it
     * @throws QueueException if the file system refuses; a full disk does not as long as there is something to be read
     */
    public DiskQueue<T> open() {
        Path of = folder;
        if (of == null) {
            throw new IllegalArgumentException("no folder given");
        }
        check();
        int longest = Math.min(Math.min(maxRecordBytes, MAX_RECORD_BYTES), segmentBytes - SEGMENT_OVERHEAD_BYTES);
        LogOptions options = new LogOptions(
                of,
                commit(),
                segmentBytes,
                batch,
                lockTimeout,
                new LogOptions.Limits(maxElements, maxBytes, minFreeBytes, policy()),
                retention,
                leases,
                namedCursorsOnly,
                this::decide);
        LogQueue.Settings settings = new LogQueue.Settings(
                longest,
                whenFull == WhenFull.BLOCK ? Long.MAX_VALUE / 2 : 0,
                namedCursorsOnly,
                onRejected,
                redelivery());
        long start = System.nanoTime();
        try {
            RecordLog log = RecordLog.open(options);
            return new LogQueue<>(log, codec, settings, Duration.ofNanos(System.nanoTime() - start));
        } catch (IOException e) {
            throw Failures.of(e);
        }
    }

    private ElementCursor.Redelivery redelivery() {
        return new ElementCursor.Redelivery(
                deadLetters == null ? Integer.MAX_VALUE : maxDeliveries,
                clamped(firstDelay),
                clamped(maxDelay),
                deadLetters);
    }

    private void check() {
        atLeast("maxDeliveries", maxDeliveries, 1);
        atLeast("first redelivery delay in ns", firstDelay.isNegative() ? -1 : 0, 0);
        atLeast("max redelivery delay in ns", maxDelay.compareTo(firstDelay), 0);
        atLeast("segmentBytes", segmentBytes, MIN_SEGMENT_BYTES);
        atLeast("maxRecordBytes", maxRecordBytes, 1);
        atLeast("batchRecords", batch.records(), MIN_BATCH_RECORDS);
        atLeast("batchBytes", batch.bytes(), MIN_BATCH_BYTES);
        atLeast("batchDelay in ns", batch.delay().toNanos(), 1);
        atLeast("maxElements", maxElements, 1);
        atLeast("maxBytes", maxBytes, 1);
        atLeast("minFreeBytes", minFreeBytes, 0);
        atLeast("retained bytes", retention.bytes(), 0);
        atLeast("leases", leases.most(), 1);
        atLeast("lease time in ns", leases.timeout().toNanos(), 1);
    }

    private LogOptions.Commit commit() {
        return switch (durability) {
            case BATCHED -> LogOptions.Commit.MEMORY;
            case WRITTEN -> LogOptions.Commit.PAGE_CACHE;
            case SYNCED -> LogOptions.Commit.DEVICE;
        };
    }

    private LogOptions.WhenFull policy() {
        return switch (whenFull) {
            case BLOCK -> LogOptions.WhenFull.WAIT;
            case REJECT -> LogOptions.WhenFull.REFUSE;
            case DROP_OLDEST -> LogOptions.WhenFull.DROP_OLDEST;
        };
    }

    private LogOptions.OnDamage decide(CorruptLogException damage) {
        Damage event = new Damage(damage.file(), damage.offset(), damage.field(), damage.expected(), damage.got());
        return switch (onDamage.decide(event)) {
            case SKIP -> LogOptions.OnDamage.SKIP;
            case THROW -> LogOptions.OnDamage.THROW;
            case STOP -> LogOptions.OnDamage.STOP;
        };
    }

    private static Duration clamped(Duration duration) {
        return Duration.ofNanos(ElementCursor.nanos(duration));
    }

    private static void atLeast(String name, long value, long least) {
        if (value < least) {
            throw new IllegalArgumentException(name + "=" + value + " is less than " + least);
        }
    }
}
