package dev.touchstone.benchmarks.queue.peer;

import dev.touchstone.benchmarks.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.rocksdb.CompressionType;
import org.rocksdb.NativeLibraryLoader;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Statistics;
import org.rocksdb.StatsLevel;
import org.rocksdb.TickerType;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * RocksDB as a queue: growing numbers as keys, synced writes, of which its write-ahead log commits those that wait at the same time
 * with one force. The log's files are used again, which spares the file system's journal; records that don't compress aren't
 * compressed.
 *
 * <p>A removal is written but not synced. A record that a slower writer has yet to store stops the reader at its number.
 */
public final class RocksDbAdapter implements BulkWrites {

    private static final int RECYCLED_LOGS = 4;
    private static boolean loaded;

    private final Statistics statistics;
    private final Options options;
    private final WriteOptions synced = new WriteOptions().setSync(true);
    private final WriteOptions unsynced = new WriteOptions();
    private final RocksDB store;
    private final AtomicLong tail;
    private long head;

    private RocksDbAdapter(Path folder, UnaryOperator<Options> setting) throws RocksDBException {
        statistics = new Statistics();
        statistics.setStatsLevel(StatsLevel.EXCEPT_DETAILED_TIMERS);
        options = setting.apply(new Options()
                .setCreateIfMissing(true)
                .setCompressionType(CompressionType.NO_COMPRESSION)
                .setRecycleLogFileNum(RECYCLED_LOGS)
                .setEnablePipelinedWrite(true)
                .setStatistics(statistics));
        store = RocksDB.open(options, folder.toString());
        try (RocksIterator all = store.newIterator()) {
            all.seekToFirst();
            head = all.isValid() ? Numbers.of(all.key()) : 0;
            all.seekToLast();
            tail = new AtomicLong(all.isValid() ? Numbers.of(all.key()) + 1 : 0);
        }
    }

    /** Requires Linux on x86-64, for which the library is there. */
    public static Requirement requirement() {
        String machine = System.getProperty("os.name") + "/" + System.getProperty("os.arch");
        return () -> machine.equals("Linux/amd64")
                ? Optional.empty()
                : Optional.of("rocksdbjni:linux64 has no library for " + machine + ", run on Linux on x86-64");
    }

    /** Opens a store in {@code folder}. */
    public static RocksDbAdapter open(Path folder) throws IOException {
        return open(folder, UnaryOperator.identity());
    }

    /** Opens a store in {@code folder} that writes a new log where others are used again. */
    public static RocksDbAdapter openNewLogs(Path folder) throws IOException {
        return open(folder, options -> options.setRecycleLogFileNum(0));
    }

    /** Opens a store in {@code folder} whose writers wait for log and table together. */
    public static RocksDbAdapter openUnpipelined(Path folder) throws IOException {
        return open(folder, options -> options.setEnablePipelinedWrite(false));
    }

    private static RocksDbAdapter open(Path folder, UnaryOperator<Options> setting) throws IOException {
        load(folder);
        try {
            return new RocksDbAdapter(folder.resolve("store"), setting);
        } catch (RocksDBException e) {
            throw new IOException(e);
        }
    }

    @Override
    public void write(byte[] record) throws IOException {
        try {
            store.put(synced, Numbers.key(tail.getAndIncrement()), record);
        } catch (RocksDBException e) {
            throw new IOException(e);
        }
    }

    @Override
    public void writeAll(List<byte[]> records) throws IOException {
        long first = tail.getAndAdd(records.size());
        try (WriteBatch batch = new WriteBatch()) {
            for (int i = 0; i < records.size(); i++) {
                batch.put(Numbers.key(first + i), records.get(i));
            }
            store.write(synced, batch);
        } catch (RocksDBException e) {
            throw new IOException(e);
        }
    }

    @Override
    public byte @Nullable [] read() throws IOException {
        try {
            byte[] key = Numbers.key(head);
            byte[] record = store.get(key);
            if (record != null) {
                store.singleDelete(unsynced, key);
                head++;
            }
            return record;
        } catch (RocksDBException e) {
            throw new IOException(e);
        }
    }

    @Override
    public void scan(Consumer<byte[]> sink) {
        try (RocksIterator records = store.newIterator()) {
            for (records.seek(Numbers.key(head)); records.isValid(); records.next()) {
                sink.accept(records.value());
            }
        }
    }

    @Override
    public void clear() throws IOException {
        byte[] end = Numbers.key(tail.get());
        try {
            store.deleteFilesInRanges(store.getDefaultColumnFamily(), List.of(Numbers.key(0), end), false);
            store.deleteRange(synced, Numbers.key(0), end);
            head = tail.get();
        } catch (RocksDBException e) {
            throw new IOException(e);
        }
    }

    @Override
    public long forces() {
        return statistics.getTickerCount(TickerType.WAL_FILE_SYNCED);
    }

    @Override
    public void close() {
        store.close();
        synced.close();
        unsynced.close();
        options.close();
        statistics.close();
    }

    /** Loads the native library by way of the data folder: the JVM's temporary folder would keep it after a kill. */
    private static synchronized void load(Path folder) throws IOException {
        if (!loaded) {
            Path library = Files.createDirectory(folder.resolve("library"));
            NativeLibraryLoader.getInstance().loadLibrary(library.toString());
            Folders.delete(library);
            loaded = true;
        }
    }
}
