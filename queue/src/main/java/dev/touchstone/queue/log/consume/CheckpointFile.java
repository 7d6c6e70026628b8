package dev.touchstone.queue.log.consume;

import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.FileIo;
import dev.touchstone.queue.log.LogFailedException;
import java.io.Closeable;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A file that holds a log's consumption in turn with another: a checkpoint of all cursors, then slots with what was consumed since.
 * Little-endian:
 *
 * <pre>
 *  0       8            16           24      28        32      36        40      44      48
 *  +-------+------------+------------+-------+---------+-------+---------+-------+-------+--- - - ---+------+------+- -
 *  | magic | generation | checkpoint | flags | cursors | bytes | CRC-32C | slots | zeros | cursors   | slot | slot |
 *  +-------+------------+------------+-------+---------+-------+---------+-------+-------+--- - - ---+------+------+- -
 * </pre>
 *
 * <p>A cursor: {@code id, floor, sequence, segment, position, offset} of 8 bytes each, {@code name bytes, ranges, attempts} of 4 bytes each
 * and 4 zeros, the name in UTF-8 padded to 8, ranges of (first: 8, end: 8), attempts of (sequence: 8, not-before: 8, deliveries: 8). A
 * slot: CRC-32C mixed with generation and position: 4, zeros: 4, an entry of {@link ConsumptionEntries}.
 *
 * <p>{@code bytes} counts from the magic to the end of the cursors; the CRC is of all these but itself. Slots begin at the next multiple of
 * 512, and 12 of them lie in each 512 bytes, so that a device writes each of them whole or not at all.
 *
 * <p>A generation is one checkpoint with its slots. The checkpoint and zeros in place of all slots are on the device before the first slot is
 * written. So a slot of a generation proves that its checkpoint was whole, and the first entry stands in two slots, so that damage to one
 * leaves that proof. Slots are stored through a mapping, their first 8 bytes last, or written where a store could need room on the disk: a
 * place that begins with zeros holds none, and one that holds anything else but a slot is damaged. So is one that holds an entry behind the
 * zeros and stands before a slot.
 */
final class CheckpointFile implements Closeable {
    static final int SLOT_BYTES = 8 + ConsumptionEntries.BYTES;
    static final int SECTOR_BYTES = 512;

    private static final int ENTRY = 8;
    private static final int SLOTS_PER_SECTOR = SECTOR_BYTES / SLOT_BYTES;

    private static final long MAGIC = 0x3153_4E4F_4351_5444L; // "DTQCONS1"
    private static final int GENERATION = 8;
    private static final int CHECKPOINT = 16;
    private static final int FLAGS = 24;
    private static final int CURSORS = 28;
    private static final int LENGTH = 32;
    private static final int CRC = 36;
    private static final int SLOTS = 40;
    private static final int HEADER_BYTES = 48;
    private static final int CURSOR_BYTES = 64;
    private static final int RANGE_BYTES = 16;
    private static final int ATTEMPT_BYTES = 24;
    private static final int MAX_BYTES = 1 << 30;
    private static final int MAX_NAME_BYTES = 256;
    private static final int WRITTEN_THROUGH = 1;
    private static final int CLOSED = 2;

    private final Path path;
    private final FileIo.DataFile file;
    private final CRC32C crc = new CRC32C();
    private final @Nullable ByteBuffer slot; // that is written where a store into a mapping could be lost
    private @Nullable ByteBuffer mapping; // of the whole file, from the first slot that is written on

    /**
     * The head of a generation.
     *
     * @param generation number of this checkpoint, from 1
     * @param checkpoint every record before this sequence is on the device
     * @param writtenThrough whether segments after the checkpoint were written through to the device
     * @param closed whether the log was closed with this checkpoint
     */
    record Head(long generation, long checkpoint, boolean writtenThrough, boolean closed) {}

    /**
     * A checkpoint that was read.
     *
     * @param firstSlot position of the first slot
     * @param slots number of slots
     */
    record Checkpoint(Head head, List<ConsumerState> cursors, int firstSlot, int slots) {}

