package dev.touchstone.queue.replica;

import dev.touchstone.queue.log.FileIo;
import dev.touchstone.queue.log.consume.CursorImage;
import dev.touchstone.queue.log.engine.RecordLog;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * A snapshot that is being written: frames of a length and a CRC-32C of 4 bytes each, both of the kind of 1 byte and the values that follow,
 * big-endian.
 *
 * <pre>
 *  kind      values
 *  HEAD      magic 8, clock 8, named cursors only 8, first 8, end 8, oldest 8, next cursor 8
 *  CURSOR    number 8, floor 8, head 8, name; frames of its ranges and flights follow
 *  RANGES    (first 8, end 8)*
 *  FLIGHTS   (sequence 8, times 4, token 8, owner 8, due 8, state 1)*
 *  NUMBERS   (session 8, number 8)*
 *  PRODUCERS (name with 2 bytes of length, number 8)*
 *  RECORDS   (delayed 1, length 4, payload)*, from the first sequence on without a gap
 *  END       number of records 8
 * </pre>
 */
final class SnapshotWriter implements Closeable {
    static final String NAME = "queue";
    static final long MAGIC = 0x4454_5152_4550_4C31L; // "DTQREPL1"
    static final byte HEAD = 1;
    static final byte CURSOR = 2;
    static final byte RANGES = 3;
    static final byte FLIGHTS = 4;
    static final byte NUMBERS = 5;
    static final byte PRODUCERS = 6;
    static final byte RECORDS = 7;
    static final byte END = 8;
    static final int RANGE_BYTES = 16;
    static final int FLIGHT_BYTES = 37;
    static final int RECORD_BYTES = 5;
    static final int FRAME_BYTES = 8;

    private static final int BUFFER_BYTES = 1 << 20;

    private final FileIo.DataFile file;
    private final CRC32C crc = new CRC32C();
    private ByteBuffer frame = ByteBuffer.allocate(BUFFER_BYTES);
    private long position;
    private long records;

    SnapshotWriter(FileIo io, Path folder) throws IOException {
        file = io.create(folder.resolve(NAME), FileIo.Access.WRITE);
    }

    /** Writes everything but the records. */
    void write(StateImage image, long clock, boolean namedCursorsOnly, Map<Long, Long> numbers) throws IOException {
        begin(HEAD)
                .putLong(MAGIC)
                .putLong(clock)
                .putLong(namedCursorsOnly ? 1 : 0)
                .putLong(image.first())
                .putLong(image.end());
        frame.putLong(image.oldest()).putLong(image.nextCursor());
        end();
        for (StateImage.Cursor cursor : image.cursors()) {
            write(cursor);
        }
        begin(NUMBERS);
        for (Map.Entry<Long, Long> each : numbers.entrySet()) {
            room(NUMBERS, RANGE_BYTES).putLong(each.getKey()).putLong(each.getValue());
        }
        end();
        begin(PRODUCERS);
        for (Map.Entry<String, Long> each : image.producers().entrySet()) {
            byte[] name = each.getKey().getBytes(StandardCharsets.UTF_8);
            room(PRODUCERS, Short.BYTES + name.length + Long.BYTES)
                    .putShort((short) name.length)
                    .put(name)
                    .putLong(each.getValue());
        }
        end();
    }

    private void write(StateImage.Cursor cursor) throws IOException {
        CursorImage image = cursor.image();
        begin(CURSOR).putLong(cursor.number()).putLong(image.floor()).putLong(image.head());
        frame.put(cursor.name().getBytes(StandardCharsets.UTF_8));
        end();
        begin(RANGES);
        for (CursorImage.Range range : image.consumed()) {
            room(RANGES, RANGE_BYTES).putLong(range.first()).putLong(range.end());
        }
        end();
        begin(FLIGHTS);
        for (CursorImage.Flight flight : image.flights()) {
            room(FLIGHTS, FLIGHT_BYTES).putLong(flight.sequence()).putInt(flight.times());
            frame.putLong(flight.token())
                    .putLong(flight.owner())
                    .putLong(flight.dueNanos())
                    .put(flight.state());
        }
        end();
    }

    /** Writes the records of an image, and the end; on the device on return. */
    void writeRecords(RecordLog log, StateImage image) throws IOException {
        begin(RECORDS);
        log.export(image.first(), image.end(), (sequence, delayed, payload) -> {
            room(RECORDS, RECORD_BYTES + payload.remaining()).put((byte) (delayed ? 1 : 0));
            frame.putInt(payload.remaining()).put(payload.duplicate());
            records++;
        });
        end();
        begin(END).putLong(records);
        end();
        file.force();
    }

    private ByteBuffer begin(byte kind) {
        return frame.clear().position(FRAME_BYTES).put(kind);
    }

    /** Returns the frame with room for so many bytes, after the frame before was written if there was none left. */
    private ByteBuffer room(byte kind, int bytes) throws IOException {
        if (frame.remaining() >= bytes) {
            return frame;
        }
        end();
        if (FRAME_BYTES + 1 + bytes > frame.capacity()) {
            frame = ByteBuffer.allocate(FRAME_BYTES + 1 + bytes);
        }
        return begin(kind);
    }

    private void end() throws IOException {
        frame.flip();
        crc.reset();
        crc.update(frame.array(), FRAME_BYTES, frame.limit() - FRAME_BYTES);
        frame.putInt(0, frame.limit() - FRAME_BYTES).putInt(Integer.BYTES, (int) crc.getValue());
        int bytes = frame.limit();
        file.write(frame, position);
        position += bytes;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
