package dev.touchstone.queue.replicated.storage;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The header of a frame, which holds one entry of the log, little-endian. A frame begins at a multiple of 8 in its segment:
 *
 * <pre>
 *  0        4      8       16     24           32            36         40
 *  +--------+------+-------+------+------------+-------------+----------+-------- - - -+--------------+
 *  | length | type | index | term | list start | payload CRC | head CRC | payload      | 0 to 7 zeros |
 *  +--------+------+-------+------+------------+-------------+----------+-------- - - -+--------------+
 * </pre>
 *
 * <p>The payload CRC is the CRC-32C of the payload. The head CRC is that of the run's {@link FrameKey}, the frame's position in its segment
 * and the 36 bytes before it, so a header is recognised without its payload.
 *
 * <p>The list start tells a torn end from damage. Frames that are appended by one call are acknowledged together, after the last of them is
 * on the device; the next call begins only then. So a frame whose list starts behind a hole proves that the hole once was acknowledged, and a
 * frame of the hole's own list proves nothing.
 *
 * @param length bytes of the payload, an entry as the engine's codec encodes it, at least 1
 * @param type number of the entry's type in the engine's protocol
 * @param index index of the entry
 * @param term term of the entry
 * @param listStart position in the segment of the first frame that was appended by the same call
 * @param payloadCheck CRC-32C of the payload
 */
record FrameHeader(int length, int type, long index, long term, long listStart, int payloadCheck) {
    /** Bytes of a header. */
    static final int BYTES = 40;

    /** Frames begin at multiples of this. */
    static final int ALIGNMENT = 8;

    /** Offset of the index, by which a reader can pass over most bytes that are no header. */
    static final int INDEX = 8;

    private static final int TYPE = 4;
    private static final int TERM = 16;
    private static final int LIST_START = 24;
    private static final int PAYLOAD_CHECK = 32;
    private static final int HEAD_CHECK = 36;

    /** Returns the bytes of a frame with so many bytes of payload, header and padding included. */
    static long frameBytes(long length) {
        return (BYTES + length + ALIGNMENT - 1) & -ALIGNMENT;
    }

    /** Writes this header at {@code at} of {@code target}, for a frame at {@code position} of its segment. */
    void put(ByteBuffer target, int at, FrameKey key, long position) {
        target.putInt(at, length).putInt(at + TYPE, type);
        target.putLong(at + INDEX, index).putLong(at + TERM, term).putLong(at + LIST_START, listStart);
        target.putInt(at + PAYLOAD_CHECK, payloadCheck);
        target.putInt(at + HEAD_CHECK, key.check(target, at, HEAD_CHECK, position));
    }

    /** Returns the header at {@code at} of {@code source}, or null if no frame of this key was written at {@code position}. */
    static @Nullable FrameHeader read(ByteBuffer source, int at, FrameKey key, long position) {
        int length = source.getInt(at);
        if (length <= 0 || source.getInt(at + HEAD_CHECK) != key.check(source, at, HEAD_CHECK, position)) {
            return null;
        }
        return new FrameHeader(
                length,
                source.getInt(at + TYPE),
                source.getLong(at + INDEX),
                source.getLong(at + TERM),
                source.getLong(at + LIST_START),
                source.getInt(at + PAYLOAD_CHECK));
    }
}
