package dev.touchstone.benchmarks.queue.peer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.bytes.SyncMode;
import net.openhft.chronicle.core.io.BackgroundResourceReleaser;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import net.openhft.chronicle.queue.rollcycles.SparseRollCycles;
import net.openhft.chronicle.wire.DocumentContext;
import net.openhft.chronicle.wire.Wire;
import net.openhft.posix.MSyncFlag;
import net.openhft.posix.PosixAPI;
import net.openhft.posix.PosixRuntimeException;
import org.jspecify.annotations.Nullable;

/**
 * Chronicle Queue, with its default block size and roll cycle unless the method says otherwise: an appender per thread, records as raw bytes of a document.
 *
 * <p>Chronicle never removes a record: a tailer moves on and files are deleted by their user. Clearing is therefore to open a new queue
 * and to delete the files of the old one on another thread, as a user would; it waits only where the deletion before is not done.
 */
public final class ChronicleAdapter implements QueueUnderTest {

    private static final String LIVE = "live";
    private static final long BETWEEN_PAGES = 1;
    private static final int LARGE_BLOCK_BYTES = 256 << 20;
    private static final int SMALL_BLOCK_BYTES = 4 << 20;

    static {
        // Chronicle reports its use over the network unless told otherwise before its first class is loaded.
        System.setProperty("chronicle.analytics.disable", "true");
    }

    private final Path folder;
    private final boolean synced;
    private final UnaryOperator<SingleChronicleQueueBuilder> setting;
    private final LongAdder forces = new LongAdder();
    private CompletableFuture<Void> deletion = CompletableFuture.completedFuture(null);
    private volatile Session session;

    private ChronicleAdapter(Path folder, boolean synced, UnaryOperator<SingleChronicleQueueBuilder> setting) {
        this.folder = folder;
        this.synced = synced;
        this.setting = setting;
        session = begin();
    }

    /** Opens a queue whose records reach the page cache before {@code write} returns. */
    public static QueueUnderTest open(Path folder) {
        return new ChronicleAdapter(folder, false, UnaryOperator.identity());
    }

    /** Opens a queue as {@link #open} does, with blocks of 256 MiB. */
    public static QueueUnderTest openLargeBlocks(Path folder) {
        return new ChronicleAdapter(folder, false, builder -> builder.blockSize(LARGE_BLOCK_BYTES));
    }

    /** Opens a queue as {@link #open} does, with blocks of 4 MiB. */
    public static QueueUnderTest openSmallBlocks(Path folder) {
        return new ChronicleAdapter(folder, false, builder -> builder.blockSize(SMALL_BLOCK_BYTES));
    }

    /** Opens a queue as {@link #open} does, whose index has an entry for fewer records. */
    public static QueueUnderTest openSparseIndex(Path folder) {
        return new ChronicleAdapter(folder, false, builder -> builder.rollCycle(SparseRollCycles.HUGE_DAILY_XSPARSE));
    }

    /** Opens a queue as {@link #open} does, which hands a record over by a buffer where another thread writes. */
    public static QueueUnderTest openDoubleBuffer(Path folder) {
        return new ChronicleAdapter(folder, false, builder -> builder.doubleBuffer(true));
    }

    /**
     * Opens a queue whose records are on the device before {@code write} returns: {@code SyncMode.SYNC} and a sync a record.
     *
     * @throws IllegalStateException if Chronicle's sync does nothing on this class path
     */
    public static QueueUnderTest openSynced(Path folder) {
        return openSynced(folder, UnaryOperator.identity());
    }

    /** Opens a queue as {@link #openSynced} does, with blocks of 256 MiB. */
    public static QueueUnderTest openSyncedLargeBlocks(Path folder) {
        return openSynced(folder, builder -> builder.blockSize(LARGE_BLOCK_BYTES));
    }

    /** Opens a queue as {@link #openSynced} does, with blocks of 4 MiB. */
    public static QueueUnderTest openSyncedSmallBlocks(Path folder) {
        return openSynced(folder, builder -> builder.blockSize(SMALL_BLOCK_BYTES));
    }

