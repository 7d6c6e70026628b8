package dev.touchstone.index.server.store;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.index.IndexException;
import dev.touchstone.index.price.BatchFormat;
import dev.touchstone.index.price.PriceBatch;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.server.api.PriceService;
import dev.touchstone.queue.Damage;
import dev.touchstone.queue.DiskQueue;
import dev.touchstone.queue.QueueException;
import dev.touchstone.queue.QueueRefusedException;
import java.io.IOException;
import java.lang.System.Logger;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A durable index in a folder: a snapshot file and a log of the batches since then. Thread-safe.
 *
 * <p>{@link #update} returns when its batch is on the device, and visible. Versions become visible in the order of the log. Whenever the process
 * or the machine ends, the next {@link #open} finds every batch whose update has returned, each applied once, and perhaps some whose updates had
 * not returned. A folder is open in one process at a time.
 *
 * <p>A snapshot is made in the background once the log has more than {@link StoreOptions#maxLogBytes}, by {@link #snapshot}, and by {@link #close}.
 * The index must be changed through the store only.
 *
 * <p><b>Who calls.</b> Any thread may call every method. The thread that gets {@code committing} commits the batches of all threads that wait for
 * it, with one force. Snapshots are made by one thread at a time, which holds {@code snapshotting}.
 *
 * <p><b>Invariants.</b> The visible version is that of the last entry that was appended without failure. All entries before {@code firstEntry} are
 * in the snapshot on the device. Nothing is appended while {@code committing} is free.
 *
 * <p><b>Ordering.</b> {@code snapshotting} is taken before {@code committing}. A batch is checked, then logged, then published. A snapshot is on
 * the device before an entry that it contains is removed.
 *
 * <p><b>Failure.</b> An append that fails publishes nothing. Entries that it left have versions that later entries have again, and are ignored by
 * {@link LogPlan}. After a failure that ends the log, all updates fail until the store is opened again.
 */
public final class PriceStore implements AutoCloseable, PriceService.Updater {
    private static final Logger LOG = System.getLogger(PriceStore.class.getName());
    private static final int MAX_GROUP = 256;
    private static final long MAX_GROUP_BYTES = 16 << 20;

    private final StoreFiles files;
    private final long maxLogBytes;
    private final DiskQueue<byte[]> log;
    private final PriceIndex index;
    private final BatchFormat format;
    private final CrashPoint.Observer observer;
    private final @Nullable Object identity; // of the folder that was opened
    private final Queue<PendingUpdate> pending = new ConcurrentLinkedQueue<>();
    private final ReentrantLock committing = new ReentrantLock();
    private final ReentrantLock snapshotting = new ReentrantLock();
    private final AtomicBoolean isSnapshotDue = new AtomicBoolean();
    private final AtomicLong snapshotFailures = new AtomicLong();
    private volatile long snapshotVersion;
    private final AtomicLong logBytes; // changed by holders of committing
    private volatile boolean isClosed; // set by the holder of both locks

    @GuardedBy("committing")
    private long snapshotAt; // bytes of the log that make a snapshot due

    @GuardedBy("committing")
    private @Nullable String failure; // reason why there are no more updates

    @GuardedBy("snapshotting")
    private long firstEntry; // sequence of the first entry that was not removed

    /** An update that waits to be committed. Written and read by the holders of {@code committing}. */
    private static final class PendingUpdate {
        final PriceBatch batch;
        long version;
        boolean isDone;

        @Nullable
        Exception refusal;

        PendingUpdate(PriceBatch batch) {
            this.batch = batch;
        }

        void fail(Exception reason) {
            refusal = reason;
            isDone = true;
        }
    }

    private PriceStore(
            StoreFiles files,
            StoreOptions options,
            DiskQueue<byte[]> log,
            PriceIndex index,
            CrashPoint.Observer observer,
            long snapshotVersion,
            long firstEntry,
            long logBytes)
            throws IOException {
        this.files = files;
        identity = files.identity();
        this.maxLogBytes = options.maxLogBytes();
        this.log = log;
        this.index = index;
        this.observer = observer;
        this.snapshotVersion = snapshotVersion;
        this.firstEntry = firstEntry;
        this.logBytes = new AtomicLong(logBytes);
        snapshotAt = maxLogBytes;
        format = new BatchFormat(index);
    }

    /**
     * Returns whether a folder holds a store, open or not, damaged or not.
     *
     * @param folder path of the folder
     * @return true if there is a snapshot
     */
    public static boolean exists(Path folder) {
        return new StoreFiles(folder).isStore();
    }

    /**
     * Makes a store of an index. Folders that do not exist are made for their owner only; so are all files.
     *
     * @param folder path of the folder, which must not hold a store
     * @param index index at any version, which belongs to the store from now on
     * @param options options of the open store; mapping plays no role, as the index is there
     * @return an open store
     * @throws FileAlreadyExistsException if the folder holds a store
     * @throws StoreException if the folder is in use, or holds a log without a snapshot, or the log cannot be made
     * @throws IOException if the snapshot cannot be written
     */
    public static PriceStore create(Path folder, PriceIndex index, StoreOptions options) throws IOException {
        StoreFiles files = new StoreFiles(folder);
        files.requireFolder();
        boolean unused = files.hasLog(); // and not something else in its place
        DiskQueue<byte[]> log = files.openLog(damage -> Damage.Decision.THROW);
        try {
            if (files.isStore()) {
                throw new FileAlreadyExistsException(files.snapshot().toString());
            }
            long next = log.stats().nextSequence();
            if (log.longSize() > 0) {
                throw new StoreDamagedException(
                        "log without a snapshot: log=" + files.log() + " entries=" + log.longSize()
                                + "; put back the snapshot, or move the log away",
                        null);
            }
            index.write(files.snapshot(), files.fileAttributes());
            return new PriceStore(files, options, log, index, CrashPoint.Observer.NONE, index.version(), next, 0);
        } catch (IOException | RuntimeException | Error e) {
            log.close();
            throw e;
        }
    }

    /**
     * Opens a store: reads the snapshot and applies the log.
     *
     * @param folder path of the folder
     * @param options options of the open store
     * @param progress told of each batch that was applied
     * @return an open store
     * @throws java.nio.file.NoSuchFileException if the folder holds no store
     * @throws StoreDamagedException if the snapshot or an entry of the log that is needed cannot be read
     * @throws StoreException if the folder is in use, or the log cannot be opened
     * @throws IOException if the snapshot cannot be read
     */
    public static PriceStore open(Path folder, StoreOptions options, StoreProgress progress) throws IOException {
        return open(folder, options, progress, CrashPoint.Observer.NONE);
    }

    /** Opens a store that tells an observer of the points at which its process might crash. */
    static PriceStore open(Path folder, StoreOptions options, StoreProgress progress, CrashPoint.Observer observer)
            throws IOException {
        return open(folder, options, progress, observer, UnaryOperator.identity());
    }

    /** Opens a store whose log may be another view of the one on the device, such as one that fails. */
    static PriceStore open(
            Path folder,
            StoreOptions options,
            StoreProgress progress,
            CrashPoint.Observer observer,
            UnaryOperator<DiskQueue<byte[]>> view)
            throws IOException {
        StoreFiles files = new StoreFiles(folder);
        files.requireStore();
        List<String> damages = new ArrayList<>();
        AtomicBoolean isOpen = new AtomicBoolean();
        DiskQueue<byte[]> log = files.openLog(damage -> {
            if (!isOpen.get()) {
                return Damage.Decision.THROW;
            }
            damages.add(damage.what() + " of " + damage.file() + " at offset=" + damage.offset());
            return Damage.Decision.SKIP; // the versions tell whether the entry is needed
        });
        try {
            isOpen.set(true);
            PriceIndex snapshot = files.readSnapshot(options.isMapped());
            Replay.Result found = Replay.of(log, snapshot, progress);
            if (!found.losses().isEmpty()) {
                throw files.damagedLog(found.described(damages));
            }
            if (!found.problems().isEmpty() || !damages.isEmpty()) {
                LOG.log(
                        Logger.Level.WARNING,
                        () -> "damage in the log that cost nothing: log=" + files.log() + ": "
                                + found.described(damages));
            }
            PriceStore store = new PriceStore(
                    files,
                    options,
                    view.apply(log),
                    found.index(),
                    observer,
                    snapshot.version(),
                    log.stats().nextSequence() - log.longSize(),
                    found.bytes());
            store.removeContained(found.firstKept());
            return store;
        } catch (QueueException e) {
            log.close();
            throw files.failure(e);
        } catch (IOException | RuntimeException | Error e) {
            log.close();
            throw e;
        }
    }

    /**
     * Returns the index, which shows every update from the moment at which it is visible.
     *
     * @return index, not to be changed except through this store
     */
    public PriceIndex index() {
        return index;
    }

    /**
     * Applies all changes of a batch in order, brings them to the device, and makes them visible together. Waits for the device; updates of several
     * threads share one force.
     *
     * @param batch changes
     * @return number of the new version
     * @throws IndexException if the index cannot have one of the prices, or the batch is too long; nothing has changed then
     * @throws StoreFailedException if the batch could not be stored, or the store is closed; nothing is visible then, but the batch may be found
     *     when the store is opened again
     */
    @Override
    public long update(PriceBatch batch) throws StoreFailedException {
        Applied applied = updateAll(List.of(batch)).get(0);
        if (applied.refusal() != null) {
            throw applied.refusal();
        }
        return applied.version();
    }

    /**
     * The outcome of one of several batches.
     *
     * @param version number of the version that the batch made; 0 if it was refused
     * @param refusal reason why nothing has changed, or null
     */
    public record Applied(long version, @Nullable RuntimeException refusal) {}

    /**
     * Applies batches like {@link #update}, in their order. They share a force with each other.
     *
     * @param batches batches, not null
     * @return outcomes in the order of the batches; one that is refused does not keep the others from being applied
     * @throws StoreFailedException if a batch could not be stored, or the store is closed; that batch and those behind it are not visible then, but may be
     *     found when the store is opened again
     */
    public List<Applied> updateAll(List<PriceBatch> batches) throws StoreFailedException {
        List<PendingUpdate> own = batches.stream().map(PendingUpdate::new).toList();
        pending.addAll(own);
        committing.lock();
        try {
            while (!own.stream().allMatch(each -> each.isDone)) {
                commitGroup();
            }
        } finally {
            committing.unlock();
        }
        List<Applied> outcomes = new ArrayList<>();
        for (PendingUpdate each : own) {
            if (each.refusal instanceof StoreFailedException e) {
                throw e;
            }
            outcomes.add(new Applied(each.version, each.refusal instanceof RuntimeException e ? e : null));
        }
        return outcomes;
    }

    /**
     * Makes the prices of another index, and its version, those of the store, on the device and then in the index. If the process ends meanwhile, the next
     * {@link #open} finds the prices before or after, or an earlier version if the new one is not later than the one that the store has.
     *
     * @param next index that shares the fields of {@link #index}
     * @throws StoreFailedException if the store is closed, or the log failed
     * @throws IOException if the snapshot cannot be written
     */
    public void replace(PriceIndex next) throws IOException {
        snapshotting.lock();
        committing.lock();
        try {
            requireOpen();
            requireSound();
            long end = log.stats().nextSequence();
            if (next.version() < index.version()) {
                removeBefore(end); // else entries of higher versions would be applied to it
            }
            files.requireSame(identity);
            next.write(files.snapshot(), files.fileAttributes());
            removeBefore(end);
            index.replace(next);
            snapshotVersion = next.version();
            logBytes.set(0);
            snapshotAt = maxLogBytes;
        } finally {
            committing.unlock();
            snapshotting.unlock();
        }
    }

    /** Returns the number of updates that wait for another thread to commit them, for tests. */
    int waiting() {
        return pending.size();
    }

    @GuardedBy("committing")
    private void commitGroup() {
        List<PendingUpdate> group = new ArrayList<>();
        try {
            List<PendingUpdate> accepted = new ArrayList<>();
            List<byte[]> entries = new ArrayList<>();
            PriceIndex head = index;
            long bytes = 0;
            while (group.size() < MAX_GROUP && bytes < MAX_GROUP_BYTES) {
                PendingUpdate next = pending.poll();
                if (next == null) {
                    break;
                }
                group.add(next);
                if (isClosed || failure != null) {
                    next.fail(new StoreFailedException(failure == null ? closed() : failure, null));
                    continue;
                }
                try {
                    PriceIndex after = head.after(next.batch);
                    byte[] entry = format.encode(after.version(), next.batch);
                    bytes += entry.length;
                    entries.add(entry);
                    accepted.add(next);
                    next.version = after.version();
                    head = after;
                } catch (RuntimeException e) { // also one that is a defect: it must not reach the other threads
                    next.fail(e);
                }
            }
            if (!accepted.isEmpty()) {
                commit(accepted, entries, head, bytes);
            }
        } finally {
            for (PendingUpdate each : group) {
                if (!each.isDone) { // an Error
                    each.fail(new StoreFailedException("update failed: folder=" + files.folder(), null));
                }
            }
        }
    }

    @GuardedBy("committing")
    private void commit(List<PendingUpdate> accepted, List<byte[]> entries, PriceIndex last, long bytes) {
        observer.pass(CrashPoint.BEFORE_APPEND);
        try {
            if (!log.offerAll(entries)) { // a log without limits has room
                accepted.forEach(each -> each.fail(new StoreFailedException(
                        "interrupted before the batch was in the log: log=" + files.log(), null)));
                return;
            }
        } catch (QueueException e) {
            if (!(e instanceof QueueRefusedException)) {
                failure = "log failed before, and takes nothing until the store is opened again: log=" + files.log()
                        + ": " + e.getMessage();
            }
            StoreException reason = files.failure(e);
            accepted.forEach(each -> each.fail(new StoreFailedException(String.valueOf(reason.getMessage()), e)));
            return;
        }
        observer.pass(CrashPoint.AFTER_APPEND);
        index.publish(last);
        accepted.forEach(each -> each.isDone = true);
        long inLog = logBytes.addAndGet(bytes);
        observer.pass(CrashPoint.AFTER_PUBLISH);
        if (inLog > snapshotAt && isSnapshotDue.compareAndSet(false, true)) {
            startSnapshot();
        }
    }

    /** Starts a snapshot. Where there can be no thread, a later update tries again: this one has succeeded. */
    private void startSnapshot() {
        try {
            Thread thread = new Thread(this::snapshotInBackground, "index-snapshot");
            thread.setDaemon(true);
            thread.start();
        } catch (OutOfMemoryError e) {
            isSnapshotDue.set(false);
            LOG.log(Logger.Level.WARNING, "no thread for a snapshot: folder=" + files.folder(), e);
        }
    }

    private void snapshotInBackground() {
        try {
            long unused = snapshot();
        } catch (IOException | RuntimeException | Error e) { // an Error too must not be tried again with each update
            snapshotFailures.incrementAndGet();
            committing.lock();
            try {
                snapshotAt = logBytes.get() + maxLogBytes; // not again with the next update
            } finally {
                committing.unlock();
            }
            LOG.log(Logger.Level.WARNING, "no snapshot was made, and the log grows: folder=" + files.folder(), e);
        } finally {
            isSnapshotDue.set(false);
        }
    }

    /**
     * Writes the current version as the snapshot, and removes from the log what it contains. Does nothing if the snapshot has this version. Updates
     * go on meanwhile.
     *
     * @return version that the snapshot contains
     * @throws StoreFailedException if the store is closed, the log failed, or another folder stands in the place of the store's
     * @throws IOException if the snapshot cannot be written; the one before stays
     */
    public long snapshot() throws IOException {
        snapshotting.lock();
        try {
            requireOpen();
            return index.version() == snapshotVersion ? snapshotVersion : write();
        } finally {
            snapshotting.unlock();
        }
    }

    /**
     * Writes the current version as the snapshot like {@link #snapshot}, also if the snapshot has this version: one that was written by an earlier
     * release may hold offerings and strings that no price has any more.
     *
     * @return version that the snapshot contains
     * @throws StoreFailedException if the store is closed, the log failed, or another folder stands in the place of the store's
     * @throws IOException if the snapshot cannot be written; the one before stays
     */
    public long compact() throws IOException {
        snapshotting.lock();
        try {
            requireOpen();
            return write();
        } finally {
            snapshotting.unlock();
        }
    }

    private void requireOpen() throws StoreFailedException {
        if (isClosed) {
            throw new StoreFailedException(closed(), null);
        }
    }

    @GuardedBy("committing")
    private void requireSound() throws StoreFailedException {
        if (failure != null) {
            throw new StoreFailedException(failure, null);
        }
    }

    private String closed() {
        return "store is closed: folder=" + files.folder();
    }

    @GuardedBy("snapshotting")
    private long write() throws IOException {
        PriceIndex fixed;
        long next;
        long bytes;
        committing.lock();
        try {
            requireSound();
            fixed = index.copy();
            next = log.stats().nextSequence();
            bytes = logBytes.get();
        } finally {
            committing.unlock();
        }
        observer.pass(CrashPoint.BEFORE_SNAPSHOT);
        files.requireSame(identity);
        fixed.write(files.snapshot(), files.fileAttributes());
        snapshotVersion = fixed.version();
        observer.pass(CrashPoint.AFTER_SNAPSHOT);
        removeBefore(next);
        observer.pass(CrashPoint.AFTER_REMOVAL);
        committing.lock();
        try {
            long unused = logBytes.addAndGet(-bytes);
            snapshotAt = maxLogBytes;
        } finally {
            committing.unlock();
        }
        return fixed.version();
    }

    /** Removes what a process that ended in between had not removed. */
    private void removeContained(long firstKept) throws StoreFailedException {
        snapshotting.lock();
        try {
            removeBefore(firstKept);
        } finally {
            snapshotting.unlock();
        }
    }

    /** Removes entries that the snapshot contains. */
    @GuardedBy("snapshotting")
    private void removeBefore(long sequence) throws StoreFailedException {
        try {
            while (firstEntry < sequence) {
                boolean unused = log.remove(firstEntry);
                firstEntry++;
                observer.pass(CrashPoint.IN_REMOVAL);
            }
        } catch (QueueException e) {
            throw new StoreFailedException("log failed: log=" + files.log() + ": " + e.getMessage(), e);
        }
    }

    /**
     * Returns the length of the snapshot's file.
     *
     * @return length in bytes
     * @throws IOException if the file cannot be asked
     */
    public long snapshotBytes() throws IOException {
        return Files.size(files.snapshot());
    }

    /**
     * Returns figures of the store.
     *
     * @return figures, read one after the other
     */
    public StoreStats stats() {
        return new StoreStats(index.version(), snapshotVersion, logBytes.get(), snapshotFailures.get());
    }

    /**
     * Ends updates, writes a snapshot if the log has entries that the last one does not contain, and releases the folder. Later updates fail; the
     * index can still be searched. A second call does nothing.
     *
     * @throws IOException if the snapshot cannot be written, or the log failed; nothing is lost then, and the folder is released all the same
     */
    @Override
    public void close() throws IOException {
        snapshotting.lock(); // waits for a snapshot that is being made
        try (DiskQueue<byte[]> closing = log) {
            boolean wasClosed = isClosed;
            boolean isSound;
            committing.lock();
            try {
                isClosed = true;
                isSound = failure == null;
            } finally {
                committing.unlock();
            }
            if (!wasClosed && isSound && index.version() != snapshotVersion) {
                long unused = write();
            }
            LOG.log(Logger.Level.DEBUG, () -> "closed: folder=" + files.folder() + " entries=" + closing.longSize());
        } catch (QueueException e) {
            throw files.failure(e);
        } finally {
            snapshotting.unlock();
        }
    }
}
