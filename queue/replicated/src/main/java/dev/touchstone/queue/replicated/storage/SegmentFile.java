package dev.touchstone.queue.replicated.storage;

import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.FileIo;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.zip.CRC32C;

/**
 * A preallocated file of frames, open for reading and writing. Writes return when their bytes are on the device. Thread-safe.
 *
 * <p>Its header is written once, before the file is used; frames begin behind it, at {@link #HEADER_BYTES}:
 *
 * <pre>
 *  0       8         12       16       24     32      40
 *  +-------+---------+--------+--------+------+-------+--- - - -+
 *  | magic | version | CRC    | log id | id   | bytes | zeros   |
 *  +-------+---------+--------+--------+------+-------+--- - - -+
 * </pre>
 *
 * <p>All fields are little-endian. The CRC-32C covers all fields but itself. Nothing in the file says which of its frames are of the log:
 * that is in the {@link StorageState}.
 */
final class SegmentFile implements Closeable {
    /** Bytes before the first frame: a sector, which no frame's write touches. */
    static final int HEADER_BYTES = 512;

    private static final String SUFFIX = ".segment";
    private static final int DIGITS = 20;
    private static final long MAGIC = 0x3147_4553_4C52_5444L; // "DTRLSEG1"
    private static final int VERSION = 1;
    private static final int VERSION_AT = 8;
    private static final int CRC_AT = 12;
    private static final int LOG_ID_AT = 16;
    private static final int ID_AT = 24;
    private static final int BYTES_AT = 32;
    private static final int USED = 40;

    /** Bytes that are made at once, so that the log's writes do not wait behind those of a whole segment. */
    private static final int PIECE_BYTES = 1 << 20;

    private final Path path;
    private final long id;
    private final long bytes;
    private final FileIo.DataFile file;

    private SegmentFile(Path path, long id, long bytes, FileIo.DataFile file) {
        this.path = path;
        this.id = id;
        this.bytes = bytes;
        this.file = file;
    }

    /** Returns the path of the segment {@code id}. */
    static Path path(Path folder, long id) {
        return folder.resolve(String.format(Locale.ROOT, "%0" + DIGITS + "d%s", id, SUFFIX));
    }

    /** Returns the number in a segment's name, or -1 if the file is not named as a segment. */
    static long id(Path path) {
        String name = String.valueOf(path.getFileName());
        boolean isSegment = name.length() == DIGITS + SUFFIX.length()
                && name.endsWith(SUFFIX)
                && name.chars().limit(DIGITS).allMatch(c -> c >= '0' && c <= '9')
                && name.charAt(0) == '0'; // so the number fits in a long
        return isSegment ? Long.parseLong(name.substring(0, DIGITS)) : -1;
    }

    /**
     * Makes a segment of zeros. On return its content is on the device, and its name is not. Deletes the file again if it cannot be made.
     *
     * @param bytes length of the file, header included
     */
    static SegmentFile create(FileIo io, Path folder, long id, long logId, long bytes) throws IOException {
        Path path = path(folder, id);
        try {
            try (FileIo.DataFile file = io.create(path, FileIo.Access.WRITE)) {
                ByteBuffer piece = ByteBuffer.allocate((int) Math.min(bytes, PIECE_BYTES));
                putHeader(piece, id, logId, bytes);
                long position = 0;
                while (position < bytes) {
                    int length = (int) Math.min(bytes - position, piece.capacity());
                    file.write(piece.clear().limit(length), position);
                    file.force();
                    piece.clear().put(new byte[USED]);
                    position += length;
                }
            }
            return new SegmentFile(path, id, bytes, io.open(path, FileIo.Access.WRITE_THROUGH));
        } catch (IOException e) {
            try {
                io.delete(path);
            } catch (IOException alsoFailed) {
                e.addSuppressed(alsoFailed);
            }
            throw e;
        }
    }

    /**
     * Opens a segment.
     *
     * @throws CorruptLogException if there is none, or it is not that segment of that log, or is too short
     */
    static SegmentFile open(FileIo io, Path folder, long id, long logId) throws IOException {
        Path path = path(folder, id);
        FileIo.DataFile file;
        try {
            file = io.open(path, FileIo.Access.WRITE_THROUGH);
        } catch (NoSuchFileException e) {
            CorruptLogException missing = new CorruptLogException(path, 0, "segment", "a file", "none");
            missing.initCause(e);
            throw missing;
        }
        try {
            return new SegmentFile(path, id, checkedBytes(file, path, id, logId), file);
        } catch (IOException e) {
            file.close();
            throw e;
        }
    }

    private static void putHeader(ByteBuffer target, long id, long logId, long bytes) {
        ByteBuffer header = target.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        header.putLong(0, MAGIC).putInt(VERSION_AT, VERSION);
        header.putLong(LOG_ID_AT, logId).putLong(ID_AT, id).putLong(BYTES_AT, bytes);
        header.putInt(CRC_AT, check(header));
    }

    /** Returns the length that the header names, having checked the header and the file's length. */
    private static long checkedBytes(FileIo.DataFile file, Path path, long id, long logId) throws IOException {
        ByteBuffer header = ByteBuffer.allocate(USED).order(ByteOrder.LITTLE_ENDIAN);
        int found = file.read(header, 0);
        expect(path, found, "segment header length", USED, found);
        expect(path, 0, "segment magic", Long.toHexString(MAGIC), Long.toHexString(header.getLong(0)));
        expect(path, VERSION_AT, "segment version", VERSION, header.getInt(VERSION_AT));
        expect(path, CRC_AT, "segment header CRC", check(header), header.getInt(CRC_AT));
        expect(path, LOG_ID_AT, "log id", Long.toHexString(logId), Long.toHexString(header.getLong(LOG_ID_AT)));
        expect(path, ID_AT, "segment id", id, header.getLong(ID_AT));
        long bytes = header.getLong(BYTES_AT);
        expect(path, BYTES_AT, "segment length", bytes, file.size());
        return bytes;
    }

    private static int check(ByteBuffer header) {
        CRC32C crc = new CRC32C();
        crc.update(header.slice(0, CRC_AT));
        crc.update(header.slice(LOG_ID_AT, USED - LOG_ID_AT));
        return (int) crc.getValue();
    }

    private static void expect(Path path, long offset, String field, Object expected, Object got)
            throws CorruptLogException {
        if (!expected.equals(got)) {
            throw new CorruptLogException(path, offset, field, expected, got);
        }
    }

    Path path() {
        return path;
    }

    long id() {
        return id;
    }

    /** Returns the length of the file, header included. */
    long bytes() {
        return bytes;
    }

    /** Fills {@code target} from {@code position} on, up to the file's end, and returns the number of bytes read. */
    int read(ByteBuffer target, long position) throws IOException {
        return file.read(target, position);
    }

    /** Writes all of {@code source} at {@code position}; on return it is on the device. */
    void write(ByteBuffer source, long position) throws IOException {
        file.write(source, position);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
