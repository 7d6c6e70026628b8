package dev.touchstone.queue.torture;

import dev.touchstone.queue.Durability;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * Record of every answer that the threads of a session got from the queue, in a mapped file apart from the queue: it outlives a killed
 * process, and a copy of the file is a set of lower bounds at its beginning and of upper bounds at its end.
 *
 * <pre>
 *  0      8           16        24           32             40            48         56             64              72
 *  +------+-----------+---------+------------+--------------+-------------+----------+--------------+---------------+---- - -+
 *  | seed | generation| writers | durability | batch records| batch bytes |closed (1)| stamp synced | stamp flushed |        |
 *  +------+-----------+---------+------------+--------------+-------------+----------+--------------+---------------+---- - -+
 *  512 + 64 x producer: one long for each {@link Count}
 *  4096 + 8 x (RING x producer + index % RING): when the offer of that element returned, System.nanoTime
 *  REMOVALS + 8 x (RING x (PRODUCERS x cursor + producer) + index % RING): index &lt;&lt; 32 | {@link #BEGUN} or a stamp
 * </pre>
 *
 * <p><b>Stamps.</b> A removal gets the next stamp of the session's clock after it has returned. An append or flush reads the clock before
 * it begins, and writes that stamp to the head after it has returned: every removal with this stamp or a lower one had returned before the
 * append or flush was called.
 *
 * <p><b>Slots.</b> A producer offers an element only when the removals of the element that had the slot before are promised on all
 * cursors. So an element that is older than the ring must not come back.
 */
final class Ledger {
    static final int PRODUCERS = 8;
    static final int RING = 1 << 14;

    /** Cursors of a session with leases; the first is the queue's own. */
    static final List<String> CURSORS = List.of("", "audit", "billing", "mail");

    /** Removal state: no removal was begun. */
    static final long NONE = 0;
    /** Removal state: a removal was begun and may have returned. */
    static final long BEGUN = 1;
    /** Stamp of removals that earlier generations made. */
    static final long FIRST_STAMP = 2;
    /** Removal state: the slot is in use by a later element, so the removal was promised. */
    static final long PROMISED = -1;

    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int SEED = 0;
    private static final int GENERATION = 8;
    private static final int WRITERS = 16;
    private static final int DURABILITY = 24;
    private static final int BATCH_RECORDS = 32;
    private static final int BATCH_BYTES = 40;
    private static final int CLOSED = 48;
    private static final int SYNCED_STAMP = 56;
    private static final int FLUSHED_STAMP = 64;
    private static final int COUNTS = 512;
    private static final int COUNTS_BYTES = 64;
    private static final int TIMES = 4096;
    private static final int REMOVALS = TIMES + Long.BYTES * RING * PRODUCERS;
    private static final int BYTES = REMOVALS + Long.BYTES * RING * PRODUCERS * CURSORS.size();
    private static final long LOW_WORD = 0xFFFF_FFFFL;

    private final ByteBuffer file;

    /** Indices of a producer's elements; they count from 1. */
    enum Count {
        /** The last whose offer was begun. */
        ATTEMPTED(0),
        /** The last whose offer returned. */
        ACKED(1),
        /** The last that the consumer got. */
        POLLED(2),
        /** The last whose offer returned before a flush that returned. */
        FLUSHED_ACKED(3),
        /** The last that the consumer got before a flush that returned. */
        FLUSHED_POLLED(4),
        /** The last of earlier generations. */
        BASE(5);

        private final int slot;

        Count(int slot) {
            this.slot = slot;
        }
    }

    private Ledger(ByteBuffer file) {
        this.file = file;
    }

    /** Creates a ledger that no other process sees before {@link #publish}. */
    static Ledger create(Path unpublished, Settings settings, int generation) throws IOException {
        Files.deleteIfExists(unpublished);
        try (FileChannel channel = FileChannel.open(
                unpublished, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            Ledger ledger = new Ledger(channel.map(FileChannel.MapMode.READ_WRITE, 0, BYTES));
            ledger.put(SEED, settings.seed());
            ledger.put(GENERATION, generation);
            ledger.put(WRITERS, settings.writers());
            ledger.put(DURABILITY, settings.durability().name().charAt(0));
            ledger.put(BATCH_RECORDS, Settings.BATCH_RECORDS);
            ledger.put(BATCH_BYTES, Settings.BATCH_BYTES);
            ledger.put(SYNCED_STAMP, FIRST_STAMP);
            ledger.put(FLUSHED_STAMP, FIRST_STAMP);
            return ledger;
        }
    }

    static void publish(Path unpublished, Path ledger) throws IOException {
        Files.move(unpublished, ledger, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    static Ledger read(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return new Ledger(channel.map(FileChannel.MapMode.READ_ONLY, 0, BYTES));
        }
    }

    long seed() {
        return get(SEED);
    }

    int generation() {
        return (int) get(GENERATION);
    }

    Durability durability() {
        long initial = get(DURABILITY);
        for (Durability durability : Durability.values()) {
            if (durability.name().charAt(0) == initial) {
                return durability;
            }
        }
        throw new IllegalStateException("not a ledger: durability=" + initial);
    }

    long batchRecords() {
        return get(BATCH_RECORDS);
    }

    long batchBytes() {
        return get(BATCH_BYTES);
    }

    boolean closed() {
        return get(CLOSED) == 1;
    }

    void setClosed() {
        put(CLOSED, 1);
    }

    long get(Count count, int producer) {
        return get(at(count, producer));
    }

    void set(Count count, int producer, long index) {
        put(at(count, producer), index);
    }

    void acknowledge(int producer, long index) {
        put(timeAt(producer, index), System.nanoTime());
        set(Count.ACKED, producer, index);
    }

    /** Returns when the offer of one of the last {@link #RING} elements of the producer returned, by {@link System#nanoTime}. */
    long acknowledgedNanos(int producer, long index) {
        return get(timeAt(producer, index));
    }

    /** Returns the last stamp before a synced append that has returned. */
    long syncedStamp() {
        return get(SYNCED_STAMP);
    }

    /** Returns the last stamp before a flush that has returned. */
    long flushedStamp() {
        return get(FLUSHED_STAMP);
    }

    void synced(long stamp) {
        raise(SYNCED_STAMP, stamp);
    }

    void flushed(long stamp) {
        raise(FLUSHED_STAMP, stamp);
    }

    /** Notes, before the call, that a removal of the element is tried. */
    void beginRemoval(int cursor, int producer, long index) {
        int at = removalAt(cursor, producer, index);
        long now = get(at);
        while (now >>> 32 < index && !LONGS.compareAndSet(file, at, now, index << 32 | BEGUN)) {
            now = get(at);
        }
    }

    /** Notes, after the call, that a removal has returned; the first stamp stays. */
    void endRemoval(int cursor, int producer, long index, long stamp) {
        boolean unused =
                LONGS.compareAndSet(file, removalAt(cursor, producer, index), index << 32 | BEGUN, index << 32 | stamp);
    }

    /** Returns the removal's stamp, or {@link #NONE}, {@link #BEGUN} or {@link #PROMISED}. */
    long removal(int cursor, int producer, long index) {
        long word = get(removalAt(cursor, producer, index));
        if (word >>> 32 > index) {
            return PROMISED;
        }
        return word >>> 32 == index ? word & LOW_WORD : NONE;
    }

    private static int removalAt(int cursor, int producer, long index) {
        return REMOVALS + Long.BYTES * (RING * (PRODUCERS * cursor + producer) + (int) (index % RING));
    }

    private void raise(int at, long value) {
        long now = get(at);
        while (now < value && !LONGS.compareAndSet(file, at, now, value)) {
            now = get(at);
        }
    }

    private static int at(Count count, int producer) {
        return COUNTS + COUNTS_BYTES * producer + Long.BYTES * count.slot;
    }

    private static int timeAt(int producer, long index) {
        return TIMES + Long.BYTES * (RING * producer + (int) (index % RING));
    }

    private long get(int at) {
        return (long) LONGS.getAcquire(file, at);
    }

    private void put(int at, long value) {
        LONGS.setRelease(file, at, value);
    }
}
