package dev.touchstone.benchmarks.queue.peer;

import static java.util.Objects.requireNonNull;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.apache.activemq.artemis.api.core.ActiveMQBuffer;
import org.apache.activemq.artemis.core.io.SequentialFile;
import org.apache.activemq.artemis.core.io.SequentialFileFactory;
import org.apache.activemq.artemis.core.io.aio.AIOSequentialFileFactory;
import org.apache.activemq.artemis.core.io.mapped.MappedSequentialFileFactory;
import org.apache.activemq.artemis.core.io.nio.NIOSequentialFile;
import org.apache.activemq.artemis.core.io.nio.NIOSequentialFileFactory;
import org.apache.activemq.artemis.core.journal.RecordInfo;
import org.apache.activemq.artemis.core.journal.impl.JournalImpl;
import org.apache.activemq.artemis.core.persistence.CoreMessageObjectPools;
import org.apache.activemq.artemis.core.persistence.Persister;
import org.apache.activemq.artemis.nativo.jlibaio.LibaioContext;
import org.jspecify.annotations.Nullable;

/** A started journal with the broker's settings for its kind of files. */
final class ArtemisJournal implements Closeable {

    private static final int BUFFER_BYTES = 490 << 10;
    private static final String AIO_LIBRARY = "/lib/linux-x86_64/libartemis-native-64.so";
    private static final int NIO_MAX_IO = 1;
    private static final int AIO_MAX_IO = 500;
    private static final int MIN_FILES = 2;
    private static final int POOL_FILES = 10;
    private static final int COMPACT_MIN_FILES = 10;
    private static final int COMPACT_PERCENTAGE = 30;

    private static boolean aioLoaded;

    private final SequentialFileFactory files;
    private final JournalImpl journal;

    private ArtemisJournal(SequentialFileFactory files, JournalImpl journal) {
        this.files = files;
        this.journal = journal;
    }

    /** Loads the native code for {@link Storage#AIO} by way of a folder: Artemis looks for it only where the JVM was told to. */
    static synchronized void loadAio(Path folder) throws IOException {
        if (aioLoaded) {
            return;
        }
        Path library = folder.toAbsolutePath().resolve("libartemis-native-64.so");
        try (InputStream in = LibaioContext.class.getResourceAsStream(AIO_LIBRARY)) {
            Files.copy(requireNonNull(in, AIO_LIBRARY), library);
            System.load(library.toString());
            aioLoaded = true;
        } catch (UnsatisfiedLinkError e) {
            throw new UnsupportedOperationException("asynchronous writes need Linux on x86-64 with libaio.so.1", e);
        } finally {
            Files.deleteIfExists(library);
        }
    }

    /** Opens the journal in a folder, hands over what it has, and counts its forces. */
    static ArtemisJournal open(
            Path folder, int fileBytes, Storage kind, int timeoutNanos, LongAdder forces, Consumer<RecordInfo> loaded)
            throws IOException {
        SequentialFileFactory files = kind.in(folder, fileBytes, timeoutNanos, forces);
        JournalImpl journal = new JournalImpl(
                fileBytes,
                MIN_FILES,
                POOL_FILES,
                COMPACT_MIN_FILES,
                COMPACT_PERCENTAGE,
                files,
                "queue",
                "journal",
                files.getMaxIO());
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

    /** Ways to write the journal's files. */
    enum Storage {
        /** Writes through channels, and counts the forces. */
        NIO,
        /** Submits writes to the kernel past the page cache; forces are not counted. */
        AIO,
        /** Copies to mapped memory; forces are not counted. */
        MAPPED;

        private SequentialFileFactory in(Path folder, int fileBytes, int timeoutNanos, LongAdder forces) {
            return switch (this) {
                case NIO -> new CountingFiles(folder, timeoutNanos, forces);
                case AIO ->
                    new AIOSequentialFileFactory(folder.toFile(), BUFFER_BYTES, timeoutNanos, AIO_MAX_IO, false);
                case MAPPED ->
                    new MappedSequentialFileFactory(folder.toFile(), fileBytes, true, BUFFER_BYTES, timeoutNanos, null);
            };
        }
    }

    /** The journal's files, each of which counts when it is forced. */
    private static final class CountingFiles extends NIOSequentialFileFactory {

        private final LongAdder forces;

        CountingFiles(Path folder, int timeoutNanos, LongAdder forces) {
            super(folder.toFile(), true, BUFFER_BYTES, timeoutNanos, NIO_MAX_IO, false);
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