    private CheckpointFile(Path path, FileIo.DataFile file, boolean mapped) {
        this.path = path;
        this.file = file;
        this.slot = mapped ? null : ByteBuffer.allocateDirect(SLOT_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Opens a file, made where absent. */
    static CheckpointFile open(FileIo io, Path folder, String name) throws IOException {
        Path path = folder.resolve(name);
        return new CheckpointFile(path, io.create(path, FileIo.Access.WRITE), !io.storesNeedRoom(folder));
    }

    Path path() {
        return path;
    }

    long size() throws IOException {
        return file.size();
    }

    /**
     * Writes a checkpoint and zeros in place of {@code slots} slots, the header last: where anything else is refused, as by a full disk, the
     * file has no checkpoint.
     *
     * @return the position of the first slot
     * @throws LogFailedException if the header was refused, and cannot be cleared either: the next open may find this checkpoint
     */
    int write(Head head, Collection<ConsumerState> cursors, int slots) throws IOException {
        ByteBuffer checkpoint = encode(head, cursors, slots);
        int firstSlot = firstSlot(checkpoint.limit());
        ByteBuffer whole = ByteBuffer.allocate((int) end(firstSlot, slots)).put(checkpoint);
        if (mapping != null && mapping.capacity() < whole.capacity()) {
            mapping = null;
        }
        clear();
        file.write(whole.clear().position(HEADER_BYTES), HEADER_BYTES);
        try {
            file.write(whole.clear().limit(HEADER_BYTES), 0);
        } catch (IOException refused) {
            try {
                clear();
            } catch (IOException e) {
                throw new LogFailedException(e);
            }
            throw refused;
        }
        return firstSlot;
    }

    /** Writes zeros in place of the header: the file has no checkpoint then, and that is no damage. */
    void clear() throws IOException {
        file.write(ByteBuffer.allocate(HEADER_BYTES), 0);
    }

    /** Returns whether the header holds zeros only. */
    boolean isCleared() throws IOException {
        return header().equals(ByteBuffer.allocate(HEADER_BYTES));
    }

    /** Returns the header's bytes, with zeros behind the end of the file. */
    ByteBuffer header() throws IOException {
        ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        int unused = file.read(header, 0);
        return header.clear();
    }

    /** Returns the bytes that a file with so many slots has at least. */
    static long bytes(int slots) {
        return end(firstSlot(HEADER_BYTES + CURSOR_BYTES), slots);
    }

    /** Returns the position behind so many slots, with the unused end of the last sector. */
    private static long end(int firstSlot, int slots) {
        return firstSlot + (slots + SLOTS_PER_SECTOR - 1L) / SLOTS_PER_SECTOR * SECTOR_BYTES;
    }

    private static int firstSlot(int checkpointBytes) {
        return (checkpointBytes + SECTOR_BYTES - 1) & -SECTOR_BYTES;
    }

    /** Returns the position of a slot. */
    static long slotPosition(int firstSlot, int slot) {
        return firstSlot + (long) slot / SLOTS_PER_SECTOR * SECTOR_BYTES + slot % SLOTS_PER_SECTOR * (long) SLOT_BYTES;
    }

    private static int encodedBytes(Collection<ConsumerState> cursors) {
        int bytes = HEADER_BYTES;
        for (ConsumerState cursor : cursors) {
            bytes += CURSOR_BYTES + padded(cursor.name().getBytes(StandardCharsets.UTF_8).length);
            bytes += cursor.above().count() * RANGE_BYTES + cursor.attempts().size() * ATTEMPT_BYTES;
        }
        return bytes;
    }

    /** Returns how many slots there is room for behind a checkpoint of these cursors, in the file as it is; less than 1 for none. */
    int slotsThatFit(Collection<ConsumerState> cursors) throws IOException {
        long room = Math.min(file.size(), MAX_BYTES) - firstSlot(encodedBytes(cursors));
        return (int) (room / SECTOR_BYTES * SLOTS_PER_SECTOR);
    }

    private ByteBuffer encode(Head head, Collection<ConsumerState> cursors, int slots) {
        int bytes = encodedBytes(cursors);
        ByteBuffer target = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        target.putLong(MAGIC).putLong(head.generation()).putLong(head.checkpoint());
        target.putInt((head.writtenThrough() ? WRITTEN_THROUGH : 0) | (head.closed() ? CLOSED : 0));
        target.putInt(cursors.size()).putInt(bytes).putInt(0).putInt(slots).putInt(0);
        for (ConsumerState cursor : cursors) {
            encode(cursor, target);
        }
        target.putInt(CRC, checksum(target));
        return target.flip();
    }

    private static void encode(ConsumerState cursor, ByteBuffer target) {
        byte[] name = cursor.name().getBytes(StandardCharsets.UTF_8);
        ConsumerState.Place place = cursor.place();
        target.putLong(cursor.id()).putLong(cursor.floor()).putLong(place.sequence());
        target.putLong(place.segment()).putLong(place.position()).putLong(place.offset());
        target.putInt(name.length).putInt(cursor.above().count());
        target.putInt(cursor.attempts().size()).putInt(0);
        target.put(name).position(target.position() + padded(name.length) - name.length);
        cursor.above().forEach((first, end) -> target.putLong(first).putLong(end));
        cursor.attempts()
                .forEach((sequence, attempt) -> target.putLong(sequence)
                        .putLong(attempt.notBeforeMillis())
                        .putLong(attempt.deliveries()));
    }

    /**
     * Returns the checkpoint of the file, or null where none is whole: neither is one whose slots do not all lie in the file, since they were
     * there, as zeros, before the first was written.
     */
    @Nullable
    Checkpoint read() throws IOException {
        ByteBuffer header = header();
        if (header.getLong(0) != MAGIC) {
            return null;
        }
        int bytes = header.getInt(LENGTH);
        if (bytes < HEADER_BYTES || bytes > file.size()) {
            return null;
        }
        ByteBuffer source = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        if (file.read(source, 0) < bytes
                || source.getInt(LENGTH) != bytes // an owner at work has written another
                || source.getInt(CRC) != checksum(source.flip())
                || file.size() < end(firstSlot(bytes), source.getInt(SLOTS))) {
            return null;
        }
        int flags = source.getInt(FLAGS);
        Head head = new Head(
                source.getLong(GENERATION),
                source.getLong(CHECKPOINT),
                (flags & WRITTEN_THROUGH) != 0,
                (flags & CLOSED) != 0);
        List<ConsumerState> cursors = new ArrayList<>();
        source.position(HEADER_BYTES);
        for (int i = 0; i < source.getInt(CURSORS); i++) {
            cursors.add(decode(source));
        }
        return new Checkpoint(head, cursors, firstSlot(bytes), source.getInt(SLOTS));
    }

    /** Reads a cursor of a checkpoint whose checksum is right. */
    private static ConsumerState decode(ByteBuffer source) {
        long id = source.getLong();
        long floor = source.getLong();
        ConsumerState.Place place =
                new ConsumerState.Place(source.getLong(), source.getLong(), source.getLong(), source.getLong());
        byte[] name = new byte[Math.min(source.getInt(), MAX_NAME_BYTES)];
        int ranges = source.getInt();
        int attempts = source.getInt();
        source.getInt();
        source.get(name).position(source.position() + padded(name.length) - name.length);
        ConsumerState cursor = new ConsumerState(id, new String(name, StandardCharsets.UTF_8), floor);
        cursor.placed(place);
        for (int i = 0; i < ranges; i++) {
            cursor.consume(source.getLong(), source.getLong());
        }
        for (int i = 0; i < attempts; i++) {
            long sequence = source.getLong();
            long notBefore = source.getLong();
            cursor.attempt(sequence, new ConsumerState.Attempt((int) source.getLong(), notBefore));
        }
        return cursor;
    }

    /**
     * Writes a slot at its position; in the page cache on return.
     *
     * @param entry the slot's entry, from the first byte on
     */
    void writeSlot(ByteBuffer entry, long generation, long position) throws IOException {
        int at = (int) position;
        long check = slotChecksum(entry, 0, generation, position) & 0xFFFF_FFFFL;
        if (slot != null) {
            slot.clear().putLong(0, check).put(ENTRY, entry, 0, ConsumptionEntries.BYTES);
            file.write(slot, position);
            return;
        }
        ByteBuffer target = mapping();
        target.put(at + ENTRY, entry, 0, ConsumptionEntries.BYTES);
        VarHandle.storeStoreFence(); // a process that is killed before it has the whole slot leaves its first 8 bytes
        // zero
        target.putLong(at, check);
    }

    private ByteBuffer mapping() throws IOException {
        ByteBuffer mapped = mapping;
        if (mapped == null) {
            mapped = file.mapForWriting((int) Math.min(file.size(), MAX_BYTES)).order(ByteOrder.LITTLE_ENDIAN);
            mapping = mapped;
        }
        return mapped;
    }

    /**
     * Gives the entries of a checkpoint's slots to {@code sink}, and damaged slots to {@code damages}. Where no place holds a slot nothing is
     * damaged: the checkpoint was being written, and a power cut has left bytes of an earlier one.
     */
    void readSlots(Checkpoint checkpoint, ConsumptionEntries.Sink sink, List<CorruptLogException> damages)
            throws IOException {
        List<CorruptLogException> found = new ArrayList<>();
        if (readSlots(checkpoint.head().generation(), checkpoint.firstSlot(), checkpoint.slots(), sink, found) > 0) {
            damages.addAll(found);
        }
    }

    /** Gives the entries of a generation's slots, wherever they stand, to {@code sink}; returns the number of slots that were found. */
    int findSlots(long generation, ConsumptionEntries.Sink sink) throws IOException {
        return readSlots(generation, 0, Integer.MAX_VALUE, sink, new ArrayList<>());
    }

    private int readSlots(
            long generation, int firstSlot, int slots, ConsumptionEntries.Sink sink, List<CorruptLogException> damages)
            throws IOException {
        ByteBuffer content =
                ByteBuffer.allocate((int) Math.min(file.size(), MAX_BYTES)).order(ByteOrder.LITTLE_ENDIAN);
        int bytes = file.read(content, 0);
        int found = 0;
        List<CorruptLogException> headless = new ArrayList<>();
        for (int slot = 0; slot < slots && slotPosition(firstSlot, slot) + SLOT_BYTES <= bytes; slot++) {
            int at = (int) slotPosition(firstSlot, slot);
            if (content.getInt(at + 4) == 0
                    && content.getInt(at) == slotChecksum(content, at + ENTRY, generation, at)) {
                ConsumptionEntries.read(content, at + ENTRY, sink);
                found++;
                damages.addAll(headless); // slots are filled in order, so a killed process left none of these
                headless.clear();
            } else if (content.getLong(at) != 0) {
                damages.add(new CorruptLogException(path, at, "consumption entry", "matching CRC", "another"));
            } else if (content.getLong(at + ENTRY)
                    != 0) { // the id of a cursor, or the checkpoint's, which costs nothing
                headless.add(new CorruptLogException(path, at, "consumption entry", "CRC", 0));
            }
        }
        return found;
    }

    private int slotChecksum(ByteBuffer source, int entry, long generation, long position) {
        crc.reset();
        crc.update(source.limit(entry + ConsumptionEntries.BYTES).position(entry));
        source.clear();
        long mixed = (generation * 0x9E3779B97F4A7C15L ^ position) * 0xBF58476D1CE4E5B9L;
        return (int) crc.getValue() ^ (int) (mixed >>> 32);
    }

    private int checksum(ByteBuffer checkpoint) {
        crc.reset();
        crc.update(checkpoint.duplicate().limit(CRC).position(0));
        crc.update(checkpoint.duplicate().limit(checkpoint.getInt(LENGTH)).position(SLOTS));
        return (int) crc.getValue();
    }

    private static int padded(int bytes) {
        return (bytes + Long.BYTES - 1) & -Long.BYTES;
    }

    void force() throws IOException {
        file.force();
    }

    @Override
    public void close() throws IOException {
        mapping = null;
        file.close();
    }
}
