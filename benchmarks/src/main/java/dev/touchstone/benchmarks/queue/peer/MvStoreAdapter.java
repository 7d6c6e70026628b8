package dev.touchstone.benchmarks.queue.peer;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.jspecify.annotations.Nullable;

/**
 * H2's MVStore as a queue: a map of growing numbers to records, with a commit and a sync after each write; its own commits on a timer
 * are off. Chunks without live data are used again after a second, which is safe because every commit is synced.
 *
 * <p>A removal is committed with the next write. A record that a slower writer has yet to store stops the reader at its number.
 */
public final class MvStoreAdapter implements QueueUnderTest {

    private static final int RETENTION_MILLIS = 1_000;
    private static final int DEFAULT_RETENTION_MILLIS = 45_000;

    private final MVStore store;
    private final MVMap<Long, byte[]> records;
    private final AtomicLong tail;
    private final LongAdder forces = new LongAdder();
    private long head;

    private MvStoreAdapter(MVStore store) {
        this.store = store;
        records = store.openMap("queue");
        Long first = records.firstKey();
        Long last = records.lastKey();
        head = first == null ? 0 : first;
        tail = new AtomicLong(last == null ? 0 : last + 1);
    }

    /** Opens a store in {@code folder}. */
    public static QueueUnderTest open(Path folder) {
        return open(folder, RETENTION_MILLIS);
    }

    /** Opens a store in {@code folder} that keeps chunks without live data for 45 s, its default. */
    public static QueueUnderTest openDefaultRetention(Path folder) {
        return open(folder, DEFAULT_RETENTION_MILLIS);
    }

    private static QueueUnderTest open(Path folder, int retentionMillis) {
        MVStore store = new MVStore.Builder()
                .fileName(folder.resolve("queue.mv").toString())
                .autoCommitDisabled()
                .open();
        store.setRetentionTime(retentionMillis);
        return new MvStoreAdapter(store);
    }

    @Override
    public void write(byte[] record) {
        records.put(tail.getAndIncrement(), record);
        store.commit();
        store.sync();
        forces.increment();
    }

    @Override
    public byte @Nullable [] read() {
        byte[] record = records.remove(head);
        if (record != null) {
            head++;
        }
        return record;
    }

    @Override
    public void scan(Consumer<byte[]> sink) {
        records.cursor(head).forEachRemaining(number -> sink.accept(records.get(number)));
    }

    @Override
    public void clear() {
        records.clear();
        store.commit();
        store.sync();
        head = tail.get();
    }

    @Override
    public long forces() {
        return forces.sum();
    }

    @Override
    public void close() {
        store.close();
    }
}
