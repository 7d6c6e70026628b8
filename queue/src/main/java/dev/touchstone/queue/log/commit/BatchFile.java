package dev.touchstone.queue.log.commit;

import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.FileIo;
import dev.touchstone.queue.log.segment.RecordFormat;
import dev.touchstone.queue.log.segment.Segment;
import dev.touchstone.queue.log.segment.SegmentHeader;
import dev.touchstone.queue.log.segment.SegmentStore;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The mapped file in which the batches of a log lie that commits to the page cache. A record is in the page cache as soon as it is
 * copied, without a system call, and survives the process; the batch is written to its segment later.
 *
 * <p>The file consists of one slot of equal length for each batch. A slot, little-endian, is a header and the bytes that the batch will
 * write to its segment:
 *
 * <pre>
 *  0       8       16         24               32         36     64
 *  +-------+-------+----------+----------------+----------+-- - -+----------- - - -
 *  | magic | epoch | position | first sequence | CRC-32C  | zeros| records
 *  +-------+-------+----------+----------------+----------+-- - -+----------- - - -
 * </pre>
 *
 * The epoch names the segment and the position the batch's place in it. Records carry sequence and salt, so what an earlier use left
 * in the slot is never taken for a record of this one.
 */
public final class BatchFile {
    /*
     * Who calls:      the sealer of a batch, one at a time, takes its slot and begins it; holders of granted claims copy into it;
     *                 close() comes after the last copy.
     * Invariants:     a slot is begun again only after its last use was written to the segment, so every acknowledged record is in a
     *                 segment or in a slot whose header names its place; a page is filled with zeros by a write before it is
     *                 handed out, so a full disk refuses that write and no copy faults.
     * Ordering:       header -> Batch.admit -> granted claims -> records. A killed process leaves every store that was made.
     * Failure:        a page that the device cannot give back faults as InternalError: the copy fails, and with it the log. After a
     *                 power cut any sector may be missing; what replay() finds whole is right, wherever it stops.
     */
    private static final String NAME = "BUFFER";
    private static final long MAGIC = 0x3154_4F4C_5351_5444L; // "DTQSLOT1"
    private static final int EPOCH_AT = 8;
    private static final int POSITION_AT = 16;
    private static final int FIRST_SEQUENCE_AT = 24;
    private static final int CRC_AT = 32;
    private static final int RECORDS_AT = 64;
    private static final int PAGE_BYTES = 4096;
    private static final int LOOK_BYTES = 16 << 10;
    private static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(16 << 10).asReadOnlyBuffer();

    private final FileIo io;
    private final Path path;
    private final int slotBytes;
    private final int[] filled = new int[LogWriter.BATCHES];
    private FileIo.@Nullable DataFile file;
    private @Nullable ByteBuffer mapping;

    /**
     * Creates a file that is made when its first slot is taken.
     *
     * @param recordBytes number of record bytes in a full batch
     */
    BatchFile(FileIo io, Path folder, int recordBytes) {
        this.io = io;
        this.path = folder.resolve(NAME);
        this.slotBytes = pages(RECORDS_AT + recordBytes + ConsumptionRecords.MAX_BYTES);
    }

    private static int pages(int bytes) {
        return (bytes + PAGE_BYTES - 1) & -PAGE_BYTES;
    }

    /** Returns the slot's memory, with room for so many bytes of records and for the consumption that may follow them. */
    ByteBuffer take(int slot, int recordBytes) throws IOException {
        FileIo.DataFile open = file;
        if (open == null) {
            open = io.create(path, FileIo.Access.WRITE);
            file = open;
        }
        int needed = pages(RECORDS_AT + recordBytes + ConsumptionRecords.MAX_BYTES);
        ByteBuffer mapped = mapping;
        if (mapped == null) {
            int mappedBytes = LogWriter.BATCHES * slotBytes;
            fill(open, mappedBytes - PAGE_BYTES, PAGE_BYTES); // which makes the file as long as its mapping
            for (int i = 0; i < LogWriter.BATCHES; i++) {
                fillUpTo(open, i, needed); // all of them, so that going on needs no room
            }
            mapped = open.mapForWriting(mappedBytes);
            mapping = mapped;
        }
        fillUpTo(open, slot, needed);
        return mapped.slice(slot * slotBytes + RECORDS_AT, needed - RECORDS_AT).order(ByteOrder.LITTLE_ENDIAN);
    }

