package dev.touchstone.serialization.container;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The format of a container.
 *
 * <pre>
 *   container   head | block for each schema of the head | blocks
 *   head        "TSCOMPAC": 8 bytes | version: int32 | number of schemas that follow: int32 | check of these 16 bytes: int32
 *   block       start | payload | check of the payload: int32
 *   start       kind: int8 | length of the payload: int32 | number of the block, from 0: int64 | check of these 13 bytes: int32
 *   payload     kind 1: a schema, as SchemaFormat has it
 *               kind 2: a record with its 8 bytes of header
 *               kind 3: the end: number of records: int64; nothing follows
 * </pre>
 *
 * <p>All numbers are big-endian; each check is a CRC-32C. A schema stands in front of the first record that needs it. The start has a check
 * of its own, so that the length can be trusted: a block that ends early is then known to be cut off rather than changed. The number of the
 * block reveals blocks that are missing or repeated.
 */
final class ContainerFormat {
    static final long MAGIC = 0x5453434f4d504143L;
    static final int VERSION = 1;
    static final int HEAD_BYTES = 20;
    static final int START_BYTES = 17;
    static final int CHECK_BYTES = Integer.BYTES;
    static final int END_BYTES = Long.BYTES;

    static final byte SCHEMA = 1;
    static final byte RECORD = 2;
    static final byte END = 3;

    static final int MAX_SCHEMA_BYTES = 1 << 20;
    static final int MAX_SCHEMAS = 1 << 16;

    private static final int VERSION_AT = 8;
    private static final int SCHEMAS_AT = 12;
    private static final int LENGTH_AT = 1;
    private static final int NUMBER_AT = 5;

    private ContainerFormat() {}

    static byte[] head(int schemas) {
        byte[] head = new byte[HEAD_BYTES];
        ByteBuffer.wrap(head).putLong(0, MAGIC);
        ByteBuffer.wrap(head).putInt(VERSION_AT, VERSION);
        ByteBuffer.wrap(head).putInt(SCHEMAS_AT, schemas);
        return checked(head);
    }

    static long magic(byte[] head) {
        return ByteBuffer.wrap(head).getLong(0);
    }

    static int version(byte[] head) {
        return ByteBuffer.wrap(head).getInt(VERSION_AT);
    }

    static int schemas(byte[] head) {
        return ByteBuffer.wrap(head).getInt(SCHEMAS_AT);
    }

    static byte[] start(byte kind, int length, long number) {
        byte[] start = new byte[START_BYTES];
        start[0] = kind;
        ByteBuffer.wrap(start).putInt(LENGTH_AT, length);
        ByteBuffer.wrap(start).putLong(NUMBER_AT, number);
        return checked(start);
    }

    static byte kind(byte[] start) {
        return start[0];
    }

    static int length(byte[] start) {
        return ByteBuffer.wrap(start).getInt(LENGTH_AT);
    }

    static long number(byte[] start) {
        return ByteBuffer.wrap(start).getLong(NUMBER_AT);
    }

    static byte[] end(long records) {
        byte[] end = new byte[END_BYTES];
        ByteBuffer.wrap(end).putLong(0, records);
        return end;
    }

    static long records(byte[] end) {
        return ByteBuffer.wrap(end).getLong(0);
    }

    static byte[] check(byte[] payload) {
        byte[] check = new byte[CHECK_BYTES];
        ByteBuffer.wrap(check).putInt(0, crc(payload, payload.length));
        return check;
    }

    /** Returns whether the last bytes are the check of the bytes before them. */
    static boolean isSound(byte[] bytes) {
        int length = bytes.length - CHECK_BYTES;
        return ByteBuffer.wrap(bytes).getInt(length) == crc(bytes, length);
    }

    /** Returns whether {@code check} is the check of a payload. */
    static boolean isSound(byte[] payload, byte[] check) {
        return ByteBuffer.wrap(check).getInt(0) == crc(payload, payload.length);
    }

    private static byte[] checked(byte[] bytes) {
        int length = bytes.length - CHECK_BYTES;
        ByteBuffer.wrap(bytes).putInt(length, crc(bytes, length));
        return bytes;
    }

    private static int crc(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }
}
