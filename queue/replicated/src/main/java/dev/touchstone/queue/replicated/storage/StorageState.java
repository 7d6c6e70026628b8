package dev.touchstone.queue.replicated.storage;

import dev.touchstone.queue.log.CorruptLogException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A description of the log in a folder's files: its first index, and where its runs begin. Every change of the log other than an append at its end
 * is a new state, which takes the place of the last one as a whole. Little-endian:
 *
 * <pre>
 *  0       8         12      16       20     24       32         40           48      56
 *  +-------+---------+-------+--------+------+--------+----------+------------+-------+- - -+
 *  | magic | version | bytes | CRC    | runs | log id | sequence | next epoch | first | run | ...
 *  +-------+---------+-------+--------+------+--------+----------+------------+-------+- - -+
 * </pre>
 *
 * <p>{@code bytes} is the length of all this. The CRC-32C covers all of them but itself. A run is its epoch, segment, position and first index,
 * of 8 bytes each.
 *
 * @param logId random number of the folder
 * @param sequence number of the state, one more than that of the state before
 * @param nextEpoch epoch of the next run; all epochs used so far are lower
 * @param first the log's first index, at least 1
 * @param runs the runs in the order of their first indexes
 */
record StorageState(long logId, long sequence, long nextEpoch, long first, List<Run> runs) {
    /** Bytes of a state without runs. */
    static final int HEADER_BYTES = 56;

    private static final long MAGIC = 0x3154_5453_4C52_5444L; // "DTRLSTT1"
    private static final int VERSION = 1;
    private static final int VERSION_AT = 8;
    private static final int BYTES_AT = 12;
    private static final int CRC_AT = 16;
    private static final int RUNS_AT = 20;
    private static final int LOG_ID_AT = 24;
    private static final int SEQUENCE_AT = 32;
    private static final int NEXT_EPOCH_AT = 40;
    private static final int FIRST_AT = 48;
    private static final int RUN_BYTES = 32;

    /**
     * Start of a run.
     *
     * @param epoch epoch of the run's frames
     * @param segment id of the run's segment
     * @param position position of the first frame in the segment
     * @param firstIndex index of the first frame's entry
     */
    record Run(long epoch, long segment, long position, long firstIndex) {}

    /** Copies the list. */
    StorageState {
        runs = List.copyOf(runs);
    }

    /** Returns the number of runs that a state of so many bytes has at most. */
    static int maxRuns(int bytes) {
        return (bytes - HEADER_BYTES) / RUN_BYTES;
    }

    /** Returns the bytes of this state. */
    int bytes() {
        return HEADER_BYTES + RUN_BYTES * runs.size();
    }

    /** Returns this state as it is stored. */
    ByteBuffer encode() {
        ByteBuffer target = ByteBuffer.allocate(bytes()).order(ByteOrder.LITTLE_ENDIAN);
        target.putLong(0, MAGIC).putInt(VERSION_AT, VERSION).putInt(BYTES_AT, bytes());
        target.putInt(RUNS_AT, runs.size()).putLong(LOG_ID_AT, logId).putLong(SEQUENCE_AT, sequence);
        target.putLong(NEXT_EPOCH_AT, nextEpoch).putLong(FIRST_AT, first);
        target.position(HEADER_BYTES);
        for (Run run : runs) {
            target.putLong(run.epoch).putLong(run.segment).putLong(run.position).putLong(run.firstIndex);
        }
        target.putInt(CRC_AT, check(target, bytes()));
        return target.flip();
    }

    /**
     * Reads a state from the start of {@code source}; returns null if none was wholly written there.
     *
     * @param file file of the bytes, for the exception
     * @param offset position of the bytes in the file, for the exception
     * @throws CorruptLogException if the state is whole, but not of this version or not consistent
     */
    static @Nullable StorageState decode(ByteBuffer source, Path file, long offset) throws CorruptLogException {
        ByteBuffer from = source.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        if (from.limit() < HEADER_BYTES || from.getLong(0) != MAGIC) {
            return null;
        }
        int bytes = from.getInt(BYTES_AT);
        if (bytes < HEADER_BYTES || bytes > from.limit() || from.getInt(CRC_AT) != check(from, bytes)) {
            return null;
        }
        expect(
                from.getInt(VERSION_AT) == VERSION,
                file,
                offset + VERSION_AT,
                "state version",
                VERSION,
                from.getInt(VERSION_AT));
        int count = from.getInt(RUNS_AT);
        expect(
                bytes == HEADER_BYTES + (long) RUN_BYTES * count,
                file,
                offset + RUNS_AT,
                "runs",
                bytes + " bytes",
                count);
        List<Run> runs = new ArrayList<>(count);
        from.position(HEADER_BYTES);
        for (int i = 0; i < count; i++) {
            runs.add(new Run(from.getLong(), from.getLong(), from.getLong(), from.getLong()));
        }
        StorageState state = new StorageState(
                from.getLong(LOG_ID_AT),
                from.getLong(SEQUENCE_AT),
                from.getLong(NEXT_EPOCH_AT),
                from.getLong(FIRST_AT),
                runs);
        state.requireOrder(file, offset);
        return state;
    }

    private void requireOrder(Path file, long offset) throws CorruptLogException {
        boolean begins = runs.isEmpty() || runs.get(0).firstIndex <= first;
        expect(
                first >= 1 && begins,
                file,
                offset + FIRST_AT,
                "first index",
                "1 or more, and that of the first run or more",
                first);
        long at = offset + HEADER_BYTES;
        Run before = null;
        for (Run run : runs) {
            expect(
                    run.epoch < nextEpoch && (before == null || before.epoch < run.epoch),
                    file,
                    at,
                    "epoch",
                    "ascending below " + nextEpoch,
                    run.epoch);
            expect(
                    run.position >= SegmentFile.HEADER_BYTES && run.position % FrameHeader.ALIGNMENT == 0,
                    file,
                    at,
                    "position",
                    "multiple of 8 behind the header",
                    run.position);
            expect(
                    before == null ? run.firstIndex >= 1 : before.firstIndex < run.firstIndex,
                    file,
                    at,
                    "first index of a run",
                    "ascending",
                    run.firstIndex);
            before = run;
            at += RUN_BYTES;
        }
    }

    private static void expect(boolean holds, Path file, long offset, String field, Object expected, Object got)
            throws CorruptLogException {
        if (!holds) {
            throw new CorruptLogException(file, offset, field, expected, got);
        }
    }

    private static int check(ByteBuffer source, int bytes) {
        CRC32C crc = new CRC32C();
        crc.update(source.slice(0, CRC_AT));
        crc.update(source.slice(RUNS_AT, bytes - RUNS_AT));
        return (int) crc.getValue();
    }
}
