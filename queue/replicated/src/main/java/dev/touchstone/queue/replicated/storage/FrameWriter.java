package dev.touchstone.queue.replicated.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * Writer of the frames of one list, by as few writes as its buffer allows: a list of up to {@link #MAX_WRITE_BYTES} is one positional write,
 * and so one force. Used again for each list. Not thread-safe.
 */
final class FrameWriter {
    /** Bytes of a write at most, and so of the memory that this writer keeps. */
    static final int MAX_WRITE_BYTES = 4 << 20;

    private static final int MIN_WRITE_BYTES = 64 << 10;

    private final CRC32C crc = new CRC32C();
    private ByteBuffer buffer = allocate(MIN_WRITE_BYTES);

    /**
     * Writes entries behind the end of a run. On return they are on the device. The run does not have them until its {@link LogRun#publish}.
     *
     * @param entries the entries in the order of their indexes
     * @param bytes bytes of all their frames, for which the run's segment has room
     */
    void write(LogRun run, Iterable<EncodedEntry> entries, long bytes) throws IOException {
        reserve(bytes);
        long listStart = run.end();
        long position = listStart;
        long written = listStart;
        for (EncodedEntry each : entries) {
            if (buffer.remaining() < FrameHeader.BYTES) {
                written = flush(run, written);
            }
            crc.reset();
            crc.update(each.payload);
            FrameHeader header = new FrameHeader(
                    each.payload.length, each.type, each.index, each.term, listStart, (int) crc.getValue());
            header.put(buffer, buffer.position(), run.key(), position);
            buffer.position(buffer.position() + FrameHeader.BYTES);
            written = putPayload(run, each.payload, written);
            position += FrameHeader.frameBytes(each.payload.length);
        }
        long unused = flush(run, written);
    }

    /** Puts the payload and its padding, with as many writes before the last bytes as there is too little room. */
    private long putPayload(LogRun run, byte[] payload, long position) throws IOException {
        long written = position;
        int from = 0;
        while (from < payload.length) {
            if (!buffer.hasRemaining()) {
                written = flush(run, written);
            }
            int bytes = Math.min(buffer.remaining(), payload.length - from);
            buffer.put(payload, from, bytes);
            from += bytes;
        }
        while (buffer.position() % FrameHeader.ALIGNMENT != 0) {
            buffer.put((byte) 0); // has room: the buffer's length is a multiple of the alignment
        }
        return written;
    }

    private long flush(LogRun run, long position) throws IOException {
        int bytes = buffer.flip().remaining();
        try {
            run.segment().write(buffer, position);
        } finally {
            buffer.clear();
        }
        return position + bytes;
    }

    private void reserve(long bytes) {
        buffer.clear();
        if (bytes > buffer.capacity() && buffer.capacity() < MAX_WRITE_BYTES) {
            long doubled = Math.max(2L * buffer.capacity(), Long.highestOneBit(bytes) << 1);
            buffer = allocate((int) Math.min(doubled, MAX_WRITE_BYTES));
        }
    }

    private static ByteBuffer allocate(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** An entry that is ready to be written. */
    static final class EncodedEntry {
        private final int type;
        private final long index;
        private final long term;
        private final byte[] payload;

        /**
         * Takes an entry.
         *
         * @param payload the entry in the engine's encoding, not changed any more by the caller
         */
        EncodedEntry(int type, long index, long term, byte[] payload) {
            this.type = type;
            this.index = index;
            this.term = term;
            this.payload = payload;
        }

        long index() {
            return index;
        }

        /** Returns whether there is nothing to write, which a reader would take for the end of the log. */
        boolean isEmpty() {
            return payload.length == 0;
        }

        /** Returns the bytes of the entry's frame. */
        long frameBytes() {
            return FrameHeader.frameBytes(payload.length);
        }
    }
}
