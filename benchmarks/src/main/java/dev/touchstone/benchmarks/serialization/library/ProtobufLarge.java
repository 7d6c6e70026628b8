package dev.touchstone.benchmarks.serialization.library;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import dev.touchstone.benchmarks.serialization.records.LargeRecord;
import dev.touchstone.benchmarks.serialization.records.SmallRecord;
import java.io.IOException;

/**
 * The large message, as {@link ProtobufFormat}: fields in the record's order, numbered from 1; numbers of a fixed size; numeric arrays packed.
 *
 * <pre>
 * message Large {
 *   bool = 1;  repeated bool = 2;  sint32 = 3;  bytes = 4;  sint32 = 5;  repeated sfixed32 = 6;  sfixed32 = 7;  repeated sfixed32 = 8;
 *   sfixed64 = 9;  repeated sfixed64 = 10;  float = 11;  repeated float = 12;  double = 13;  repeated double = 14;
 *   string = 15;  repeated string = 16;  Small = 17;  repeated Small = 18;
 * }
 * </pre>
 */
final class ProtobufLarge implements ObjectFormat {
    @Override
    public byte[] write(Object object) throws IOException {
        LargeRecord record = (LargeRecord) object;
        byte[] bytes = new byte[size(record)];
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        writeFirst(out, record);
        writeSecond(out, record);
        return bytes;
    }

    @Override
    public Object read(byte[] bytes) throws IOException {
        ProtobufBuilder record = new ProtobufBuilder();
        CodedInputStream in = CodedInputStream.newInstance(bytes);
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            record.take(in, tag);
        }
        return record.build();
    }

    private static int size(LargeRecord record) {
        int size = 2
                + packed(2, record.booleanArrayField().length)
                + CodedOutputStream.computeSInt32Size(3, record.byteField())
                + CodedOutputStream.computeByteArraySize(4, record.byteArrayField())
                + CodedOutputStream.computeSInt32Size(5, record.shortField())
                + packed(6, record.shortArrayField().length * Integer.BYTES)
                + CodedOutputStream.computeSFixed32Size(7, 0)
                + packed(8, record.intArrayField().length * Integer.BYTES)
                + CodedOutputStream.computeSFixed64Size(9, 0)
                + packed(10, record.longArrayField().length * Long.BYTES)
                + CodedOutputStream.computeFloatSize(11, 0)
                + packed(12, record.floatArrayField().length * Float.BYTES)
                + CodedOutputStream.computeDoubleSize(13, 0)
                + packed(14, record.doubleArrayField().length * Double.BYTES)
                + CodedOutputStream.computeStringSize(15, record.stringField());
        for (String string : record.stringArrayField()) {
            size += CodedOutputStream.computeStringSize(16, string);
        }
        size += packed(17, ProtobufFormat.size(record.objectField()));
        for (SmallRecord small : record.objectArrayField()) {
            size += packed(18, ProtobufFormat.size(small));
        }
        return size;
    }

    private static int packed(int field, int bytes) {
        return CodedOutputStream.computeTagSize(field) + CodedOutputStream.computeUInt32SizeNoTag(bytes) + bytes;
    }

    private static void writeFirst(CodedOutputStream out, LargeRecord record) throws IOException {
        out.writeBool(1, record.booleanField());
        open(out, 2, record.booleanArrayField().length);
        for (boolean value : record.booleanArrayField()) {
            out.writeBoolNoTag(value);
        }
        out.writeSInt32(3, record.byteField());
        out.writeByteArray(4, record.byteArrayField());
        out.writeSInt32(5, record.shortField());
        open(out, 6, record.shortArrayField().length * Integer.BYTES);
        for (short value : record.shortArrayField()) {
            out.writeSFixed32NoTag(value);
        }
        out.writeSFixed32(7, record.intField());
        open(out, 8, record.intArrayField().length * Integer.BYTES);
        for (int value : record.intArrayField()) {
            out.writeSFixed32NoTag(value);
        }
        out.writeSFixed64(9, record.longField());
        open(out, 10, record.longArrayField().length * Long.BYTES);
        for (long value : record.longArrayField()) {
            out.writeSFixed64NoTag(value);
        }
    }

    private static void writeSecond(CodedOutputStream out, LargeRecord record) throws IOException {
        out.writeFloat(11, record.floatField());
        open(out, 12, record.floatArrayField().length * Float.BYTES);
        for (float value : record.floatArrayField()) {
            out.writeFloatNoTag(value);
        }
        out.writeDouble(13, record.doubleField());
        open(out, 14, record.doubleArrayField().length * Double.BYTES);
        for (double value : record.doubleArrayField()) {
            out.writeDoubleNoTag(value);
        }
        out.writeString(15, record.stringField());
        for (String string : record.stringArrayField()) {
            out.writeString(16, string);
        }
        write(out, 17, record.objectField());
        for (SmallRecord small : record.objectArrayField()) {
            write(out, 18, small);
        }
    }

    private static void write(CodedOutputStream out, int field, SmallRecord small) throws IOException {
        open(out, field, ProtobufFormat.size(small));
        ProtobufFormat.write(out, small);
    }

    private static void open(CodedOutputStream out, int field, int bytes) throws IOException {
        out.writeTag(field, WireFormat.WIRETYPE_LENGTH_DELIMITED);
        out.writeUInt32NoTag(bytes);
    }
}