    private void fillUpTo(FileIo.DataFile open, int slot, int needed) throws IOException {
        if (filled[slot] < needed) {
            fill(open, slot * slotBytes + filled[slot], needed - filled[slot]);
            filled[slot] = needed;
        }
    }

    /** Writes zeros, which takes the room of what will be there. */
    static void fill(FileIo.DataFile file, long position, int bytes) throws IOException {
        for (int done = 0; done < bytes; ) {
            ByteBuffer zeros = ZEROS.duplicate();
            int count = Math.min(zeros.capacity(), bytes - done);
            file.write(zeros.limit(count), position + done);
            done += count;
        }
    }

    /** Begins a use of a slot that was taken. */
    void begin(int slot, Segment segment, long position, long firstSequence) {
        ByteBuffer mapped = mapping;
        if (mapped == null) {
            throw new IllegalStateException("slot was never taken: slot=" + slot + " file=" + path);
        }
        ByteBuffer header = mapped.slice(slot * slotBytes, RECORDS_AT).order(ByteOrder.LITTLE_ENDIAN);
        header.putLong(0, 0);
        VarHandle.storeStoreFence(); // so that a process killed from here on leaves no header instead of a damaged one
        header.putLong(EPOCH_AT, segment.header().epoch());
        header.putLong(POSITION_AT, position).putLong(FIRST_SEQUENCE_AT, firstSequence);
        header.putInt(CRC_AT, crc(header));
        VarHandle.storeStoreFence();
        header.putLong(0, MAGIC);
    }

    /** Returns the checksum of a header, over the magic that belongs there. */
    private static int crc(ByteBuffer header) {
        CRC32C crc = new CRC32C();
        crc.update(
                ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(0, MAGIC));
        crc.update(header.slice(Long.BYTES, CRC_AT - Long.BYTES));
        return (int) crc.getValue();
    }

    /**
     * Closes the file, and deletes it where every record is in a segment.
     *
     * @param allWritten whether it is; no thread copies any more then
     */
    void close(boolean allWritten) throws IOException {
        FileIo.DataFile open = file;
        if (open == null) {
            return;
        }
        try (open) {
            if (allWritten) {
                io.delete(path);
                open.truncate(0); // the mapping stays until it is collected; its disk space does not
            }
        }
    }

    /** A receiver of damage, which decides whether the replay goes on. */
    @FunctionalInterface
    public interface DamageSink {
        /**
         * Takes a damaged place.
         *
         * @throws IOException if the replay is to end
         */
        void damaged(CorruptLogException damage) throws IOException;
    }

    /** Writes what a killed process left in its batches to the segments that they belong to. May be repeated. */
    public static void replay(FileIo io, Path folder, DamageSink sink) throws IOException {
        Path path = folder.resolve(NAME);
        try (FileIo.DataFile file = io.open(path, FileIo.Access.READ)) {
            long size = file.size();
            if (size > Integer.MAX_VALUE) {
                sink.damaged(new CorruptLogException(path, 0, "buffer length", "at most " + Integer.MAX_VALUE, size));
                return;
            }
            long slotBytes = size / LogWriter.BATCHES;
            for (int i = 0; i < LogWriter.BATCHES && slotBytes > RECORDS_AT; i++) {
                long at = i * slotBytes;
                ByteBuffer header = header(file, at);
                long magic = header.getLong(0);
                if (magic != 0 && header.getInt(CRC_AT) == crc(header)) {
                    replay(io, folder, header, file, at + RECORDS_AT, (int) slotBytes - RECORDS_AT);
                } else if (magic == MAGIC) {
                    sink.damaged(new CorruptLogException(
                            path, at + CRC_AT, "buffer slot CRC", crc(header), header.getInt(CRC_AT)));
                }
            }
        } catch (NoSuchFileException none) {
            // the log was closed, or never committed to the page cache
        }
    }

