package dev.touchstone.queue.replicated.storage;

import dev.touchstone.queue.log.CorruptLogException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Reader of a run's frames when a log is opened. Reads a segment from its start to its end through one buffer. Lengths from the file are
 * checked against the segment's before anything depends on them. Not thread-safe.
 */
final class FrameScanner {
    private static final int BUFFER_BYTES = 256 << 10;

    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private final CRC32C crc = new CRC32C();
    private @Nullable SegmentFile loaded;
    private long start; // position of the buffer's first byte in the loaded segment

    /** Receiver of the frames of configuration entries. */
    interface Configurations {

        /**
         * Takes the payload of a configuration entry.
         *
         * @param position position of its frame
         */
        void found(LogRun run, long position, FrameHeader header, byte[] payload) throws IOException;
    }

    /**
     * Adds all frames to a run that is followed by another one, so that each of its entries was acknowledged.
     *
     * @param endIndex first index of the next run
     * @throws CorruptLogException if a frame is damaged
     */
    void scan(LogRun run, long endIndex, Configurations configurations) throws IOException {
        CorruptLogException hole = scanUpToHole(run, endIndex, configurations);
        if (hole != null) {
            throw hole;
        }
    }

    /**
     * Adds all frames to the last run. Its end may be torn: then the frames before the torn list's first hole are added.
     *
     * @throws CorruptLogException if a frame is damaged whose list was acknowledged, as a later list proves
     */
    void scanLast(LogRun run, Configurations configurations) throws IOException {
        CorruptLogException hole = scanUpToHole(run, Long.MAX_VALUE, configurations);
        if (hole != null && isFollowedByLaterList(run)) {
            throw hole;
        }
    }

    /** Adds frames up to {@code endIndex}; returns null, or the complaint about the place where the next frame should be. */
    private @Nullable CorruptLogException scanUpToHole(LogRun run, long endIndex, Configurations configurations)
            throws IOException {
        SegmentFile segment = run.segment();
        long position = run.end();
        CorruptLogException hole = null;
        long index = run.firstIndex();
        while (index < endIndex && hole == null) {
            FrameHeader header = header(run, position);
            hole = header == null
                    ? new CorruptLogException(
                            segment.path(), position, "frame header", "that of index " + index, "none")
                    : complaint(segment, header, position, index);
            if (header != null && hole == null) {
                if (header.type() == SegmentLogStorage.CONFIGURATION) {
                    configurations.found(run, position, header, payload(segment, header, position));
                }
                run.reserve(1);
                run.add(FrameHeader.frameBytes(header.length()));
                position += FrameHeader.frameBytes(header.length());
                index++;
            }
        }
        run.publish();
        return hole;
    }

    private @Nullable CorruptLogException complaint(SegmentFile segment, FrameHeader header, long position, long index)
            throws IOException {
        if (header.index() != index) {
            return new CorruptLogException(
                    segment.path(), position + FrameHeader.INDEX, "index of frame", index, header.index());
        }
        long room = segment.bytes() - position - FrameHeader.BYTES;
        if (header.length() > room) {
            return new CorruptLogException(
                    segment.path(), position, "length of frame", "at most " + room, header.length());
        }
        int check = payloadCheck(segment, position + FrameHeader.BYTES, header.length());
        if (check != header.payloadCheck()) {
            return new CorruptLogException(
                    segment.path(),
                    position + FrameHeader.BYTES,
                    "payload CRC of index " + index,
                    Integer.toHexString(header.payloadCheck()),
                    Integer.toHexString(check));
        }
        return null;
    }

    /** Looks through the rest of the segment, because the length of a hole is not known. */
    private boolean isFollowedByLaterList(LogRun run) throws IOException {
        SegmentFile segment = run.segment();
        long hole = run.end();
        long shortest = FrameHeader.frameBytes(1);
        for (long position = hole + FrameHeader.ALIGNMENT; ; position += FrameHeader.ALIGNMENT) {
            int at = load(segment, position, FrameHeader.BYTES);
            if (at < 0) {
                return false;
            }
            long further = buffer.getLong(at + FrameHeader.INDEX) - run.endIndex();
            if (further > 0 && further <= (position - hole) / shortest) { // so few bytes need a check
                FrameHeader header = FrameHeader.read(buffer, at, run.key(), position);
                if (header != null && header.listStart() > hole) {
                    return true;
                }
            }
        }
    }

    private @Nullable FrameHeader header(LogRun run, long position) throws IOException {
        int at = load(run.segment(), position, FrameHeader.BYTES);
        return at < 0 ? null : FrameHeader.read(buffer, at, run.key(), position);
    }

    private int payloadCheck(SegmentFile segment, long position, int length) throws IOException {
        crc.reset();
        int done = 0;
        while (done < length) {
            int at = load(segment, position + done, 1);
            if (at < 0) {
                break; // the file got shorter; the check will not match
            }
            int bytes = Math.min(buffer.limit() - at, length - done);
            crc.update(buffer.slice(at, bytes));
            done += bytes;
        }
        return (int) crc.getValue();
    }

    /** Returns a payload whose length was checked. */
    private byte[] payload(SegmentFile segment, FrameHeader header, long position) throws IOException {
        byte[] payload = new byte[header.length()];
        int unused = segment.read(ByteBuffer.wrap(payload), position + FrameHeader.BYTES);
        return payload;
    }

    /** Returns where in the buffer {@code bytes} bytes of a segment from {@code position} on are; -1 if the segment ends before. */
    private int load(SegmentFile segment, long position, int bytes) throws IOException {
        if (position + bytes > segment.bytes()) {
            return -1;
        }
        SegmentFile held = loaded;
        boolean isLoaded = held != null
                && held.id() == segment.id()
                && position >= start
                && position + bytes <= start + buffer.limit();
        if (!isLoaded) {
            buffer.clear();
            int unused = segment.read(buffer, position);
            buffer.flip();
            loaded = segment;
            start = position;
        }
        return buffer.limit() >= position - start + bytes ? (int) (position - start) : -1;
    }
}
