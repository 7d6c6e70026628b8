package dev.touchstone.benchmarks.serialization.peer;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.query.Predicate;
import com.hazelcast.query.Predicates;
import dev.touchstone.benchmarks.serialization.records.RecordSize;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;

/** Values in the formats that Hazelcast has, written and read by the map itself. */
public final class HazelcastMapAdapter implements MapUnderTest {
    private final IMap<Integer, Object> map;
    private final UnaryOperator<Object> form;
    private final String sqlFormat;
    private final boolean matching;

    private HazelcastMapAdapter(
            IMap<Integer, Object> map, UnaryOperator<Object> form, String sqlFormat, boolean matching) {
        this.map = map;
        this.form = form;
        this.sqlFormat = sqlFormat;
        this.matching = matching;
    }

    /** Compact format by serializers that are written by hand. */
    public static MapUnderTest compact(HazelcastInstance hazelcast, IMap<Integer, Object> map, RecordSize size) {
        return new HazelcastMapAdapter(map, UnaryOperator.identity(), compactFormat(size), true);
    }

    /** Returns a subject like {@link #compact} whose predicate reads no value: the least that a scan costs. */
    public static MapUnderTest noMatch(HazelcastInstance hazelcast, IMap<Integer, Object> map, RecordSize size) {
        return new HazelcastMapAdapter(map, UnaryOperator.identity(), compactFormat(size), false);
    }

    /** Portable format. */
    public static MapUnderTest portable(HazelcastInstance hazelcast, IMap<Integer, Object> map, RecordSize size) {
        int type = size == RecordSize.SMALL ? SmallPortable.CLASS : LargePortable.CLASS;
        String format = "'valueFormat'='portable', 'valuePortableFactoryId'='" + SmallPortable.FACTORY
                + "', 'valuePortableClassId'='" + type + "'";
        return new HazelcastMapAdapter(map, HazelcastObjects::portable, format, true);
    }

    /** Objects that write themselves. */
    public static MapUnderTest identified(HazelcastInstance hazelcast, IMap<Integer, Object> map, RecordSize size) {
        Class<?> type = size == RecordSize.SMALL ? SmallIdentified.class : LargeIdentified.class;
        String format = "'valueFormat'='java', 'valueJavaClass'='" + type.getName() + "'";
        return new HazelcastMapAdapter(map, HazelcastObjects::identified, format, true);
    }

    /** Bytes, which cannot be queried. */
    public static MapUnderTest byteArray(HazelcastInstance hazelcast, IMap<Integer, Object> map, RecordSize size) {
        return new HazelcastMapAdapter(map, HazelcastObjects.bytes(), "", true);
    }

    static String compactFormat(RecordSize size) {
        return "'valueFormat'='compact', 'valueCompactTypeName'='"
                + OursCodecs.schema(size).typeName() + "'";
    }

    @Override
    public Object prepare(Object record) {
        return form.apply(record);
    }

    @Override
    public void set(int key, Object prepared) {
        map.set(key, prepared);
    }

    @Override
    public void setAll(Map<Integer, Object> prepared) {
        map.setAll(prepared);
    }

    @Override
    public Object get(int key) {
        return Objects.requireNonNull(map.get(key));
    }

    @Override
    public Predicate<Integer, Object> equalTo(String string) {
        return matching ? Predicates.equal("stringField", string) : new NoMatchPredicate();
    }

    @Override
    public String sqlFormat() {
        return sqlFormat;
    }
}
