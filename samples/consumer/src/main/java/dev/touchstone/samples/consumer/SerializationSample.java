package dev.touchstone.samples.consumer;

import dev.touchstone.serialization.CompactSerialization;
import java.nio.file.Path;

/** Encodes and decodes a record with its generated codec, and reads a field without decoding. */
final class SerializationSample implements Sample {
    @Override
    public void run(Path folder) {
        CompactSerialization serialization =
                CompactSerialization.builder().codec(CityCodec.INSTANCE).build();
        City faro = new City("Faro", 67_650);
        byte[] bytes = serialization.encode(faro);
        Sample.check(faro, serialization.decode(bytes));
        Sample.check("Faro", new CityView(serialization).wrap(bytes).name());
    }
}
