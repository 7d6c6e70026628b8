package dev.touchstone.index.file;

import dev.touchstone.index.CorruptIndexException;
import dev.touchstone.index.table.TextColumn;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A reader of sections that {@link SectionWriter} wrote, which trusts no byte: every count is compared with the remaining bytes before anything is
 * allocated. Buffers that are returned are views. Not thread-safe.
 */
final class SectionReader {
    private final ByteBuffer bytes;
    private final String section;

    SectionReader(ByteBuffer bytes, String section) {
        this.bytes = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
        this.section = section;
    }

    CorruptIndexException damaged(String what) {
        return IndexFormat.damaged(what + " offset=" + bytes.position(), section);
    }

    long number() throws CorruptIndexException {
        if (bytes.remaining() < Long.BYTES) {
            throw damaged("ends too early:");
        }
        return bytes.getLong();
    }

    /** Reads a number and checks that it is from {@code least} to {@code most}. */
    int number(String what, long least, long most) throws CorruptIndexException {
        long value = number();
        if (value < least || value > most) {
            throw damaged(what + " is wrong: value=" + value + " least=" + least + " most=" + most);
        }
        return (int) value;
    }

    private ByteBuffer slice(int bytesEach) throws CorruptIndexException {
        int count = number("count", 0, bytes.remaining() / bytesEach);
        int length = count * bytesEach;
        if (length > bytes.remaining()) {
            throw damaged("count is wrong: count=" + count);
        }
        ByteBuffer slice = bytes.slice(bytes.position(), length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.position(bytes.position() + length);
        while ((bytes.position() & (IndexFormat.ALIGNMENT - 1)) != 0) {
            if (!bytes.hasRemaining() || bytes.get() != 0) {
                throw damaged("padding is wrong:");
            }
        }
        return slice;
    }

    String text() throws CorruptIndexException {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(slice(1)).toString();
        } catch (CharacterCodingException e) {
            throw new CorruptIndexException("no UTF-8: offset=" + bytes.position(), section, e);
        }
    }

    List<String> texts() throws CorruptIndexException {
        int count = number("count", 0, bytes.remaining() / Long.BYTES);
        List<String> list = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            list.add(text());
        }
        return list;
    }

    LongBuffer longs(String what, long least, long most) throws CorruptIndexException {
        LongBuffer values = slice(Long.BYTES).asLongBuffer();
        require(what, values.remaining(), least, most);
        return values;
    }

    long[] longArray(String what, long least, long most) throws CorruptIndexException {
        LongBuffer values = longs(what, least, most);
        long[] array = new long[values.remaining()];
        values.get(array);
        return array;
    }

    IntBuffer ints(String what, long least, long most) throws CorruptIndexException {
        IntBuffer values = slice(Integer.BYTES).asIntBuffer();
        require(what, values.remaining(), least, most);
        return values;
    }

    ByteBuffer bytes(String what, long least, long most) throws CorruptIndexException {
        ByteBuffer values = slice(1);
        require(what, values.remaining(), least, most);
        return values;
    }

    private void require(String what, int count, long least, long most) throws CorruptIndexException {
        if (count < least || count > most) {
            throw damaged(what + " has a wrong length: length=" + count + " least=" + least + " most=" + most);
        }
    }

    @Nullable
    TextColumn textColumn(String what, int rows) throws CorruptIndexException {
        if (number(what, 0, 1) == 0) {
            return null;
        }
        IntBuffer ends = ints(what, rows, rows);
        ByteBuffer utf8 = slice(1);
        int last = 0;
        for (int row = 0; row < rows; row++) {
            if (ends.get(row) < last) {
                throw damaged(what + " ends before it begins: row=" + row);
            }
            last = ends.get(row);
        }
        if (last != utf8.remaining()) {
            throw damaged(what + " has other bytes: bytes=" + utf8.remaining() + " expected=" + last);
        }
        return new TextColumn(ends, utf8);
    }

    void end() throws CorruptIndexException {
        if (bytes.hasRemaining()) {
            throw damaged("goes on: bytes=" + bytes.remaining());
        }
    }
}
