package dev.touchstone.benchmarks.queue;

import dev.touchstone.benchmarks.SubjectWrappers;
import dev.touchstone.benchmarks.queue.peer.AppendCeilingAdapter;
import dev.touchstone.benchmarks.queue.peer.ArtemisAdapter;
import dev.touchstone.benchmarks.queue.peer.BigQueueAdapter;
import dev.touchstone.benchmarks.queue.peer.BulkCeilingAdapter;
import dev.touchstone.benchmarks.queue.peer.ChronicleAdapter;
import dev.touchstone.benchmarks.queue.peer.DiskQueueAdapter;
import dev.touchstone.benchmarks.queue.peer.DsyncCeilingAdapter;
import dev.touchstone.benchmarks.queue.peer.LmdbAdapter;
import dev.touchstone.benchmarks.queue.peer.MvStoreAdapter;
import dev.touchstone.benchmarks.queue.peer.MvStoreJobs;
import dev.touchstone.benchmarks.queue.peer.QueueUnderTest;
import dev.touchstone.benchmarks.queue.peer.RocksDbAdapter;
import dev.touchstone.benchmarks.queue.peer.ScanCeilingAdapter;
import dev.touchstone.benchmarks.queue.peer.SqliteJobs;
import dev.touchstone.benchmarks.queue.peer.TapeAdapter;
import dev.touchstone.queue.DiskQueue;
import java.io.IOException;
import java.nio.file.Path;

/** The subjects of the queue's benchmarks, by the value of their parameter {@code subject}, each with what it promises. */
public enum QueueType {
    OURS_WRITTEN("page cache, each call", folder -> DiskQueueAdapter.open(DiskQueue.written(), folder)),
    OURS_BATCHED("memory, bounded batch", folder -> DiskQueueAdapter.open(DiskQueue.batched(), folder)),
    OURS_SYNCED("durable, group commit", folder -> DiskQueueAdapter.open(DiskQueue.synced(), folder)),
    TAPE("durable, 3 forces a record", TapeAdapter::open),
    CHRONICLE("page cache, each call", ChronicleAdapter::open),
    CHRONICLE_SYNC("durable, 1 force a record", ChronicleAdapter::openSynced),
    ARTEMIS("durable, group commit", ArtemisAdapter::open),
    MVSTORE("durable, 1 force a record", MvStoreAdapter::open),
    MVSTORE_JOBS("durable, 1 force a record", MvStoreJobs::open),
    MVSTORE_JOBS_BATCHED("memory, bounded batch", MvStoreJobs::openBatched),
    SQLITE_JOBS("durable, 1 force a record", SqliteJobs::open),
    SQLITE_JOBS_BATCHED("memory, bounded batch", SqliteJobs::openBatched),
    ROCKSDB("durable, group commit", RocksDbAdapter::open),
    LMDB("durable, 2 forces a record", LmdbAdapter::open),
    BIGQUEUE("page cache, each call", BigQueueAdapter::open),
    CEILING_DSYNC("durable, 1 force a record", DsyncCeilingAdapter::open),
    CEILING_DSYNC_64K("durable, 1 force for 64 KiB", BulkCeilingAdapter::open),
    CEILING_APPEND("page cache, 64 KiB a call", AppendCeilingAdapter::open),
    CEILING_SCAN("mapped file, CRC each record", ScanCeilingAdapter::open);

    private final String level;

    @SuppressWarnings("ImmutableEnumChecker") // lambdas above that hold nothing
    private final Factory factory;

    QueueType(String level, Factory factory) {
        this.level = level;
        this.factory = factory;
    }

    /** What a record has survived, or will, once {@code write} has returned. */
    public String level() {
        return level;
    }

    /** The level's first words, which must be alike for subjects to be compared: {@code durable}, {@code page cache}, {@code memory}. */
    public String promise() {
        return level.substring(0, level.indexOf(','));
    }

    /** Whether a record is on the device once {@code write} has returned. */
    public boolean durable() {
        return promise().equals("durable");
    }

    /** Returns whether a record is at least in the page cache once {@code write} has returned, where a queue opened later finds it. */
    public boolean survivesKill() {
        return !ceiling() && !promise().equals("memory");
    }

    /** Whether this is a physical limit and not a queue. */
    public boolean ceiling() {
        return name().startsWith("CEILING");
    }

    /** Whether records can be read one by one: not from a ceiling, and not from Artemis' journal, which only loads them all. */
    public boolean fifo() {
        return !ceiling() && this != ARTEMIS;
    }

    /** Opens the subject in {@code folder}, which exists; what an earlier one left there is found again. */
    public QueueUnderTest open(Path folder) throws IOException {
        return SubjectWrappers.wrapped(this, QueueUnderTest.class, factory.open(folder));
    }

    @FunctionalInterface
    private interface Factory {
        QueueUnderTest open(Path folder) throws IOException;
    }
}
