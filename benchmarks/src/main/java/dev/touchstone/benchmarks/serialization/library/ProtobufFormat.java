package dev.touchstone.benchmarks.serialization.library;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import dev.touchstone.benchmarks.serialization.records.SmallRecord;
import java.io.IOException;

/**
 * Protocol Buffers: its own streams, with the code for the fields written by hand as {@code protoc} would generate it, but straight from
 * the records and to them. That spares it the message objects between, and the build a compiler for each platform.
 *
 * <pre>
 * message Small {
 *   sfixed32 int_field = 1;  double double_field = 2;  sfixed64 long_field = 3;  string string_field = 4;
 * }
 * </pre>
 *
 * <p>Numbers have a fixed size, which is the faster form for random ones. {@link ProtobufLarge} has the large message.
 */
final class ProtobufFormat implements ObjectFormat {
    private static final int FIXED_BYTES = 3 + 4 + 8 + 8;

    private ProtobufFormat() {}

    /** The format for records like this one. */
    static ObjectFormat of(Object record) {
        return record instanceof SmallRecord ? new ProtobufFormat() : new ProtobufLarge();
    }

    @Override
    public byte[] write(Object object) throws IOException {
        SmallRecord record = (SmallRecord) object;
        byte[] bytes = new byte[size(record)];
        write(CodedOutputStream.newInstance(bytes), record);
        return bytes;
    }

    @Override
    public Object read(byte[] bytes) throws IOException {
        return read(CodedInputStream.newInstance(bytes));
    }

    static int size(SmallRecord record) {
        return FIXED_BYTES + CodedOutputStream.computeStringSize(4, record.stringField());
    }

    static void write(CodedOutputStream out, SmallRecord record) throws IOException {
        out.writeSFixed32(1, record.intField());
        out.writeDouble(2, record.doubleField());
        out.writeSFixed64(3, record.longField());
        out.writeString(4, record.stringField());
    }

    /** Up to the end or to the limit. */
    static SmallRecord read(CodedInputStream in) throws IOException {
        int intField = 0;
        double doubleField = 0;
        long longField = 0;
        String stringField = "";
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            switch (tag >>> 3) {
                case 1 -> intField = in.readSFixed32();
                case 2 -> doubleField = in.readDouble();
                case 3 -> longField = in.readSFixed64();
                case 4 -> stringField = in.readStringRequireUtf8();
                default -> in.skipField(tag);
            }
        }
        return new SmallRecord(intField, doubleField, longField, stringField);
    }
}
