package dev.touchstone.index.file;

import dev.touchstone.index.table.TextColumn;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A buffer of the bytes of one section while they are written. Every array begins at a multiple of 8. Not thread-safe. */
final class SectionWriter {
    private ByteBuffer bytes = ByteBuffer.allocate(1024).order(ByteOrder.LITTLE_ENDIAN);

    private ByteBuffer room(long more) {
        if (more > bytes.remaining()) {
            long needed = Math.max(bytes.position() + more, Math.min(bytes.capacity() * 2L, Integer.MAX_VALUE - 16L));
            ByteBuffer larger = ByteBuffer.allocate(Math.toIntExact(needed)).order(ByteOrder.LITTLE_ENDIAN);
            bytes = larger.put(bytes.flip());
        }
        return bytes;
    }

    void number(long value) {
        room(Long.BYTES).putLong(value);
    }

    void text(String value) {
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        number(utf8.length);
        room(utf8.length).put(utf8);
        align();
    }

    void texts(List<String> values) {
        number(values.size());
        values.forEach(this::text);
    }

    void longs(LongBuffer values) {
        LongBuffer all = values.duplicate().rewind();
        number(all.remaining());
        room((long) all.remaining() * Long.BYTES);
        int length = all.remaining() * Long.BYTES;
        bytes.slice().order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().put(all);
        bytes.position(bytes.position() + length);
    }

    void ints(IntBuffer values) {
        IntBuffer all = values.duplicate().rewind();
        number(all.remaining());
        room((long) all.remaining() * Integer.BYTES);
        int length = all.remaining() * Integer.BYTES;
        bytes.slice().order(ByteOrder.LITTLE_ENDIAN).asIntBuffer().put(all);
        bytes.position(bytes.position() + length);
        align();
    }

    void bytes(ByteBuffer values) {
        ByteBuffer all = values.duplicate().rewind();
        number(all.remaining());
        room(all.remaining()).put(all);
        align();
    }

    /** Writes whether there is a column, and the column if there is one. */
    void texts(@Nullable TextColumn column) {
        number(column == null ? 0 : 1);
        if (column != null) {
            ints(column.ends());
            bytes(column.bytes());
        }
    }

    private void align() {
        while ((bytes.position() & (IndexFormat.ALIGNMENT - 1)) != 0) {
            room(1).put((byte) 0);
        }
    }

    ByteBuffer written() {
        return bytes.flip();
    }
}
