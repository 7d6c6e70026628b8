package dev.touchstone.benchmarks.serialization.library;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.SerializerFactory.FieldSerializerFactory;
import com.esotericsoftware.kryo.unsafe.UnsafeInput;
import com.esotericsoftware.kryo.unsafe.UnsafeOutput;
import dev.touchstone.benchmarks.serialization.records.LargeBean;
import dev.touchstone.benchmarks.serialization.records.SmallBean;
import java.util.List;

/**
 * Kryo with every class registered, without references and without the search for generic types, with numbers of a fixed size, over its
 * buffers that use {@code Unsafe}, which are used again. The matrix states what other settings cost.
 */
final class KryoFormat implements ObjectFormat {
    private static final int BUFFER_BYTES = 4096;
    private static final List<Class<?>> CLASSES = List.of(
            SmallBean.class,
            LargeBean.class,
            SmallBean[].class,
            String[].class,
            boolean[].class,
            byte[].class,
            short[].class,
            int[].class,
            long[].class,
            float[].class,
            double[].class);

    private final Kryo kryo = new Kryo();
    private final UnsafeOutput output = new UnsafeOutput(BUFFER_BYTES, -1);
    private final UnsafeInput input = new UnsafeInput();

    KryoFormat() {
        kryo.setReferences(false);
        kryo.setOptimizedGenerics(false);
        FieldSerializerFactory fields = new FieldSerializerFactory();
        fields.getConfig().setVariableLengthEncoding(false);
        kryo.setDefaultSerializer(fields);
        output.setVariableLengthEncoding(false);
        input.setVariableLengthEncoding(false);
        CLASSES.forEach(kryo::register);
    }

    @Override
    public byte[] write(Object object) {
        output.reset();
        kryo.writeClassAndObject(output, object);
        return output.toBytes();
    }

    @Override
    public Object read(byte[] bytes) {
        input.setBuffer(bytes);
        return kryo.readClassAndObject(input);
    }
}
