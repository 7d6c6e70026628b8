package dev.touchstone.index.file;

import dev.touchstone.index.CorruptIndexException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * The layout of an index file. All numbers are little-endian; every section begins at a multiple of 8.
 *
 * <pre>
 *   header      magic 8 | format 4 | sections 4 | file bytes 8 | CRC-32C of the header so far and the directory 4 | 0 4
 *   directory   for each section: kind 4 | number 4 | offset 8 | bytes 8 | CRC-32C of the section 4 | 0 4
 *   SCHEMA      version of the index 8 | engine-independent key name, then fields: texts with their types
 *   STRINGS     of the field whose ordinal is the section's number: texts in the order of their codes, then (from format 2 on) the sets
 *               behind them: for each set its end in the last array, and that array of the codes of the texts of all sets
 *   OFFERINGS, CURRENCIES   texts in the order of their codes
 *   CONDITIONS  of the offering whose code is the section's number: rows, distinct values of ordered fields, default prices
 *   PRICES      of the same: ids, values, currencies, payloads
 * </pre>
 *
 * <p>Bitmaps, slices and hash tables of rows are not in the file. They are derived when the file is opened, so that neither damage nor a forged
 * file can make them contradict the conditions.
 */
final class IndexFormat {
    /** First bytes of a file: "TSINDEX", and a byte that text tools would change. */
    static final long MAGIC = 0x8A_58_45_44_4E_49_53_54L;

    /** Number of the format that is written; lower ones are read as well. */
    static final int FORMAT = 2;

    /** Number of the first format in which the strings of a field have sets. */
    static final int FORMAT_OF_SETS = 2;

    static final int HEADER_BYTES = 32;
    static final int ENTRY_BYTES = 32;
    static final int ALIGNMENT = 8;

    /** Maximum number of sections of a file; each offering has two. */
    static final int MAX_SECTIONS = 1 << 24;

    private static final int CRC_AT = 24;

    /** Kinds of sections. */
    enum Kind {
        SCHEMA(0),
        STRINGS(1),
        OFFERINGS(2),
        CURRENCIES(3),
        CONDITIONS(4),
        PRICES(5);

        final int code;

        Kind(int code) {
            this.code = code;
        }
    }

    /** An entry of the directory: the place of a section in the file. */
    record Entry(Kind kind, int number, long offset, long bytes, int crc) {
        String name() {
            return kind + "[" + number + "]";
        }
    }

    private IndexFormat() {}

    static long aligned(long offset) {
        return (offset + ALIGNMENT - 1) & -ALIGNMENT;
    }

    static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate());
        return (int) crc.getValue();
    }

    /** Returns the bytes of header and directory. */
    static ByteBuffer head(Entry[] entries, long fileBytes) {
        ByteBuffer head =
                ByteBuffer.allocate(HEADER_BYTES + entries.length * ENTRY_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        head.putLong(MAGIC)
                .putInt(FORMAT)
                .putInt(entries.length)
                .putLong(fileBytes)
                .putLong(0);
        for (Entry entry : entries) {
            head.putInt(entry.kind.code)
                    .putInt(entry.number)
                    .putLong(entry.offset)
                    .putLong(entry.bytes);
            head.putInt(entry.crc).putInt(0);
        }
        head.flip();
        return head.putInt(CRC_AT, crc(head));
    }

    /** Returns the number of the format of a file. */
    static int format(ByteBuffer header) {
        return header.getInt(8);
    }

    /** Returns the length of header and directory in bytes, by the header alone. */
    static int headBytes(ByteBuffer header, long fileBytes) throws CorruptIndexException {
        if (header.remaining() < HEADER_BYTES || header.getLong(0) != MAGIC) {
            throw damaged("no index file: bytes=" + fileBytes, "HEADER");
        }
        if (format(header) < 1 || format(header) > FORMAT) {
            throw damaged(
                    "unknown format: format=" + format(header) + " expected=1 to " + FORMAT
                            + "; a later version of the library may have written the file",
                    "HEADER");
        }
        int sections = header.getInt(12);
        if (header.getLong(16) != fileBytes) {
            throw damaged("file has another length: bytes=" + fileBytes + " expected=" + header.getLong(16), "HEADER");
        }
        if (sections < 0 || sections > MAX_SECTIONS || HEADER_BYTES + (long) sections * ENTRY_BYTES > fileBytes) {
            throw damaged("too many sections: sections=" + sections, "HEADER");
        }
        return HEADER_BYTES + sections * ENTRY_BYTES;
    }

    /** Returns the entries of the directory, after checking that the sections are in the file and fill it. */
    static Entry[] entries(ByteBuffer head, long fileBytes) throws CorruptIndexException {
        int expected = head.getInt(CRC_AT);
        ByteBuffer zeroed = ByteBuffer.allocate(head.remaining()).order(ByteOrder.LITTLE_ENDIAN);
        zeroed.put(head.duplicate()).flip();
        zeroed.putInt(CRC_AT, 0);
        if (crc(zeroed) != expected || zeroed.getInt(CRC_AT + Integer.BYTES) != 0) {
            throw damaged("checksum is wrong", "HEADER");
        }
        Entry[] entries = new Entry[zeroed.getInt(12)];
        long end = zeroed.remaining();
        for (int i = 0; i < entries.length; i++) {
            int at = HEADER_BYTES + i * ENTRY_BYTES;
            int kind = zeroed.getInt(at);
            long offset = zeroed.getLong(at + 8);
            long bytes = zeroed.getLong(at + 16);
            if (kind < 0
                    || kind >= Kind.values().length
                    || offset != aligned(end)
                    || bytes < 0
                    || bytes > fileBytes - offset) {
                throw damaged(
                        "entry is wrong: entry=" + i + " kind=" + kind + " offset=" + offset + " bytes=" + bytes,
                        "HEADER");
            }
            end = offset + bytes;
            entries[i] = new Entry(Kind.values()[kind], zeroed.getInt(at + 4), offset, bytes, zeroed.getInt(at + 24));
        }
        if (end != fileBytes) {
            throw damaged("bytes behind the last section: bytes=" + (fileBytes - end), "HEADER");
        }
        return entries;
    }

    static CorruptIndexException damaged(String what, String section) {
        return new CorruptIndexException(what, section, null);
    }
}
