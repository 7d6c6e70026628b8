package dev.touchstone.queue.log.segment;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** The payload of a record of kind {@link RecordFormat#DELAYED}: a time of 8 bytes, little-endian, and the element. */
public final class DelayedPayload {
    /** Bytes in front of the element. */
    public static final int DELAY_BYTES = Long.BYTES;

    private DelayedPayload() {}

    /** Returns the payload of an element that is not handed out before a time in milliseconds of the epoch. */
    public static byte[] encode(byte[] element, long notBeforeMillis) {
        return ByteBuffer.allocate(DELAY_BYTES + element.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(notBeforeMillis)
                .put(element)
                .array();
    }

    /** Returns the time in milliseconds of the epoch; 0 where the payload is too short for one. */
    public static long notBeforeMillis(byte[] payload) {
        return payload.length < DELAY_BYTES
                ? 0
                : ByteBuffer.wrap(payload).order(ByteOrder.LITTLE_ENDIAN).getLong();
    }

    /** Returns the element. */
    public static byte[] element(byte[] payload) {
        return Arrays.copyOfRange(payload, Math.min(DELAY_BYTES, payload.length), payload.length);
    }
}