    private static QueueUnderTest openSynced(Path folder, UnaryOperator<SingleChronicleQueueBuilder> setting) {
        demandSync(PosixAPI.posix());
        return new ChronicleAdapter(folder, true, setting);
    }

    @Override
    public void write(byte[] record) {
        ExcerptAppender appender = session.appenders.get();
        try (DocumentContext document = appender.writingDocument()) {
            bytesOf(document).write(record);
        }
        if (synced) {
            appender.sync();
            forces.increment();
        }
    }

    @Override
    public byte @Nullable [] read() {
        return next(session.tailer());
    }

    @Override
    public void scan(Consumer<byte[]> sink) {
        try (ExcerptTailer tailer = session.queue.createTailer()) {
            byte[] record = next(tailer);
            while (record != null) {
                sink.accept(record);
                record = next(tailer);
            }
        }
    }

    @Override
    public void clear() throws IOException {
        awaitDeletion();
        session.close();
        Path old = folder.resolve("old");
        Files.move(folder.resolve(LIVE), old);
        session = begin();
        deletion = CompletableFuture.runAsync(() -> delete(old));
    }

    /** Counts by reading on: a scan would begin with records that were already read. */
    @Override
    public long remaining() {
        long count = 0;
        while (read() != null) {
            count++;
        }
        return count;
    }

    @Override
    public long forces() {
        return forces.sum();
    }

    @Override
    public void close() {
        session.close();
        awaitDeletion();
        BackgroundResourceReleaser.releasePendingResources();
    }

    /**
     * Refuses a library without native code, whose sync succeeds and does nothing. The kernel refuses to sync an address between two pages, which
     * tells both apart.
     */
    static void demandSync(PosixAPI library) {
        int answer;
        try {
            answer = library.msync(BETWEEN_PAGES, 1, MSyncFlag.MS_SYNC);
        } catch (PosixRuntimeException e) {
            return;
        }
        if (answer == 0) {
            throw new IllegalStateException("Chronicle's sync does nothing: expected an error of msync at address="
                    + BETWEEN_PAGES + ", got none from " + library.getClass().getName()
                    + "; put the native libraries of net.openhft:posix on the class path");
        }
    }

    private Session begin() {
        return new Session(setting.apply(SingleChronicleQueueBuilder.binary(folder.resolve(LIVE))
                        .syncMode(synced ? SyncMode.SYNC : SyncMode.NONE))
                .build());
    }

    private void awaitDeletion() {
        deletion.join();
    }

    /** Unmaps the files, or their pages would stay, and deletes them. */
    private static void delete(Path old) {
        try {
            BackgroundResourceReleaser.releasePendingResources();
            Folders.delete(old);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte @Nullable [] next(ExcerptTailer tailer) {
        try (DocumentContext document = tailer.readingDocument()) {
            if (!document.isPresent()) {
                return null;
            }
            Bytes<?> bytes = bytesOf(document);
            byte[] record = new byte[Math.toIntExact(bytes.readRemaining())];
            bytes.read(record);
            return record;
        }
    }

    private static Bytes<?> bytesOf(DocumentContext document) {
        Wire wire = document.wire();
        if (wire == null) {
            throw new IllegalStateException("document without a wire");
        }
        return wire.bytes();
    }

    /** The queue between two clearings, and what its threads hold of it. */
    private static final class Session {

        final SingleChronicleQueue queue;
        final ThreadLocal<ExcerptAppender> appenders;
        private @Nullable ExcerptTailer tailer;

        Session(SingleChronicleQueue queue) {
            this.queue = queue;
            appenders = ThreadLocal.withInitial(queue::createAppender);
        }

        ExcerptTailer tailer() {
            ExcerptTailer mine = tailer;
            if (mine == null) {
                mine = queue.createTailer();
                mine.singleThreadedCheckDisabled(true); // the reader may be another thread each time
                tailer = mine;
            }
            return mine;
        }

        /** Closes the queue, and with it its appenders and tailers. */
        void close() {
            queue.close();
        }
    }
}
