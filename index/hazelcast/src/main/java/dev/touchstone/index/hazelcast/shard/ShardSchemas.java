package dev.touchstone.index.hazelcast.shard;

import com.hazelcast.nio.serialization.ByteArraySerializer;
import com.hazelcast.nio.serialization.DataSerializableFactory;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import dev.touchstone.index.CorruptEncodingException;
import dev.touchstone.index.price.PriceIndex;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The sharded indexes that a member or client knows, by name; makes and reads what is sent between them. Thread-safe. */
public final class ShardSchemas implements ByteArraySerializer<OfferingShard>, DataSerializableFactory {
    /** Id of shards in Hazelcast's configuration. */
    public static final int TYPE = 0x50525348;

    /** Id of the factory of processors in Hazelcast's configuration. */
    public static final int FACTORY = 0x50525344;

    static final int SEARCH = 1;
    static final int UPDATE = 2;
    static final int AGGREGATOR = 3;
    static final int ORDER = 4;

    private final Map<String, ShardFormat> formats = new ConcurrentHashMap<>();

    /** Creates an empty set of schemas. */
    public ShardSchemas() {}

    /**
     * Adds a sharded index, or replaces the one with the same name.
     *
     * @param name name of the sharded index, not empty
     * @param schema index with its fields, without prices
     * @param isNearCached whether there is a near cache
     */
    public void add(String name, PriceIndex schema, boolean isNearCached) {
        formats.put(name, new ShardFormat(name, schema, isNearCached));
    }

    /**
     * Returns the formats of a sharded index.
     *
     * @param name name of the sharded index
     * @return formats, or null if there is no sharded index of the name
     */
    public @Nullable ShardFormat find(String name) {
        return formats.get(name);
    }

    /**
     * Returns the formats of a sharded index that must be known.
     *
     * @throws CorruptEncodingException if this member or client does not know the index
     */
    ShardFormat require(@Nullable String name) throws CorruptEncodingException {
        ShardFormat format = name == null ? null : formats.get(name);
        if (format == null) {
            throw new CorruptEncodingException(
                    "sharded index is not configured here: name=" + name + " configured=" + formats.keySet(), null);
        }
        return format;
    }

    @Override
    public int getTypeId() {
        return TYPE;
    }

    @Override
    public byte[] write(OfferingShard shard) throws IOException {
        return ShardFormat.encode(shard);
    }

    @Override
    public OfferingShard read(byte[] bytes) throws IOException {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        return require(ShardFormat.name(in)).decode(in);
    }

    @Override
    public IdentifiedDataSerializable create(int id) {
        return switch (id) {
            case SEARCH -> new ShardSearch(this);
            case UPDATE -> new ShardUpdate(this);
            case AGGREGATOR -> new ShardAggregator(this);
            case ORDER -> new ShardOrder();
            default ->
                throw new IllegalArgumentException(
                        "unknown class: factory=" + FACTORY + " class=" + id + " expected=from 1 to " + ORDER);
        };
    }
}
