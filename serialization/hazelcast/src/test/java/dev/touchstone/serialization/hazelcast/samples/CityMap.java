package dev.touchstone.serialization.hazelcast.samples;

import com.hazelcast.core.HazelcastInstance;
import dev.touchstone.serialization.CompactCodec;
import dev.touchstone.serialization.CompactReader;
import dev.touchstone.serialization.CompactWriter;
import dev.touchstone.serialization.hazelcast.CompactMap;
import dev.touchstone.serialization.hazelcast.FieldPredicate;
import dev.touchstone.serialization.schema.FieldKind;
import dev.touchstone.serialization.schema.Schema;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A Hazelcast map with a codec: objects go in and come out, one field is read, and members compare inside the bytes. */
public final class CityMap {
    private CityMap() {}

    /** What is in the map. */
    public record City(String name, int inhabitants) {}

    /** Writes and reads cities. An index is a field's place among the sorted names. */
    static final class CityCodec implements CompactCodec<City> {
        private static final Schema SCHEMA = Schema.builder("city")
                .field("inhabitants", FieldKind.INT32)
                .field("name", FieldKind.STRING)
                .build();
        private static final int INHABITANTS = 0;
        private static final int NAME = 1;

        @Override
        public Class<City> type() {
            return City.class;
        }

        @Override
        public Schema schema() {
            return SCHEMA;
        }

        @Override
        public void write(CompactWriter writer, City city) {
            writer.writeInt32(INHABITANTS, city.inhabitants);
            writer.writeString(NAME, city.name);
        }

        @Override
        public City read(CompactReader reader) {
            return new City(Objects.requireNonNull(reader.readString(NAME)), reader.readInt32(INHABITANTS));
        }
    }

    /** Fills the map by a member or a client, and finds the cities of a size. */
    public static List<City> between(HazelcastInstance instance, int from, int to) {
        CompactMap<String, City> cities = CompactMap.of(instance, "cities", new CityCodec());
        cities.set("LIS", new City("Lisboa", 545_923));
        cities.setAll(Map.of("OPO", new City("Porto", 231_800), "FAO", new City("Faro", 67_650)));

        City porto = Objects.requireNonNull(cities.get("OPO"));
        Object inhabitants = Objects.requireNonNull(cities.getView("OPO")).value("inhabitants");
        if (!Integer.valueOf(porto.inhabitants()).equals(inhabitants)) {
            throw new IllegalStateException("not the same: " + porto + " " + inhabitants);
        }
        return cities.values(FieldPredicate.between("inhabitants", from, to));
    }
}
