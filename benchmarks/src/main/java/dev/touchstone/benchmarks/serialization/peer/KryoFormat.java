package dev.touchstone.benchmarks.serialization.peer;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import dev.touchstone.benchmarks.serialization.records.LargeBean;
import dev.touchstone.benchmarks.serialization.records.SmallBean;
import java.util.List;

/** Kryo with every class registered, without references, and with a buffer that is used again. */
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
    private final Output output = new Output(BUFFER_BYTES, -1);
    private final Input input = new Input();

    KryoFormat() {
        kryo.setReferences(false);
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
