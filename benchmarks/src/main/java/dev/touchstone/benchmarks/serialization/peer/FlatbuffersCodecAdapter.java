package dev.touchstone.benchmarks.serialization.peer;

import com.google.flatbuffers.Table;
import dev.touchstone.benchmarks.serialization.records.SmallRecord;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** FlatBuffers, with one builder and one table of each kind that are used again. A field is read where it is. */
public final class FlatbuffersCodecAdapter implements CodecUnderTest {
    private final Object[] objects;
    private final byte[][] written;
    private final byte[] wanted;
    private final boolean areSmall;
    private final FlatbuffersWriter writer = new FlatbuffersWriter();
    private final FlatbuffersSmall small = new FlatbuffersSmall();
    private final FlatbuffersLarge large = new FlatbuffersLarge();
    private final StringField field;

    private FlatbuffersCodecAdapter(List<Object> records, String wanted) {
        objects = records.toArray();
        written = records.stream().map(writer::write).toArray(byte[][]::new);
        this.wanted = wanted.getBytes(StandardCharsets.UTF_8);
        areSmall = objects[0] instanceof SmallRecord;
        field = new StringField(areSmall ? FlatbuffersSmall.STRING_AT : FlatbuffersLarge.STRING_AT);
    }

    /** Makes the subject. */
    public static CodecUnderTest of(List<Object> records, String wanted) {
        return new FlatbuffersCodecAdapter(records, wanted);
    }

    @Override
    public byte[] encode(int record) {
        return writer.write(objects[record]);
    }

    @Override
    public Object decode(int record) {
        return read(written[record]);
    }

    @Override
    public Object read(byte[] bytes) {
        ByteBuffer in = buffer(bytes);
        return areSmall
                ? small.over(root(in), in).toRecord()
                : large.over(root(in), in).toRecord();
    }

    @Override
    public String readString(int record) {
        ByteBuffer in = buffer(written[record]);
        return field.over(root(in), in).read();
    }

    @Override
    public boolean stringEquals(int record) {
        ByteBuffer in = buffer(written[record]);
        return field.over(root(in), in).isEqualTo(wanted);
    }

    private static ByteBuffer buffer(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Returns the position of the outermost table. */
    private static int root(ByteBuffer in) {
        return in.getInt(0);
    }

    /** A table of which one field matters, which is there. */
    private static final class StringField extends Table {
        private final int place;

        StringField(int place) {
            this.place = place;
        }

        StringField over(int at, ByteBuffer bytes) {
            __reset(at, bytes);
            return this;
        }

        String read() {
            return __string(bb_pos + __offset(place));
        }

        /** Compares by the runtime's comparison for sorted tables. */
        boolean isEqualTo(byte[] utf8) {
            int at = bb_pos + __offset(place);
            return compareStrings(at, utf8, bb) == 0;
        }
    }
}
