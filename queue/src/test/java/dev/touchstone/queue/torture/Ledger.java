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

/**
 * What the threads of a session were told, kept in a mapped file apart from the queue: it outlives a killed process, and a copy of the
 * file is a set of lower bounds at its beginning and of upper bounds at its end.
 *
 * <pre>
 *  0      8           16        24           32             40            48            56
 *  +------+-----------+---------+------------+--------------+-------------+-------------+---- - -+
 *  | seed | generation| writers | durability | batch records| batch bytes | closed (1)  |        |
 *  +------+-----------+---------+------------+--------------+-------------+-------------+---- - -+
 *  512 + 64 x producer: one long for each {@link Count}
 *  4096 + 8 x (RING x producer + index % RING): when that element was acknowledged, System.nanoTime
 * </pre>
 */
final class Ledger {
    static final int PRODUCERS = 8;
    static final int RING = 1 << 14;

    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int SEED = 0;
    private static final int GENERATION = 8;
    private static final int WRITERS = 16;
    private static final int DURABILITY = 24;
    private static final int BATCH_RECORDS = 32;
    private static final int BATCH_BYTES = 40;
    private static final int CLOSED = 48;
    private static final int COUNTS = 512;
    private static final int COUNTS_BYTES = 64;
    private static final int TIMES = 4096;
    private static final int BYTES = TIMES + Long.BYTES * RING * PRODUCERS;

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

    /** A ledger that nobody sees before {@link #publish}. */
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

    /** When one of the last {@link #RING} elements of the producer was acknowledged, by {@link System#nanoTime}. */
    long acknowledgedNanos(int producer, long index) {
        return get(timeAt(producer, index));
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
