package dev.touchstone.benchmarks.serialization.library;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.SerializerFactory.FieldSerializerFactory;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import com.esotericsoftware.kryo.unsafe.UnsafeInput;
import com.esotericsoftware.kryo.unsafe.UnsafeOutput;
import dev.touchstone.benchmarks.serialization.records.LargeBean;
import dev.touchstone.benchmarks.serialization.records.SmallBean;
import java.util.List;

/**
 * Kryo with every class registered, without references and without the search for generic types, with numbers of a fixed size, over its
 * buffers that use {@code Unsafe}, which are used again; or with the defaults for numbers, buffers and generic types.
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
    private final Output output;
    private final Input input;

    private KryoFormat(Output output, Input input) {
        this.output = output;
        this.input = input;
        kryo.setReferences(false);
        CLASSES.forEach(kryo::register);
    }

    static KryoFormat withDefaults() {
        return new KryoFormat(new Output(BUFFER_BYTES, -1), new Input());
    }

    static KryoFormat fixedSize() {
        return new KryoFormat(new UnsafeOutput(BUFFER_BYTES, -1), new UnsafeInput()).withFixedSize();
    }

    static KryoFormat withPlainBuffers() {
        return new KryoFormat(new Output(BUFFER_BYTES, -1), new Input()).withFixedSize();
    }

    private KryoFormat withFixedSize() {
        kryo.setOptimizedGenerics(false);
        FieldSerializerFactory fields = new FieldSerializerFactory();
        fields.getConfig().setVariableLengthEncoding(false);
        kryo.setDefaultSerializer(fields);
        output.setVariableLengthEncoding(false);
        input.setVariableLengthEncoding(false);
        return this;
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
