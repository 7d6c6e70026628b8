package dev.touchstone.benchmarks.queue.peer;

import dev.touchstone.benchmarks.Requirement;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.apache.activemq.artemis.core.journal.IOCompletion;
import org.apache.activemq.artemis.core.journal.RecordInfo;
import org.apache.activemq.artemis.core.journal.impl.JournalImpl;

/**
 * The journal of the Artemis broker: writers' records meet in its timed buffer and share a force.
 *
 * <p>It is no queue. Records are deleted by their ids and are read only all at once, when the journal is loaded; the broker keeps in
 * memory what it delivers. So it is compared where records are written, and {@link #read} is refused. Clearing is to begin a journal
 * in another folder and to delete the old one's on another thread, which costs it less than a deletion of each record would.
 */
public final class ArtemisAdapter implements AsyncWrites, BulkWrites, JournalUnderTest, RollingFiles {

    private static final int FILE_BYTES = 10 << 20; // the broker's default
    private static final byte RECORD_TYPE = 1;
    private static final int TIMEOUT_NANOS = 100_000; // no other is faster, as queue-settings-artemis shows
    private static final int BROKER_TIMEOUT_NANOS = 3_333_333;
    private static final int SHORT_TIMEOUT_NANOS = 20_000;

    private final Path folder;
    private final int fileBytes;
    private final ArtemisJournal.Storage storage;
    private final int timeoutNanos;
    private final LongAdder forces = new LongAdder();
    private final AtomicLong ids = new AtomicLong();
    private CompletableFuture<Void> deletion = CompletableFuture.completedFuture(null);
    private volatile ArtemisJournal session;

    private ArtemisAdapter(Path folder, int fileBytes, ArtemisJournal.Storage storage, int timeoutNanos)
            throws IOException {
        this.folder = folder;
        this.fileBytes = fileBytes;
        this.storage = storage;
        this.timeoutNanos = timeoutNanos;
        session = begin(record -> {});
    }

    /** Opens a journal in {@code folder}, with files of the broker's default size. */
    public static ArtemisAdapter open(Path folder) throws IOException {
        return open(folder, FILE_BYTES);
    }

    /** Opens a journal with files of another size. */
    public static ArtemisAdapter open(Path folder, int fileBytes) throws IOException {
        return new ArtemisAdapter(folder, fileBytes, ArtemisJournal.Storage.NIO, TIMEOUT_NANOS);
    }

    /** Opens a journal whose buffer waits as long as the broker's does by default, 3.3 ms. */
    public static ArtemisAdapter openBrokerTimeout(Path folder) throws IOException {
        return new ArtemisAdapter(folder, FILE_BYTES, ArtemisJournal.Storage.NIO, BROKER_TIMEOUT_NANOS);
    }

    /** Opens a journal whose buffer waits for 20 µs. */
    public static ArtemisAdapter openShortTimeout(Path folder) throws IOException {
        return new ArtemisAdapter(folder, FILE_BYTES, ArtemisJournal.Storage.NIO, SHORT_TIMEOUT_NANOS);
    }

    /** Requires libaio, for {@link #openAio}. */
    public static Requirement requirement() {
        return () -> {
            try {
                Path folder = Files.createTempDirectory("touchstone-aio-");
                try {
                    ArtemisJournal.loadAio(folder);
                } finally {
                    Folders.delete(folder);
                }
                return Optional.empty();
            } catch (UnsupportedOperationException e) {
                return Optional.of(String.valueOf(e.getMessage()));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
    }

    /**
     * Opens a journal that writes by Linux's asynchronous calls.
     *
     * @throws UnsupportedOperationException if the machine has no libaio, or is not Linux on x86-64
     */
    public static ArtemisAdapter openAio(Path folder) throws IOException {
        ArtemisJournal.loadAio(folder);
        return new ArtemisAdapter(folder, FILE_BYTES, ArtemisJournal.Storage.AIO, TIMEOUT_NANOS);
    }

    /** Opens a journal in mapped files. */
    public static ArtemisAdapter openMapped(Path folder) throws IOException {
        return new ArtemisAdapter(folder, FILE_BYTES, ArtemisJournal.Storage.MAPPED, TIMEOUT_NANOS);
    }

    @Override
    public void write(byte[] record) throws IOException {
        try {
            journal().appendAddRecord(ids.incrementAndGet(), RECORD_TYPE, record, true);
        } catch (Exception e) {
            throw ArtemisJournal.failure(e);
        }
    }

    @Override
    public void writeAsync(byte[] record, End end) throws IOException {
        try {
            ArtemisJournal at = session;
            at.journal().appendAddRecord(ids.incrementAndGet(), RECORD_TYPE, at.bytes(), record, true, new Told(end));
        } catch (Exception e) {
            throw ArtemisJournal.failure(e);
        }
    }

    /** Writes the records in a single transaction, whose commit is synced. */
    @Override
    public void writeAll(List<byte[]> records) throws IOException {
        try {
            JournalImpl journal = journal();
            long transaction = ids.incrementAndGet();
            for (byte[] record : records) {
                journal.appendAddRecordTransactional(transaction, ids.incrementAndGet(), RECORD_TYPE, record);
            }
            journal.appendCommitRecord(transaction, true);
        } catch (Exception e) {
            throw ArtemisJournal.failure(e);
        }
    }

    /** Stops the journal and loads it. */
    @Override
    public void scan(Consumer<byte[]> sink) throws IOException {
        session.close();
        session = begin(record -> sink.accept(record.data));
    }

    @Override
    public void clear() throws IOException {
        deletion.join();
        session.close();
        Path old = folder.resolve("old");
        Files.move(live(), old);
        session = begin(record -> {});
        deletion = CompletableFuture.runAsync(() -> delete(old));
    }

    @Override
    public long forces() {
        return storage == ArtemisJournal.Storage.NIO ? forces.sum() : -1;
    }

    @Override
    public long currentFile() {
        return journal().getCurrentFile().getFileID();
    }

    @Override
    public void close() throws IOException {
        session.close();
        deletion.join();
    }

    private JournalImpl journal() {
        return session.journal();
    }

    private ArtemisJournal begin(Consumer<RecordInfo> loaded) throws IOException {
        Files.createDirectories(live());
        return ArtemisJournal.open(live(), fileBytes, storage, timeoutNanos, forces, record -> {
            ids.accumulateAndGet(record.id, Math::max);
            loaded.accept(record);
        });
    }

    private Path live() {
        return folder.resolve("live");
    }

    private static void delete(Path old) {
        try {
            Folders.delete(old);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private record Told(End end) implements IOCompletion {

        @Override
        public void storeLineUp() {}

        @Override
        public void done() {
            end.end(null);
        }

        @Override
        public void onError(int code, String message) {
            end.end(new IOException("code=" + code + ": " + message));
        }
    }
}
