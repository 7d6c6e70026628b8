package dev.touchstone.benchmarks.serialization.peer;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.internal.util.ConcurrentReferenceHashMap;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.map.impl.MapServiceContext;
import com.hazelcast.map.impl.recordstore.RecordStore;
import com.hazelcast.map.impl.recordstore.StorageImpl;
import com.hazelcast.spi.impl.AbstractDistributedObject;
import dev.touchstone.benchmarks.Jol;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import org.jspecify.annotations.Nullable;
import org.openjdk.jol.info.GraphStats;

/**
 * The real size of a map's entries in a member's heap: the hash tables of its own partitions and all that can be reached from them, which
 * are keys, records, values, and objects that queries have made of these and kept. Indexes are not among it. Nobody may write meanwhile.
 */
final class EntryHeap {
    private static final Field RECORDS = field(StorageImpl.class, "records");
    private static final Field SEGMENTS = field(ConcurrentReferenceHashMap.class, "segments");
    private static final Field TABLE = field(SEGMENTS.getType().getComponentType(), "table");

    static {
        Jol.prepare();
    }

    private EntryHeap() {}

    /** Bytes of the member's own entries, without backups. */
    static long ownedBytes(HazelcastInstance member, String map) {
        MapServiceContext context =
                ((MapService) ((AbstractDistributedObject<?>) member.getMap(map)).getService()).getMapServiceContext();
        long bytes = 0;
        for (int partition : context.getCachedOwnedPartitions()) {
            @Nullable RecordStore<?> store = context.getExistingRecordStore(partition, map);
            if (store != null) {
                bytes += bytes(get(RECORDS, store.getStorage()));
            }
        }
        return bytes;
    }

    private static long bytes(Object records) {
        Object segments = get(SEGMENTS, records);
        Object[] tables = new Object[Array.getLength(segments)];
        for (int i = 0; i < tables.length; i++) {
            tables[i] = get(TABLE, Array.get(segments, i));
        }
        return GraphStats.parseInstance(tables).totalSize();
    }

    private static Field field(Class<?> type, String name) {
        try {
            Field field = type.getDeclaredField(name);
            field.setAccessible(true);
            return field;
        } catch (NoSuchFieldException e) {
            throw new IllegalStateException("another version of Hazelcast: " + type.getName() + " has no " + name, e);
        }
    }

    private static Object get(Field field, Object from) {
        try {
            return field.get(from);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(field + " cannot be read", e);
        }
    }
}
