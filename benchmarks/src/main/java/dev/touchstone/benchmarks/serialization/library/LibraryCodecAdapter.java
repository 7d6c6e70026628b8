package dev.touchstone.benchmarks.serialization.library;

import dev.touchstone.benchmarks.serialization.peer.CodecUnderTest;
import dev.touchstone.benchmarks.serialization.records.LargeBean;
import dev.touchstone.benchmarks.serialization.records.LargeRecord;
import dev.touchstone.benchmarks.serialization.records.SmallBean;
import dev.touchstone.benchmarks.serialization.records.SmallRecord;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.fory.config.ForyBuilder;

/** Libraries that know nothing of Hazelcast. A field is read from a whole object. */
public final class LibraryCodecAdapter implements CodecUnderTest {
    private final ObjectFormat format;
    private final Object[] objects;
    private final byte[][] written;
    private final String wanted;

    private LibraryCodecAdapter(ObjectFormat format, List<Object> records, String wanted, UnaryOperator<Object> form)
            throws IOException {
        this.format = format;
        objects = records.stream().map(form).toArray();
        written = new byte[objects.length][];
        for (int i = 0; i < written.length; i++) {
            written[i] = format.write(objects[i]);
        }
        this.wanted = wanted;
    }

    /** Kryo. */
    public static CodecUnderTest kryo(List<Object> records, String wanted) throws IOException {
        return ofBeans(type -> KryoFormat.fixedSize(), records, wanted);
    }

    /** Kryo with its defaults for numbers, buffers and generic types. */
    public static CodecUnderTest kryoDefaults(List<Object> records, String wanted) throws IOException {
        return ofBeans(type -> KryoFormat.withDefaults(), records, wanted);
    }

    /** Kryo with buffers that do without {@code Unsafe}. */
    public static CodecUnderTest kryoPlainBuffers(List<Object> records, String wanted) throws IOException {
        return ofBeans(type -> KryoFormat.withPlainBuffers(), records, wanted);
    }

    /** Apache Fory. */
    public static CodecUnderTest fory(List<Object> records, String wanted) throws IOException {
        return fory(UnaryOperator.identity(), records, wanted);
    }

    /** Apache Fory with numbers as short as they can be, its default. */
    public static CodecUnderTest foryShortNumbers(List<Object> records, String wanted) throws IOException {
        return fory(builder -> builder.withNumberCompressed(true), records, wanted);
    }

    /** Apache Fory with strings as short as they can be. */
    public static CodecUnderTest foryShortStrings(List<Object> records, String wanted) throws IOException {
        return fory(builder -> builder.withStringCompressed(true), records, wanted);
    }

    /** Apache Fory for classes that may differ on both sides. */
    public static CodecUnderTest foryCompatible(List<Object> records, String wanted) throws IOException {
        return fory(builder -> builder.withCompatible(true), records, wanted);
    }

    private static CodecUnderTest fory(UnaryOperator<ForyBuilder> setting, List<Object> records, String wanted)
            throws IOException {
        return ofBeans(type -> new ForyFormat(setting), records, wanted);
    }

    /** Protocol Buffers. */
    public static CodecUnderTest protobuf(List<Object> records, String wanted) throws IOException {
        return new LibraryCodecAdapter(ProtobufFormat.of(records.get(0)), records, wanted, UnaryOperator.identity());
    }

    /** Java's own serialization. */
    public static CodecUnderTest jdk(List<Object> records, String wanted) throws IOException {
        return ofBeans(type -> new JdkFormat(), records, wanted);
    }

    /** Makes a codec of a library that writes and reads objects with fields. */
    static CodecUnderTest ofBeans(Function<Class<?>, ObjectFormat> format, List<Object> records, String wanted)
            throws IOException {
        Class<?> type = bean(records.get(0)).getClass();
        return new LibraryCodecAdapter(format.apply(type), records, wanted, LibraryCodecAdapter::bean);
    }

    @Override
    public byte[] encode(int record) throws IOException {
        return format.write(objects[record]);
    }

    @Override
    public Object decode(int record) throws IOException {
        return format.read(written[record]);
    }

    @Override
    public Object read(byte[] bytes) throws IOException {
        return format.read(bytes);
    }

    @Override
    public String readString(int record) throws IOException {
        Object object = decode(record);
        if (object instanceof SmallBean bean) {
            return bean.stringField;
        } else if (object instanceof LargeBean bean) {
            return bean.stringField;
        }
        return object instanceof SmallRecord small ? small.stringField() : ((LargeRecord) object).stringField();
    }

    @Override
    public boolean stringEquals(int record) throws IOException {
        return wanted.equals(readString(record));
    }

    private static Object bean(Object record) {
        return record instanceof SmallRecord small
                ? new SmallBean().fill(small)
                : new LargeBean().fill((LargeRecord) record, SmallBean::new);
    }
}
