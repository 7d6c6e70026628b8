package dev.touchstone.benchmarks.serialization.library;

import com.google.protobuf.CodedInputStream;
import dev.touchstone.benchmarks.serialization.records.LargeRecord;
import dev.touchstone.benchmarks.serialization.records.SmallRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Takes the fields of a {@link ProtobufLarge} message as they come. */
@SuppressWarnings("NullAway.Init") // every field is written
final class ProtobufBuilder {
    private boolean booleanField;
    private boolean[] booleans;
    private byte byteField;
    private byte[] bytes;
    private short shortField;
    private short[] shorts;
    private int intField;
    private int[] ints;
    private long longField;
    private long[] longs;
    private float floatField;
    private float[] floats;
    private double doubleField;
    private double[] doubles;
    private String stringField;
    private final List<String> strings = new ArrayList<>();
    private SmallRecord objectField;
    private final List<SmallRecord> objects = new ArrayList<>();

    void take(CodedInputStream in, int tag) throws IOException {
        switch (tag >>> 3) {
            case 1 -> booleanField = in.readBool();
            case 2 -> booleans = booleans(in);
            case 3 -> byteField = (byte) in.readSInt32();
            case 4 -> bytes = in.readByteArray();
            case 5 -> shortField = (short) in.readSInt32();
            case 6 -> shorts = shorts(in);
            case 7 -> intField = in.readSFixed32();
            case 8 -> ints = ints(in);
            case 9 -> longField = in.readSFixed64();
            case 10 -> longs = longs(in);
            case 11 -> floatField = in.readFloat();
            case 12 -> floats = floats(in);
            case 13 -> doubleField = in.readDouble();
            case 14 -> doubles = doubles(in);
            case 15 -> stringField = in.readStringRequireUtf8();
            case 16 -> strings.add(in.readStringRequireUtf8());
            case 17 -> objectField = small(in);
            case 18 -> objects.add(small(in));
            default -> in.skipField(tag);
        }
    }

    LargeRecord build() {
        return new LargeRecord(
                booleanField,
                booleans,
                byteField,
                bytes,
                shortField,
                shorts,
                intField,
                ints,
                longField,
                longs,
                floatField,
                floats,
                doubleField,
                doubles,
                stringField,
                strings.toArray(new String[0]),
                objectField,
                objects.toArray(new SmallRecord[0]));
    }

    private static SmallRecord small(CodedInputStream in) throws IOException {
        int limit = in.pushLimit(in.readRawVarint32());
        SmallRecord small = ProtobufFormat.read(in);
        in.popLimit(limit);
        return small;
    }

    private static boolean[] booleans(CodedInputStream in) throws IOException {
        boolean[] values = new boolean[in.readRawVarint32()];
        for (int i = 0; i < values.length; i++) {
            values[i] = in.readBool();
        }
        return values;
    }

    private static short[] shorts(CodedInputStream in) throws IOException {
        short[] values = new short[in.readRawVarint32() / Integer.BYTES];
        for (int i = 0; i < values.length; i++) {
            values[i] = (short) in.readSFixed32();
        }
        return values;
    }

    private static int[] ints(CodedInputStream in) throws IOException {
        int[] values = new int[in.readRawVarint32() / Integer.BYTES];
        for (int i = 0; i < values.length; i++) {
            values[i] = in.readSFixed32();
        }
        return values;
    }

    private static long[] longs(CodedInputStream in) throws IOException {
        long[] values = new long[in.readRawVarint32() / Long.BYTES];
        for (int i = 0; i < values.length; i++) {
            values[i] = in.readSFixed64();
        }
        return values;
    }

    private static float[] floats(CodedInputStream in) throws IOException {
        float[] values = new float[in.readRawVarint32() / Float.BYTES];
        for (int i = 0; i < values.length; i++) {
            values[i] = in.readFloat();
        }
        return values;
    }

    private static double[] doubles(CodedInputStream in) throws IOException {
        double[] values = new double[in.readRawVarint32() / Double.BYTES];
        for (int i = 0; i < values.length; i++) {
            values[i] = in.readDouble();
        }
        return values;
    }
}
