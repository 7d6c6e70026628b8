package dev.touchstone.benchmarks.queue.peer;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.apache.activemq.artemis.api.core.ActiveMQBuffer;
import org.apache.activemq.artemis.core.io.SequentialFile;
import org.apache.activemq.artemis.core.io.nio.NIOSequentialFile;
import org.apache.activemq.artemis.core.io.nio.NIOSequentialFileFactory;
import org.apache.activemq.artemis.core.journal.RecordInfo;
import org.apache.activemq.artemis.core.journal.impl.JournalImpl;
import org.apache.activemq.artemis.core.persistence.CoreMessageObjectPools;
import org.apache.activemq.artemis.core.persistence.Persister;
import org.jspecify.annotations.Nullable;

/**
 * A started journal with the broker's settings for NIO, but for the buffer's timeout: the broker's default of milliseconds is meant
 * for disks, and with 100 µs it is fastest here.
 */
final class ArtemisJournal implements Closeable {

    private static final int BUFFER_BYTES = 490 << 10;
    private static final int BUFFER_TIMEOUT_NANOS = 100_000;
    private static final int MAX_IO = 1;
    private static final int MIN_FILES = 2;
    private static final int POOL_FILES = 10;
    private static final int COMPACT_MIN_FILES = 10;
    private static final int COMPACT_PERCENTAGE = 30;

    private final CountingFiles files;
    private final JournalImpl journal;

    private ArtemisJournal(CountingFiles files, JournalImpl journal) {
        this.files = files;
        this.journal = journal;
    }

    /** Opens the journal in a folder, hands over what it has, and counts its forces. */
    static ArtemisJournal open(Path folder, int fileBytes, LongAdder forces, Consumer<RecordInfo> loaded)
            throws IOException {
        CountingFiles files = new CountingFiles(folder, forces);
        JournalImpl journal = new JournalImpl(
                fileBytes,
                MIN_FILES,
                POOL_FILES,
                COMPACT_MIN_FILES,
                COMPACT_PERCENTAGE,
                files,
                "queue",
                "journal",
                MAX_IO);
        try {
            files.start();
            journal.start();
            List<RecordInfo> records = new ArrayList<>();
            journal.load(records, new ArrayList<>(), (transaction, added, deleted) -> {}, false);
            records.forEach(loaded);
        } catch (Exception e) {
            throw failure(e);
        }
        return new ArtemisJournal(files, journal);
    }

    JournalImpl journal() {
        return journal;
    }

    /** Returns the persister that writes a record as its own bytes. */
    Persister<Object> bytes() {
        return Bytes.INSTANCE;
    }

    @Override
    public void close() throws IOException {
        try {
            journal.stop();
            files.stop();
        } catch (Exception e) {
            throw failure(e);
        }
    }

    /** Returns the {@code IOException} for what the journal throws; an interrupt is restored. */
    static IOException failure(Exception e) {
        if (e instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
        return e instanceof IOException known ? known : new IOException(e);
    }

    /** The journal's files, each of which counts when it is forced. */
    private static final class CountingFiles extends NIOSequentialFileFactory {

        private final LongAdder forces;

        CountingFiles(Path folder, LongAdder forces) {
            super(folder.toFile(), true, BUFFER_BYTES, BUFFER_TIMEOUT_NANOS, MAX_IO, false);
            this.forces = forces;
        }

        @Override
        public SequentialFile createSequentialFile(String fileName) {
            return new NIOSequentialFile(this, journalDir, fileName, maxIO) {
                @Override
                protected void syncChannel(FileChannel channel) throws IOException {
                    super.syncChannel(channel);
                    forces.increment();
                }
            };
        }
    }

    private static final class Bytes implements Persister<Object> {

        static final Bytes INSTANCE = new Bytes();

        @Override
        public byte getID() {
            return 0;
        }

        @Override
        public int getEncodeSize(Object record) {
            return ((byte[]) record).length;
        }

        @Override
        public void encode(ActiveMQBuffer buffer, Object record) {
            buffer.writeBytes((byte[]) record);
        }

        @Override
        public Object decode(ActiveMQBuffer buffer, @Nullable Object record, @Nullable CoreMessageObjectPools pools) {
            throw new UnsupportedOperationException("records are loaded as bytes");
        }
    }
}
