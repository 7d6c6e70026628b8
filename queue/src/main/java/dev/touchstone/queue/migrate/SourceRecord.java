package dev.touchstone.queue.migrate;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The place of a record in a source, readable until the source moves on to its next file.
 *
 * @param source the bytes that hold the record
 * @param at offset in {@code source} of the bytes that the serializer wrote; the record's length precedes them
 * @param length number of bytes that the serializer wrote, at least 0
 */
record SourceRecord(ByteSource source, long at, int length) {
    static final int PREFIX_BYTES = Integer.BYTES;

    /** Returns whether the first four bytes are the number of bytes after them. */
    boolean isPrefixed() throws IOException {
        return length >= PREFIX_BYTES && source.intAt(at) == length - PREFIX_BYTES;
    }

    /** Returns file and offset of the bytes that the serializer wrote. */
    String place() {
        return source.place(at);
    }

    /**
     * Reads the payload. Allocates nothing for a record whose payload is too long.
     *
     * @return the payload, or null if the record is damaged and damage is skipped
     */
    byte @Nullable [] payload(PayloadLayout layout, int maxPayloadBytes, DamageLog log) throws IOException {
        int prefix = layout == PayloadLayout.LENGTH_PREFIXED ? PREFIX_BYTES : 0;
        int bytes = length - prefix;
        if (prefix > 0 && !isPrefixed()) {
            Object expected = bytes < 0 ? "4 bytes" : bytes;
            Object got = bytes < 0 ? length + " bytes" : source.intAt(at);
            log.damage(source.corrupt(at, "length that the serializer wrote", expected, got), "1 record lost");
            return null;
        }
        if (bytes > maxPayloadBytes) {
            long lengthAt = at + prefix - Integer.BYTES;
            log.damage(source.corrupt(lengthAt, "record length", "at most " + maxPayloadBytes, bytes), "1 record lost");
            return null;
        }
        byte[] payload = new byte[bytes];
        source.read(at + prefix, payload);
        return payload;
    }
}
