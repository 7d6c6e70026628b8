package dev.touchstone.benchmarks.serialization.peer;

import com.google.flatbuffers.FlatBufferBuilder;
import com.google.flatbuffers.Table;
import dev.touchstone.benchmarks.serialization.records.SmallRecord;
import java.nio.ByteBuffer;

/**
 * The small record as a table of FlatBuffers: its own runtime, with the code for the fields written by hand as {@code flatc} would generate
 * it. That spares the build a compiler for each platform.
 *
 * <pre>
 * table Small { int_field: int; double_field: double; long_field: long; string_field: string; }
 * </pre>
 */
final class FlatbuffersSmall extends Table {
    private static final int FIELDS = 4;
    private static final int INT_AT = 4;
    private static final int DOUBLE_AT = 6;
    private static final int LONG_AT = 8;
    static final int STRING_AT = 10;

    /** Lays this over a table. */
    FlatbuffersSmall over(int at, ByteBuffer bytes) {
        __reset(at, bytes);
        return this;
    }

    /** Writes the record. @return what others refer to it by */
    static int create(FlatBufferBuilder out, SmallRecord record) {
        int string = out.createString(record.stringField());
        out.startTable(FIELDS);
        out.addLong(2, record.longField(), 0);
        out.addDouble(1, record.doubleField(), 0);
        out.addOffset(3, string, 0);
        out.addInt(0, record.intField(), 0);
        return out.endTable();
    }

    SmallRecord toRecord() {
        return new SmallRecord(intField(), doubleField(), longField(), stringField());
    }

    private int intField() {
        int at = __offset(INT_AT);
        return at != 0 ? bb.getInt(at + bb_pos) : 0;
    }

    private double doubleField() {
        int at = __offset(DOUBLE_AT);
        return at != 0 ? bb.getDouble(at + bb_pos) : 0;
    }

    private long longField() {
        int at = __offset(LONG_AT);
        return at != 0 ? bb.getLong(at + bb_pos) : 0;
    }

    private String stringField() {
        int at = __offset(STRING_AT);
        return at != 0 ? __string(at + bb_pos) : "";
    }
}
