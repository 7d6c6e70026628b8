package dev.touchstone.benchmarks.serialization.library;

import dev.touchstone.benchmarks.serialization.records.LargeBean;
import dev.touchstone.benchmarks.serialization.records.SmallBean;
import java.util.function.UnaryOperator;
import org.apache.fory.Fory;
import org.apache.fory.config.ForyBuilder;

/**
 * Apache Fory for Java alone: equal classes on both sides, registered, without references, with numbers of a fixed size, and compiled at once
 * and not in the background, unless a setting says otherwise.
 */
final class ForyFormat implements ObjectFormat {
    private final Fory fory;

    ForyFormat(UnaryOperator<ForyBuilder> setting) {
        fory = setting.apply(Fory.builder()
                        .withXlang(false)
                        .withRefTracking(false)
                        .withCompatible(false)
                        .withNumberCompressed(false)
                        .requireClassRegistration(true)
                        .withAsyncCompilation(false))
                .build();
        fory.register(SmallBean.class);
        fory.register(SmallBean[].class);
        fory.register(LargeBean.class);
    }

    @Override
    public byte[] write(Object object) {
        return fory.serialize(object);
    }

    @Override
    public Object read(byte[] bytes) {
        return fory.deserialize(bytes);
    }
}
