package dev.touchstone.benchmarks.serialization.peer;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.query.Predicate;
import dev.touchstone.benchmarks.serialization.records.RecordSize;
import dev.touchstone.serialization.CompactCodec;
import dev.touchstone.serialization.CompactSerialization;
import dev.touchstone.serialization.hazelcast.CompactMap;
import dev.touchstone.serialization.hazelcast.FieldPredicate;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * A {@link CompactMap} and the {@link FieldPredicate}, as users have them; for everybody else the values are Compact records.
 *
 * @param <V> the records
 */
public final class OursMapAdapter<V> implements MapUnderTest {
    private final CompactMap<Integer, V> map;
    private final Class<V> type;
    private final String sqlFormat;

    private OursMapAdapter(CompactMap<Integer, V> map, Class<V> type, String sqlFormat) {
        this.map = map;
        this.type = type;
        this.sqlFormat = sqlFormat;
    }

    /** Makes the subject. */
    public static MapUnderTest of(HazelcastInstance hazelcast, IMap<Integer, Object> map, RecordSize size) {
        return size == RecordSize.SMALL
                ? of(hazelcast, map, size, OursCodecs.SMALL)
                : of(hazelcast, map, size, OursCodecs.LARGE);
    }

    private static <V> MapUnderTest of(
            HazelcastInstance hazelcast, IMap<Integer, Object> map, RecordSize size, CompactCodec<V> codec) {
        CompactSerialization serialization =
                OursCodecs.builder().schemas(CompactMap.schemas(hazelcast)).build();
        return new OursMapAdapter<>(
                CompactMap.of(hazelcast, map.getName(), codec, serialization),
                codec.type(),
                HazelcastMapAdapter.compactFormat(size));
    }

    @Override
    public Object prepare(Object record) {
        return record;
    }

    @Override
    public void set(int key, Object prepared) {
        map.set(key, type.cast(prepared));
    }

    @Override
    public void setAll(Map<Integer, Object> prepared) {
        Map<Integer, V> values = new HashMap<>();
        prepared.forEach((key, value) -> values.put(key, type.cast(value)));
        map.setAll(values);
    }

    @Override
    public Object get(int key) {
        return Objects.requireNonNull(map.get(key));
    }

    @Override
    public Predicate<Integer, Object> equalTo(String string) {
        return FieldPredicate.equal("stringField", string);
    }

    @Override
    public String sqlFormat() {
        return sqlFormat;
    }
}
