package dev.touchstone.benchmarks.serialization.peer;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.query.Predicate;
import dev.touchstone.benchmarks.serialization.records.RecordSize;
import dev.touchstone.serialization.CompactSerialization;

/** Values that our codec writes before the map sees them, and reads from what the map holds; to everybody else they are Compact values. */
public final class OursMapAdapter implements MapUnderTest {
    private final CompactSerialization serialization = OursCodecs.serialization();
    private final RawMap map;
    private final RecordSize size;

    private OursMapAdapter(RawMap map, RecordSize size) {
        this.map = map;
        this.size = size;
    }

    /** Makes the subject, and the schemas known to the cluster. */
    public static MapUnderTest of(HazelcastInstance hazelcast, IMap<Integer, Object> map, RecordSize size) {
        // A value that Hazelcast's own serializer writes has its schemas replicated, which are ours.
        int key = -1;
        map.set(key, size.written());
        map.delete(key);
        return new OursMapAdapter(RawMap.of(hazelcast, map), size);
    }

    @Override
    public Object prepare(Object record) {
        return record;
    }

    @Override
    public Object value(Object prepared) {
        return RawMap.value(serialization.encode(prepared));
    }

    @Override
    public Object get(int key) {
        return serialization.decode(map.get(key));
    }

    @Override
    public Predicate<Integer, Object> equalTo(String string) {
        return new OursPredicate(size, string);
    }

    @Override
    public String sqlFormat() {
        return HazelcastMapAdapter.compactFormat(size);
    }
}
