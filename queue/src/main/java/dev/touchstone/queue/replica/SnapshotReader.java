package dev.touchstone.queue.replica;

import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.FileIo;
import dev.touchstone.queue.log.LogOptions;
import dev.touchstone.queue.log.consume.CursorImage;
import dev.touchstone.queue.log.engine.RecordLog;
import java.io.Closeable;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;

/** Reads what a {@link SnapshotWriter} wrote into a new state, or checks it. */
final class SnapshotReader implements Closeable {
    private final Path path;
    private final FileIo.DataFile file;
    private final long size;
    private final CRC32C crc = new CRC32C();
    private long position;
    private byte kind;
    private ByteBuffer values = ByteBuffer.allocate(0);

    /**
     * The state that a snapshot holds.
     *
     * @param namedCursorsOnly whether the group has named cursors only
     * @param numbers the last number of each session, in the order of their last entries
     */
    record Loaded(ReplicaState state, boolean namedCursorsOnly, LinkedHashMap<Long, Long> numbers) {}

    SnapshotReader(FileIo io, Path folder) throws IOException {
        path = folder.resolve(SnapshotWriter.NAME);
        file = io.open(path, FileIo.Access.READ);
        size = file.size();
    }

    /** Content of a snapshot before its records. */
    private record Head(long time, boolean namedCursorsOnly, StateImage image, LinkedHashMap<Long, Long> numbers) {}

    /** Receiver of the records of a snapshot. */
    private interface Records {
        void append(boolean delayed, byte[] payload) throws IOException, InterruptedException;
    }

    /**
     * Opens a log with the records and the state of the snapshot.
     *
     * @throws CorruptLogException if the snapshot is damaged, or not whole
     */
    Loaded read(LogOptions options, FileIo io, ReplicaClock clock) throws IOException {
        try {
            Head head = readHead();
            StateImage image = head.image;
            ReplicaState state = ReplicaState.open(options, io, clock, image.first());
            boolean whole = false;
            try {
                RecordLog log = state.log();
                log.use(LogOptions.Limits.NONE, options.leases()); // also retained records, of which no limit knows
                readRecords(log::append, image.end() - image.first());
                clock.set(head.time);
                state.restore(image);
                log.use(options.limits(), options.leases());
                whole = true;
            } finally {
                if (!whole) {
                    state.close();
                }
            }
            return new Loaded(state, head.namedCursorsOnly, head.numbers);
        } catch (BufferUnderflowException e) {
            throw corrupt("frame", "all values of kind " + kind, "fewer");
        }
    }

    /**
     * Reads all of the snapshot, and keeps nothing.
     *
     * @throws CorruptLogException if the snapshot is damaged, or not whole
     */
    void check() throws IOException {
        try {
            StateImage image = readHead().image;
            readRecords((delayed, payload) -> {}, image.end() - image.first());
        } catch (BufferUnderflowException e) {
            throw corrupt("frame", "all values of kind " + kind, "fewer");
        }
    }

    private Head readHead() throws IOException {
        next();
        if (kind != SnapshotWriter.HEAD || values.getLong() != SnapshotWriter.MAGIC) {
            throw corrupt("frame", "the head of a snapshot", "kind " + kind);
        }
        long time = values.getLong();
        boolean namedCursorsOnly = values.getLong() != 0;
        long first = values.getLong();
        long end = values.getLong();
        long oldest = values.getLong();
        long nextCursor = values.getLong();
        List<StateImage.Cursor> cursors = new ArrayList<>();
        next();
        while (kind == SnapshotWriter.CURSOR) {
            cursors.add(cursor());
        }
        LinkedHashMap<Long, Long> numbers = new LinkedHashMap<>();
        LinkedHashMap<String, Long> producers = new LinkedHashMap<>();
        readNumbers(numbers, producers);
        return new Head(
                time, namedCursorsOnly, new StateImage(first, end, oldest, nextCursor, cursors, producers), numbers);
    }

    private StateImage.Cursor cursor() throws IOException {
        long number = values.getLong();
        long floor = values.getLong();
        long head = values.getLong();
        String name = StandardCharsets.UTF_8.decode(values).toString();
        List<CursorImage.Range> ranges = new ArrayList<>();
        next();
        for (; kind == SnapshotWriter.RANGES; next()) {
            while (values.hasRemaining()) {
                ranges.add(new CursorImage.Range(values.getLong(), values.getLong()));
            }
        }
        List<CursorImage.Flight> flights = new ArrayList<>();
        for (; kind == SnapshotWriter.FLIGHTS; next()) {
            while (values.hasRemaining()) {
                flights.add(new CursorImage.Flight(
                        values.getLong(),
                        values.getInt(),
                        values.getLong(),
                        values.getLong(),
                        values.getLong(),
                        values.get()));
            }
        }
        return new StateImage.Cursor(number, name, new CursorImage(floor, head, ranges, flights));
    }

    private void readNumbers(Map<Long, Long> numbers, Map<String, Long> producers) throws IOException {
        for (; kind == SnapshotWriter.NUMBERS; next()) {
            while (values.hasRemaining()) {
                numbers.put(values.getLong(), values.getLong());
            }
        }
        for (; kind == SnapshotWriter.PRODUCERS; next()) {
            while (values.hasRemaining()) {
                producers.put(Command.name(values), values.getLong());
            }
        }
    }

    private void readRecords(Records to, long expected) throws IOException {
        long records = 0;
        try {
            for (; kind == SnapshotWriter.RECORDS; next()) {
                while (values.hasRemaining()) {
                    boolean delayed = values.get() != 0;
                    int length = values.getInt();
                    if (length < 0 || length > values.remaining()) {
                        throw corrupt("length of a record", "at most " + values.remaining(), length);
                    }
                    byte[] payload = new byte[length];
                    values.get(payload);
                    to.append(delayed, payload);
                    records++;
                }
            }
        } catch (InterruptedException e) {
            throw new IOException("interrupted while a snapshot was read: file=" + path, e);
        }
        if (kind != SnapshotWriter.END || values.getLong() != records || records != expected) {
            throw corrupt("records", expected, records);
        }
    }

    /** Reads the next frame. */
    private void next() throws IOException {
        ByteBuffer head = ByteBuffer.allocate(SnapshotWriter.FRAME_BYTES);
        if (size - position < SnapshotWriter.FRAME_BYTES || file.read(head, position) < SnapshotWriter.FRAME_BYTES) {
            throw corrupt("length", "another frame", "the end of the file");
        }
        int length = head.getInt(0);
        if (length < 1 || length > size - position - SnapshotWriter.FRAME_BYTES) {
            throw corrupt("length", "1 to " + (size - position - SnapshotWriter.FRAME_BYTES), length);
        }
        ByteBuffer frame = ByteBuffer.allocate(length);
        int unused = file.read(frame, position + SnapshotWriter.FRAME_BYTES);
        crc.reset();
        crc.update(frame.flip());
        if ((int) crc.getValue() != head.getInt(Integer.BYTES)) {
            throw corrupt("CRC-32C", head.getInt(Integer.BYTES), (int) crc.getValue());
        }
        position += SnapshotWriter.FRAME_BYTES + length;
        values = frame.flip();
        kind = values.get();
    }

    private CorruptLogException corrupt(String field, Object expected, Object got) {
        return new CorruptLogException(path, position, field, expected, got);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
