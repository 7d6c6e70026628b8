package dev.touchstone.benchmarks.queue.peer;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.nio.file.Path;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.jspecify.annotations.Nullable;

/**
 * H2's MVStore as a table of jobs: a map of growing numbers to records, and a map of the numbers that are leased to the times at which
 * those leases end.
 *
 * <p>{@link #open} commits and syncs after each addition, outside of the lock, so that the syncs of several workers overlap; a lease and
 * a removal alone are committed and not synced. {@link #openBatched} leaves commits to the store's own thread, which makes them after
 * 10 ms or 1 MiB and syncs none.
 */
public final class MvStoreJobs implements JobTable {
    /*
     * Who calls:      any number of workers.
     * Invariants:     a number is in leases only if it is in jobs; every number below head is leased or removed.
     * Ordering:       the maps change together under the lock; a commit takes whatever has changed by then, so that it holds the
     *                 whole of the caller's change, and may hold a part of another worker's, which has not returned yet.
     * Failure:        the store closes itself and every later call throws.
     */

    private static final int RETENTION_MILLIS = 1_000;
    private static final int BATCH_MILLIS = 10;
    private static final int BATCH_KIBIBYTES = 1_024;

    private final ReentrantLock lock = new ReentrantLock();
    private final boolean batched;
    private final MVStore store;
    private final LongAdder forces = new LongAdder();

    @GuardedBy("lock")
    private final MVMap<Long, byte[]> jobs;

    @GuardedBy("lock")
    private final MVMap<Long, Long> leases;

    @GuardedBy("lock")
    private long head;

    @GuardedBy("lock")
    private long tail;

    private MvStoreJobs(MVStore store, boolean batched) {
        this.store = store;
        this.batched = batched;
        jobs = store.openMap("jobs");
        leases = store.openMap("leases");
        leases.clear();
        Long first = jobs.firstKey();
        Long last = jobs.lastKey();
        head = first == null ? 0 : first;
        tail = last == null ? 0 : last + 1;
    }

    /** Opens a table in {@code folder} that waits for the device after each addition. */
    public static JobTable open(Path folder) {
        return open(folder, false);
    }

    /** Opens a table in {@code folder} that commits batches to the page cache. */
    public static JobTable openBatched(Path folder) {
        return open(folder, true);
    }

    private static JobTable open(Path folder, boolean batched) {
        MVStore.Builder builder =
                new MVStore.Builder().fileName(folder.resolve("jobs.mv").toString());
        MVStore store = batched
                ? builder.autoCommitBufferSize(BATCH_KIBIBYTES).open()
                : builder.autoCommitDisabled().open();
        store.setRetentionTime(RETENTION_MILLIS);
        if (batched) {
            store.setAutoCommitDelay(BATCH_MILLIS);
        }
        return new MvStoreJobs(store, batched);
    }

    @Override
    public void write(byte[] record) {
        lock.lock();
        try {
            jobs.put(tail++, record);
        } finally {
            lock.unlock();
        }
        commitAndSync();
    }

    @Override
    public byte @Nullable [] read() {
        Job first = lease();
        if (first == null) {
            return null;
        }
        finish(first);
        return first.payload();
    }

    @Override
    public @Nullable Job lease() {
        Job leased;
        lock.lock();
        try {
            leased = leaseFirst();
        } finally {
            lock.unlock();
        }
        commit();
        return leased;
    }

    @Override
    public void finish(Job done) {
        lock.lock();
        try {
            remove((Leased) done);
        } finally {
            lock.unlock();
        }
        commit();
    }

    @Override
    public @Nullable Job exchange(Job done, byte[] added) {
        Job leased;
        lock.lock();
        try {
            remove((Leased) done);
            jobs.put(tail++, added);
            leased = leaseFirst();
        } finally {
            lock.unlock();
        }
        commitAndSync();
        return leased;
    }

    @Override
    public void scan(Consumer<byte[]> sink) {
        lock.lock();
        try {
            jobs.cursor(null).forEachRemaining(number -> sink.accept(jobs.get(number)));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void clear() {
        lock.lock();
        try {
            jobs.clear();
            leases.clear();
            head = tail;
        } finally {
            lock.unlock();
        }
        commitAndSync();
    }

    @Override
    public long forces() {
        return forces.sum();
    }

    @Override
    public void close() {
        store.close();
    }

    private void commit() {
        if (!batched) {
            store.commit();
        }
    }

    private void commitAndSync() {
        if (!batched) {
            store.commit();
            store.sync();
            forces.increment();
        }
    }

    @GuardedBy("lock")
    private @Nullable Job leaseFirst() {
        long now = System.currentTimeMillis();
        Long number = leases.firstKey();
        if (number == null || requireNonNull(leases.get(number)) > now) {
            number = jobs.ceilingKey(head);
            if (number == null) {
                return null;
            }
            head = number + 1;
        }
        leases.put(number, now + LEASE_MILLIS);
        return new Leased(number, now + LEASE_MILLIS, requireNonNull(jobs.get(number)));
    }

    @GuardedBy("lock")
    private void remove(Leased done) {
        if (!leases.remove(done.number, done.until)) {
            throw new IllegalStateException("the lease of the job has ended, number=" + done.number);
        }
        jobs.remove(done.number);
    }

    @SuppressWarnings("ArrayRecordComponent") // nobody compares leases
    private record Leased(long number, long until, byte[] payload) implements Job {}
}