    private static void replay(
            FileIo io, Path folder, ByteBuffer slotHeader, FileIo.DataFile file, long recordsAt, int recordBytes)
            throws IOException {
        long epoch = slotHeader.getLong(EPOCH_AT);
        long position = slotHeader.getLong(POSITION_AT);
        Path path = folder.resolve(SegmentStore.fileName(epoch));
        try (FileIo.DataFile segment = io.open(path, FileIo.Access.WRITE)) {
            SegmentHeader header = SegmentHeader.read(segment, path, epoch, false);
            if (header == null || header.epoch() != epoch || header.compressed()) {
                return; // the segment never began, its file has another use by now, or it is all on the device
            }
            int room = (int) Math.max(0, Math.min(recordBytes, header.segmentBytes() - position));
            ByteBuffer records = ByteBuffer.allocate(room).order(ByteOrder.LITTLE_ENDIAN);
            int read = file.read(records, recordsAt);
            int bytes = wholeBytes(records, 0, read, slotHeader.getLong(FIRST_SEQUENCE_AT), header.salt());
            if (bytes > 0) {
                segment.write(records.position(0).limit(bytes), position);
            }
        } catch (NoSuchFileException consumed) {
            // and with it what the slot held
        } catch (CorruptLogException headerDamaged) {
            // which the recovery finds too, and tells of
        }
    }

    /** Returns the bytes of the records that stand whole and in order from {@code start} on. */
    private static int wholeBytes(ByteBuffer slot, int start, int room, long firstSequence, long salt) {
        long next = firstSequence;
        int done = 0;
        while (room - done >= RecordFormat.HEADER_BYTES) {
            int at = start + done;
            int word = RecordFormat.word(slot, at);
            int length = RecordFormat.length(word);
            if (RecordFormat.sequence(slot, at) != next
                    || length > room - done - RecordFormat.HEADER_BYTES
                    || RecordFormat.recordBytes(length) > room - done) {
                return done;
            }
            byte[] payload = new byte[length];
            slot.get(at + RecordFormat.HEADER_BYTES, payload);
            if (RecordFormat.check(next, salt, word, payload) != RecordFormat.check(slot, at)) {
                return done;
            }
            next += RecordFormat.isAppended(word) ? 1 : 0;
            done += RecordFormat.recordBytes(length);
        }
        return done;
    }

    /**
     * Reads records that may not be in their segment yet, also while the owner appends: it uses a slot again only when the segment has the
     * slot's records. So a record that is in neither what this call returns nor what is read from the segment afterwards was not committed
     * before the call.
     *
     * @param position in the segment from which on bytes are wanted, where a record begins
     * @param sequence of the record at the position
     * @return whole records, from the position on; null where no slot has any
     */
    public static @Nullable ByteBuffer read(FileIo io, Path folder, Segment segment, long position, long sequence)
            throws IOException {
        try (FileIo.DataFile file = io.open(folder.resolve(NAME), FileIo.Access.READ)) {
            long slotBytes = file.size() / LogWriter.BATCHES;
            for (int i = 0; i < LogWriter.BATCHES && slotBytes > RECORDS_AT; i++) {
                ByteBuffer header = header(file, i * slotBytes);
                long at = RECORDS_AT + position - header.getLong(POSITION_AT);
                if (header.getInt(CRC_AT) == crc(header)
                        && header.getLong(0) == MAGIC
                        && header.getLong(EPOCH_AT) == segment.header().epoch()
                        && at >= RECORDS_AT
                        && at < slotBytes) {
                    ByteBuffer records = records(file, i * slotBytes + at, (int) (slotBytes - at), sequence, segment);
                    if (records.hasRemaining() && header.equals(header(file, i * slotBytes))) {
                        return records;
                    }
                }
            }
        } catch (NoSuchFileException none) {
            return null; // the log was closed, or never committed to the page cache
        }
        return null;
    }

    private static ByteBuffer header(FileIo.DataFile file, long slot) throws IOException {
        ByteBuffer header = ByteBuffer.allocate(RECORDS_AT).order(ByteOrder.LITTLE_ENDIAN);
        int unused = file.read(header, slot);
        return header.clear();
    }

    /** Reads the whole records at a place; more than a few only where the first alone needs it. */
    private static ByteBuffer records(FileIo.DataFile file, long place, int room, long sequence, Segment segment)
            throws IOException {
        for (int bytes = Math.min(LOOK_BYTES, room); ; bytes = room) {
            ByteBuffer look = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
            int read = file.read(look, place);
            look.flip();
            int whole = wholeBytes(look, 0, read, sequence, segment.salt());
            if (whole > 0 || bytes == room) {
                return look.limit(whole);
            }
        }
    }

    /** Deletes the file once everything in it is in segments. */
    public static void delete(FileIo io, Path folder) throws IOException {
        io.delete(folder.resolve(NAME));
    }
}
