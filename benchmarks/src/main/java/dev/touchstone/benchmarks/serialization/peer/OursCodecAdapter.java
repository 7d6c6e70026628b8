package dev.touchstone.benchmarks.serialization.peer;

import dev.touchstone.benchmarks.serialization.records.RecordSize;
import dev.touchstone.serialization.CompactSerialization;
import dev.touchstone.serialization.RecordView;
import dev.touchstone.serialization.schema.Schema;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** Our codec, chosen by the object's class and by the record's schema, with every check and limit; a field by a view. */
public final class OursCodecAdapter implements CodecUnderTest {
    private final CompactSerialization serialization = OursCodecs.serialization();
    private final Object[] objects;
    private final byte[][] written;
    private final RecordView view;
    private final int field;
    private final byte[] wanted;

    private OursCodecAdapter(List<Object> records, String wanted) {
        objects = records.toArray();
        written = records.stream().map(serialization::encode).toArray(byte[][]::new);
        Schema schema = OursCodecs.schema(RecordSize.of(objects[0]));
        view = serialization.newRecordView(schema);
        field = schema.indexOf("stringField");
        this.wanted = wanted.getBytes(StandardCharsets.UTF_8);
    }

    /** Makes the subject. */
    public static CodecUnderTest of(List<Object> records, String wanted) {
        return new OursCodecAdapter(records, wanted);
    }

    @Override
    public byte[] encode(int record) {
        return serialization.encode(objects[record]);
    }

    @Override
    public Object decode(int record) {
        return serialization.decode(written[record]);
    }

    @Override
    public Object read(byte[] bytes) {
        return serialization.decode(bytes);
    }

    @Override
    public String readString(int record) {
        return Objects.requireNonNull(view.readString(written[record], field));
    }

    @Override
    public boolean stringEquals(int record) {
        return view.stringEquals(written[record], field, wanted);
    }
}
