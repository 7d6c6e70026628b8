package dev.touchstone.queue;

import static java.util.Objects.requireNonNull;

import dev.touchstone.queue.log.BlockCodec;
import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.DeflateCodec;
import dev.touchstone.queue.log.DiskFileIo;
import dev.touchstone.queue.log.LogOptions;
import dev.touchstone.queue.log.Lz4Codec;
import dev.touchstone.queue.log.engine.QueueLog;
import dev.touchstone.queue.log.engine.RecordLog;
import dev.touchstone.queue.replica.MemberSettings;
import dev.touchstone.queue.replica.ReplicatedLog;
import dev.touchstone.queue.replication.GroupOptions;
import dev.touchstone.queue.replication.ReplicationEngine;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A builder of a {@link DiskQueue}. Immutable and thread-safe: every method returns a new builder, and {@link #open} may be called again, as
 * for another {@link #folder}. Values out of their range are found by {@link #open}; null throws {@link NullPointerException} at once.
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
    private @Nullable Compression compression;
    private MemberSettings member = MemberSettings.DEFAULT;

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
        copy.compression = compression;
        copy.member = member;
        return copy;
    }

    private DiskQueueBuilder<T> with(Consumer<DiskQueueBuilder<T>> change) {
        DiskQueueBuilder<T> copy = copy(codec);
        change.accept(copy);
        return copy;
    }

    /**
     * Sets the folder, which belongs to this queue alone. Required. Made where absent, with its parents, for its owner only.
     *
     * @param newFolder the folder
     * @return the changed copy
     */
    public DiskQueueBuilder<T> folder(Path newFolder) {
        requireNonNull(newFolder, "folder");
        return with(copy -> copy.folder = newFolder);
    }

    /**
     * Sets the codec that turns elements into bytes and back; {@link Codec#bytes()} by default.
     *
     * @param <U> new element type
     * @param newCodec the codec
     * @return the changed copy
     */
    public <U> DiskQueueBuilder<U> codec(Codec<U> newCodec) {
        return copy(newCodec);
    }

    /**
     * Sets the length of a log file. The first files after an open are shorter.
     *
     * @param bytes length in bytes, at least 64 KiB; 64 MiB by default
     * @return the changed copy
     */
    public DiskQueueBuilder<T> segmentBytes(int bytes) {
        return with(copy -> copy.segmentBytes = bytes);
    }

    /**
     * Limits the length of an encoded element.
     *
     * @param bytes longest payload in bytes, at least 1; 16 MiB by default. The limit is never more than 1 B less than 256 MiB, never more than
     *     8 KiB less than a log file, and never more than 4 MiB for a {@linkplain DiskQueue#replicated replicated} queue
     * @return the changed copy
     */
    public DiskQueueBuilder<T> maxRecordBytes(int bytes) {
        return with(copy -> copy.maxRecordBytes = bytes);
    }

    /**
     * Bounds the elements that a {@linkplain Durability#BATCHED batched} queue holds in memory, and so what a killed process loses. At each
     * durability a quarter of {@code bytes} bounds the elements that share one write.
     *
     * @param records highest number of elements in memory, at least 4; 10 000 by default
     * @param bytes highest number of bytes in memory, or up to four larger elements, at least 16 KiB; 1 MiB by default
     * @param delay longest time for which an element is in memory, beside the writes that are under way, at least 1 ns; 10 ms by default
     * @return the changed copy
     */
    public DiskQueueBuilder<T> batch(int records, int bytes, Duration delay) {
        requireNonNull(delay, "batchDelay");
        return with(copy -> copy.batch = new LogOptions.BatchBound(records, bytes, clamped(delay)));
    }

    /**
     * Sets the time that {@link #open} waits for another owner of the folder; an interrupt ends the wait.
     *
     * @param timeout longest time to wait; does not wait if it is zero or negative; 1 s by default
     * @return the changed copy
     */
    public DiskQueueBuilder<T> lockTimeout(Duration timeout) {
        requireNonNull(timeout, "lockTimeout");
        return with(copy -> copy.lockTimeout = clamped(timeout));
    }

    /**
     * Limits the number of elements. An element counts until every cursor has removed it and all before it.
     *
     * @param elements highest number of elements, at least 1; no limit by default
     * @return the changed copy
     */
    public DiskQueueBuilder<T> maxElements(long elements) {
        return with(copy -> copy.maxElements = elements);
    }

    /**
     * Limits the bytes of all elements, each with its 16 bytes of header and padded to a multiple of 8; an empty queue takes one element
     * whatever its length. An element counts until every cursor has removed it and all before it.
     *
     * @param bytes highest number of bytes, at least 1; no limit by default
     * @return the changed copy
     */
    public DiskQueueBuilder<T> maxBytes(long bytes) {
        return with(copy -> copy.maxBytes = bytes);
    }

    /**
     * Counts the queue as full while its disk has fewer usable bytes, which is looked at ten times a second at most.
     *
     * @param bytes lowest number of usable bytes, at least 0; 0 by default, for no limit
     * @return the changed copy
     */
    public DiskQueueBuilder<T> minFreeBytes(long bytes) {
        return with(copy -> copy.minFreeBytes = bytes);
    }

    /**
     * Sets what {@code offer} does where a limit leaves no room.
     *
     * @param policy the policy; {@link WhenFull#BLOCK} by default
     * @return the changed copy
     */
    public DiskQueueBuilder<T> whenFull(WhenFull policy) {
        requireNonNull(policy, "whenFull");
        return with(copy -> copy.whenFull = policy);
    }

    /**
     * Sets a handler that is told of each element, or collection of {@code offerAll}, that a full queue refused. The offering thread calls it
     * before {@code offer} returns false, under no lock; what the handler throws is thrown to the caller. {@linkplain DiskQueue#blocking
     * Views} do not call it.
     *
     * @param handler the handler, thread-safe; does nothing by default
     * @return the changed copy
     */
    public DiskQueueBuilder<T> onRejected(Consumer<Object> handler) {
        requireNonNull(handler, "onRejected");
        return with(copy -> copy.onRejected = handler);
    }

    /**
     * Keeps removed elements for {@linkplain DiskQueue#iterator(long) replay}, whole files at a time. Nothing is kept by default.
     *
     * @param bytes highest number of bytes of log files that are kept, at least 0
     * @param age longest time since a file was written last, for which the file is kept; a negative time counts as zero
     * @return the changed copy
     */
    public DiskQueueBuilder<T> retain(long bytes, Duration age) {
        requireNonNull(age, "age");
        return with(copy -> copy.retention = new LogOptions.Retention(bytes, clamped(age)));
    }

    /**
     * Bounds the elements that are on {@linkplain QueueCursor#lease() lease} from a cursor.
     *
     * @param most highest number of leases at once, at least 1; 10 000 by default
     * @param time time after which an element is handed out again unless its lease was {@linkplain Lease#extend extended}, at least 1 ns; 30 s
     *     by default
     * @return the changed copy
     */
    public DiskQueueBuilder<T> leases(int most, Duration time) {
        requireNonNull(time, "time");
        return with(copy -> copy.leases = new LogOptions.Leases(most, clamped(time)));
    }

    /**
     * Delays the next delivery of an element that was given back or could not be decoded. The delay doubles with each delivery.
     *
     * @param first delay after the first delivery, at least {@link Duration#ZERO}, with which the element comes next; 100 ms by default
     * @param max longest delay, at least {@code first}; 1 min by default
     * @return the changed copy
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
     * Limits how often an element is handed out before it goes to the {@linkplain #deadLetters dead letters} in place of the next lease.
     * Without dead letters elements come again for ever. Leases count, and calls for which the codec throws; a {@code poll} hands out an
     * element whatever its count.
     *
     * @param deliveries highest number of deliveries, at least 1; 10 by default
     * @return the changed copy
     */
    public DiskQueueBuilder<T> maxDeliveries(int deliveries) {
        return with(copy -> copy.maxDeliveries = deliveries);
    }

    /**
     * Gives elements that were handed out too often to {@code handler}. No dead letters by default.
     *
     * @param handler receiver of the elements
     * @return the changed copy
     */
    public DiskQueueBuilder<T> deadLetters(DeadLetter.Handler handler) {
        requireNonNull(handler, "deadLetters");
        return with(copy -> copy.deadLetters = handler);
    }

    /**
     * Appends elements that were handed out too often to {@code queue}. Where that queue is full and rejects, or is closed, the consumer gets
     * its exception and the element stays.
     *
     * @param queue queue with the codec {@link DeadLetter#codec}, which must stay open for as long as this queue is
     * @return the changed copy
     */
    public DiskQueueBuilder<T> deadLetters(DiskQueue<DeadLetter> queue) {
        requireNonNull(queue, "deadLetters");
        return deadLetters(queue::add);
    }

    /**
     * Leaves consuming to {@linkplain DiskQueue#cursor named cursors}: an element is kept until all of them have removed it, and while
     * there are none. {@code poll}, {@code peek}, {@code lease}, {@code remove(sequence)} and {@code clear} of the queue itself throw {@link
     * UnsupportedOperationException}; its size is the number of elements that the slowest cursor has before it.
     *
     * @return the changed copy
     */
    public DiskQueueBuilder<T> namedCursorsOnly() {
        return with(copy -> copy.namedCursorsOnly = true);
    }

    /**
     * Sets the policy for damage.
     *
     * @param handler the policy; decides {@link Damage.Decision#THROW} by default
     * @return the changed copy
     */
    public DiskQueueBuilder<T> onDamage(Damage.Handler handler) {
        requireNonNull(handler, "onDamage");
        return with(copy -> copy.onDamage = handler);
    }

    /**
     * Compresses each log file in the background once it is full and on the device, where that saves at least an eighth of it; off by default.
     * Files of an earlier use are left as they are. A queue with compressed files must be opened with the same compression to be read, or
     * without any where that is one of the library's own; versions of the library before this option refuse them.
     *
     * @param newCompression compression for new files, and to read those that have its id; not null
     * @return the changed copy
     */
    public DiskQueueBuilder<T> compression(Compression newCompression) {
        requireNonNull(newCompression, "compression");
        return with(copy -> copy.compression = newCompression);
    }

    /**
     * Sets the address by which the other members of a {@linkplain DiskQueue#replicated replicated} queue reach this one, and on which it
     * listens unless it has {@linkplain #memberListen another one} for that. Required there, and used nowhere else, as are the other settings
     * of members.
     *
     * @param address {@code host:port}
     * @return the changed copy
     */
    public DiskQueueBuilder<T> member(String address) {
        requireNonNull(address, "member");
        return with(copy -> copy.member = member.withAddress(address));
    }

    /**
     * Sets the address on which a member listens where the others reach it by another one, as behind a translation of addresses or from
     * outside of a container. That of {@link #member} by default.
     *
     * @param address {@code host:port}; {@code 0.0.0.0} and {@code [::]} are all interfaces of the machine
     * @return the changed copy
     */
    public DiskQueueBuilder<T> memberListen(String address) {
        requireNonNull(address, "memberListen");
        return with(copy -> copy.member = member.withListen(address));
    }

    /**
     * Sets the members with which a replicated queue begins, the same at each of them. Once it has begun it knows its members itself. None for
     * a member that is to be {@linkplain Replication#addMember added}, which is the default.
     *
     * @param addresses {@code host:port} of each, this one's too
     * @return the changed copy
     */
    public DiskQueueBuilder<T> members(String... addresses) {
        List<String> all = List.of(addresses);
        return with(copy -> copy.member = member.withMembers(all));
    }

    /**
     * Sets times of a replicated queue.
     *
     * @param election time without a message from the leader after which a member stands for election, at least 100 ms; 500 ms by default
     * @param answer longest time that a call waits for the other members, at least 1 ms; 10 s by default
     * @return the changed copy
     */
    public DiskQueueBuilder<T> memberTimes(Duration election, Duration answer) {
        requireNonNull(election, "election");
        requireNonNull(answer, "answer");
        return with(copy -> copy.member = member.withTimes(election, answer));
    }

    /**
     * Encrypts what the members of a replicated queue send each other, and lets only those take part whose certificate the authority has
     * signed. No encryption by default.
     *
     * @param certificate the member's certificate chain, PEM
     * @param key its private key, PEM in PKCS #8
     * @param authority certificates of the authority, PEM
     * @return the changed copy
     */
    public DiskQueueBuilder<T> memberTls(Path certificate, Path key, Path authority) {
        GroupOptions.Tls files = new GroupOptions.Tls(
                requireNonNull(certificate, "certificate"),
                requireNonNull(key, "key"),
                requireNonNull(authority, "authority"));
        return with(copy -> copy.member = member.withTls(files));
    }

    /**
     * Opens the queue and recovers what an earlier use left: reads the last log file, and after a crash each one that may not be whole on the
     * device.
     *
     * @return the open queue, to be closed by the caller
     * @throws IllegalArgumentException if a value is out of its range, or no folder was given
     * @throws QueueLockedException if the folder is in use, and its owner did not release it within the {@linkplain #lockTimeout time}
     * @throws UnknownCompressionException if a file is compressed by another {@link #compression} than that of this builder
     * @throws CorruptQueueException if a file in the folder is not a queue's, or damaged where nothing can be read behind it
     * @throws QueueException if the file system refuses; a full disk does not as long as there is something to be read
     * @throws IllegalStateException if the queue is to be replicated, and the artefact {@code queue-replicated} is not there
     */
    public DiskQueue<T> open() {
        Path of = folder;
        if (of == null) {
            throw new IllegalArgumentException("no folder given");
        }
        check();
        int max = durability == Durability.REPLICATED ? ReplicatedLog.MAX_ELEMENT_BYTES : MAX_RECORD_BYTES;
        int longest = Math.min(Math.min(maxRecordBytes, max), segmentBytes - SEGMENT_OVERHEAD_BYTES);
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
                this::decide,
                codecs(compression));
        LogQueue.Settings settings = new LogQueue.Settings(
                longest,
                whenFull == WhenFull.BLOCK ? Long.MAX_VALUE / 2 : 0,
                namedCursorsOnly,
                onRejected,
                redelivery());
        long start = System.nanoTime();
        try {
            QueueLog log = durability == Durability.REPLICATED ? replica(options) : RecordLog.open(options);
            boolean opened = false;
            try {
                DiskQueue<T> queue = new LogQueue<>(log, codec, settings, Duration.ofNanos(System.nanoTime() - start));
                opened = true;
                return queue;
            } finally {
                if (!opened) {
                    log.close();
                }
            }
        } catch (IOException e) {
            throw Failures.of(e);
        }
    }

    private QueueLog replica(LogOptions options) throws IOException {
        ReplicationEngine engine = ServiceLoader.load(ReplicationEngine.class, ReplicationEngine.class.getClassLoader())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "no replication is available: add dev.touchstone:queue-replicated to the class path"));
        GroupOptions group = member.group(GroupOptions.folderIn(options.folder()));
        return new ReplicatedLog(options, new DiskFileIo(), member.answerTime(), engine, group);
    }

    /** Returns what reads compressed files, and compresses where a compression is given. */
    static LogOptions.Codecs codecs(@Nullable Compression compression) {
        return compression == null ? LogOptions.Codecs.READING : LogOptions.Codecs.writing(codec(compression));
    }

    /** Returns the JDK's deflate at a level. */
    static Compression deflate(int level) {
        return compression(new DeflateCodec(level));
    }

    /** Returns LZ4's block format. */
    static Compression lz4() {
        try {
            return compression(new Lz4Codec());
        } catch (LinkageError absent) {
            throw new IllegalStateException(
                    "LZ4 is not available: add at.yawk.lz4:lz4-java to the class path, or its module org.lz4.java",
                    absent);
        }
    }

    private static Compression compression(BlockCodec codec) {
        return new Compression() {
            @Override
            public int id() {
                return codec.id();
            }

            @Override
            public byte[] compress(byte[] block) {
                return codec.compress(block);
            }

            @Override
            public byte[] decompress(byte[] compressed, int bytes) {
                return codec.decompress(compressed, bytes);
            }
        };
    }

    private static BlockCodec codec(Compression compression) {
        int id = compression.id();
        if (id < Compression.MIN_CUSTOM_ID && id != 1 && id != 2) {
            throw new IllegalArgumentException("compression id=" + id + " is less than " + Compression.MIN_CUSTOM_ID);
        }
        return new BlockCodec() {
            @Override
            public int id() {
                return id;
            }

            @Override
            public byte[] compress(byte[] block) {
                return compression.compress(block);
            }

            @Override
            public byte[] decompress(byte[] compressed, int bytes) {
                return compression.decompress(compressed, bytes);
            }
        };
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
        atLeast("memberTimes election in ms", member.electionTimeout().toMillis(), 100);
        atLeast("memberTimes answer in ms", member.answerTime().toMillis(), 1);
    }

    private LogOptions.Commit commit() {
        return switch (durability) {
            case BATCHED -> LogOptions.Commit.MEMORY;
            case WRITTEN -> LogOptions.Commit.PAGE_CACHE;
            case SYNCED -> LogOptions.Commit.DEVICE;
            case REPLICATED -> LogOptions.Commit.MEMORY;
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
