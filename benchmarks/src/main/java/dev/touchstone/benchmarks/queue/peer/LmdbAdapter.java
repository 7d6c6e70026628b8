package dev.touchstone.benchmarks.queue.peer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.lmdbjava.ByteArrayProxy;
import org.lmdbjava.Cursor;
import org.lmdbjava.Dbi;
import org.lmdbjava.DbiFlags;
import org.lmdbjava.Env;
import org.lmdbjava.EnvFlags;
import org.lmdbjava.Meta;
import org.lmdbjava.PutFlags;
import org.lmdbjava.Txn;

/**
 * LMDB as a queue: growing numbers as keys, appended in a transaction a record. It has one writer at a time and no group commit; each
 * commit forces the pages, then writes the meta page synchronously. A removal is a transaction, too.
 */
public final class LmdbAdapter implements QueueUnderTest {

    private static final String EXTRACTION = "lmdbjava.extract.dir";
    private static final int FORCES_PER_COMMIT = 2;
    private static final long MAP_BYTES = 4L << 30;
    private static boolean loaded;

    private final Env<byte[]> env;
    private final Dbi<byte[]> records;
    private final AtomicLong tail = new AtomicLong();
    private final LongAdder forces = new LongAdder();

    private LmdbAdapter(Path folder, EnvFlags... flags) {
        env = Env.create(ByteArrayProxy.PROXY_BA)
                .setMapSize(MAP_BYTES)
                .setMaxDbs(1)
                .open(folder.toFile(), flags);
        records = env.openDbi("queue", DbiFlags.MDB_CREATE);
        try (Txn<byte[]> txn = env.txnRead();
                Cursor<byte[]> cursor = records.openCursor(txn)) {
            if (cursor.last()) {
                tail.set(Numbers.of(cursor.key()) + 1);
            }
        }
    }

    /** Opens a store in {@code folder}. */
    public static QueueUnderTest open(Path folder) throws IOException {
        load(folder);
        return new LmdbAdapter(folder);
    }

    /** Opens a store in {@code folder} that changes pages in mapped memory. */
    public static QueueUnderTest openMapped(Path folder) throws IOException {
        load(folder);
        return new LmdbAdapter(folder, EnvFlags.MDB_WRITEMAP);
    }

    @Override
    public void write(byte[] record) {
        try (Txn<byte[]> txn = env.txnWrite()) {
            records.put(txn, Numbers.key(tail.getAndIncrement()), record, PutFlags.MDB_APPEND);
            commit(txn);
        }
    }

    @Override
    public byte @Nullable [] read() {
        try (Txn<byte[]> txn = env.txnWrite()) {
            byte[] record = removeFirst(txn);
            if (record != null) {
                commit(txn);
            }
            return record;
        }
    }

    @Override
    public void scan(Consumer<byte[]> sink) {
        try (Txn<byte[]> txn = env.txnRead();
                Cursor<byte[]> cursor = records.openCursor(txn)) {
            while (cursor.next()) {
                sink.accept(cursor.val());
            }
        }
    }

    @Override
    public void clear() {
        try (Txn<byte[]> txn = env.txnWrite()) {
            records.drop(txn);
            commit(txn);
        }
    }

    @Override
    public long forces() {
        return forces.sum();
    }

    @Override
    public void close() {
        env.close();
    }

    private byte @Nullable [] removeFirst(Txn<byte[]> txn) {
        try (Cursor<byte[]> cursor = records.openCursor(txn)) {
            if (!cursor.first()) {
                return null;
            }
            byte[] record = cursor.val();
            cursor.delete();
            return record;
        }
    }

    private void commit(Txn<byte[]> txn) {
        txn.commit();
        forces.add(FORCES_PER_COMMIT);
    }

    /** Loads the native library by way of the data folder: the JVM's temporary folder would keep it after a kill. */
    private static synchronized void load(Path folder) throws IOException {
        if (!loaded) {
            Path library = Files.createDirectory(folder.resolve("library"));
            System.setProperty(EXTRACTION, library.toString());
            Meta.version();
            Folders.delete(library);
            loaded = true;
        }
    }
}
