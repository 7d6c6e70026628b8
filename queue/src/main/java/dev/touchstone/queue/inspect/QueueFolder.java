package dev.touchstone.queue.inspect;

import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.DiskFileIo;
import dev.touchstone.queue.log.FileIo;
import dev.touchstone.queue.log.LogOptions;
import dev.touchstone.queue.log.consume.ConsumerState;
import dev.touchstone.queue.log.consume.ConsumptionRepair;
import dev.touchstone.queue.log.inspect.LogTail;
import dev.touchstone.queue.log.segment.SegmentReader;
import dev.touchstone.queue.log.segment.SegmentStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A queue's folder, read without opening the queue. Nothing here writes. */
public final class QueueFolder {
    static final String LOCK = "LOCK";

    private final Path folder;
    private final FileIo io = new DiskFileIo();

    /** Receives the records of a queue in their order. */
    public interface LogVisitor {
        /**
         * Takes an element.
         *
         * @param notBeforeMillis time in milliseconds of the epoch before which the element is not handed out; 0 where it is not delayed
         * @return whether to go on
         */
        boolean element(long sequence, long notBeforeMillis, byte[] element);

        /** Takes what a record says that a cursor has consumed: the sequences from {@code first} to before {@code end}. */
        void consumed(long cursor, long first, long end);

        /** Takes what a record says that a cursor has handed out. */
        void attempted(long cursor, long sequence, int deliveries, long notBeforeMillis);

        /** Takes a damaged place. */
        void damaged(FoundDamage damage);
    }

    /**
     * Creates a view of a folder.
     *
     * @param folder of one queue; not null
     */
    public QueueFolder(Path folder) {
        this.folder = folder;
    }

    /**
     * Returns whether the folder holds files of a queue.
     *
     * @throws IOException if there is no folder, or it cannot be read
     */
    public boolean isQueue() throws IOException {
        return io.list(folder).stream()
                .anyMatch(file -> SegmentStore.isSegment(file)
                        || String.valueOf(file.getFileName()).startsWith("CURSOR")
                        || file.endsWith(LOCK));
    }

    /**
     * Reads every file completely. The queue cannot be opened meanwhile.
     *
     * @param progress told of each log file before it is read; not null
     * @throws FolderInUseException if it is open
     */
    public FolderReport verify(Consumer<Path> progress) throws IOException {
        Closeable lock = lockForReading(folder);
        try {
            return FolderScan.of(io, folder, true, Map.of(), progress).report();
        } finally {
            lock.close();
        }
    }

    /** Keeps the queue from being opened until the answer is closed. */
    static Closeable lockForReading(Path folder) throws IOException {
        Path lock = folder.resolve(LOCK);
        Closeable held = DiskFileIo.lockForReading(lock);
        if (held == null) {
            throw new FolderInUseException("queue is in use: folder=" + folder + " pid=" + DiskFileIo.owner(lock));
        }
        return held;
    }

    /** Reads as much as opening the queue would read. Works while the queue is open, and then only tells about some moment of the call. */
    public FolderReport stats() throws IOException {
        return FolderScan.of(io, folder, false, Map.of(), file -> {}).report();
    }

    /**
     * Gives records in order to {@code visitor}. Works while the queue is open.
     *
     * @param from sequence to begin with; 0 for the oldest
     * @param cursor that has not consumed the elements, empty for the queue's own; null for all elements that are there
     * @param visitor not null
     * @throws IllegalArgumentException if there is no such cursor
     */
    public void visit(long from, @Nullable String cursor, LogVisitor visitor) throws IOException {
        visit(from, cursor, visitor, false);
    }

    /**
     * Gives records to {@code visitor} as {@link #visit} does, while the queue cannot be opened: also those behind bytes that could be of an element
     * that is being written.
     *
     * @param from sequence to begin with; 0 for the oldest
     * @param cursor as for {@link #visit}
     * @param visitor not null
     * @throws FolderInUseException if the queue is open
     */
    public void visitAtRest(long from, @Nullable String cursor, LogVisitor visitor) throws IOException {
        Closeable lock = lockForReading(folder);
        try {
            visit(from, cursor, visitor, true);
        } finally {
            lock.close();
        }
    }

    private void visit(long from, @Nullable String cursor, LogVisitor visitor, boolean isAtRest) throws IOException {
        ConsumerState consumed = cursor == null ? null : state(cursor);
        long first = consumed == null ? from : Math.max(from, consumed.floor());
        try (LogTail tail = new LogTail(io, folder, first, consumption(visitor), LogOptions.Codecs.READING)) {
            if (isAtRest) {
                tail.expectNoWriter();
            }
            boolean more = true;
            while (more) {
                try {
                    byte[] element = tail.next();
                    long sequence = tail.sequence();
                    boolean wanted = consumed == null || !consumed.covers(sequence, sequence + 1);
                    more = element != null && (!wanted || visitor.element(sequence, tail.notBeforeMillis(), element));
                } catch (CorruptLogException damage) {
                    visitor.damaged(FoundDamage.of(damage));
                }
            }
        }
    }

    private static SegmentReader.ConsumptionSink consumption(LogVisitor visitor) {
        return (kind, payload) -> ConsumptionRepair.visit(kind, payload, visitor::consumed, visitor::attempted);
    }

    private ConsumerState state(String cursor) throws IOException {
        FolderScan scan = FolderScan.of(io, folder, false, Map.of(), file -> {});
        List<ConsumerState> states = List.copyOf(scan.known().cursors().values());
        return states.stream()
                .filter(state -> state.name().equals(cursor))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no such cursor: name=" + cursor + " names="
                        + states.stream()
                                .map(ConsumerState::name)
                                .filter(name -> !name.isEmpty())
                                .toList()));
    }
}
