package dev.touchstone.samples.consumer;

import dev.touchstone.serialization.CompactSerialization;
import dev.touchstone.serialization.json.CompactJson;
import java.nio.file.Path;

/** Turns a record into JSON, and changed JSON into a record again. */
final class JsonSample implements Sample {
    @Override
    public void run(Path folder) {
        CompactSerialization serialization =
                CompactSerialization.builder().codec(CityCodec.INSTANCE).build();
        CompactJson json = CompactJson.builder().schema(CityCodec.SCHEMA).build();
        String text = json.toJson(serialization.encode(new City("Faro", 67_650)));
        City changed = (City) serialization.decode(json.fromJson(text.replace("67650", "67651")));
        Sample.check(new City("Faro", 67_651), changed);
    }
}
