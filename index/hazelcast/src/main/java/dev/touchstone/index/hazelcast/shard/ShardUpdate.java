package dev.touchstone.index.hazelcast.shard;

import com.hazelcast.map.EntryProcessor;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import dev.touchstone.index.CorruptEncodingException;
import dev.touchstone.index.IndexException;
import dev.touchstone.index.IndexStats;
import dev.touchstone.index.price.PriceIndex;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A processor that applies the changes of one offering to its shard, and to the backup in the same way.
 *
 * <p>The answer is a {@link Long}: the version of the shard, or {@link #NEEDS_ORDER}; or a {@link String}, which is the reason why the changes were
 * refused. A processor that runs again after the member that ran it has left changes nothing, as long as the shard knows its id.
 */
public final class ShardUpdate implements EntryProcessor<String, OfferingShard, Object>, IdentifiedDataSerializable {
    private static final long serialVersionUID = 1;

    /** Number of an update that was sent without one. */
    public static final long NO_ORDER = 0;

    /** Answer of an update without an order number if there is no shard yet; nothing has changed. */
    public static final Long NEEDS_ORDER = 0L;

    private final transient ShardSchemas schemas;
    private transient String name = "";
    private transient UUID id = new UUID(0, 0);
    private transient long order;
    private transient byte[] content = {};

    /** Creates a processor without content, to be read. */
    ShardUpdate(ShardSchemas schemas) {
        this.schemas = schemas;
    }

    /**
     * Creates a processor.
     *
     * @param schemas schemas of this member or client
     * @param name name of the sharded index
     * @param id random id of the update
     * @param order number of the offering if there is no shard yet; {@link #NO_ORDER} if it is not known
     * @param content encoded batch of changes of one offering, which is not changed any more
     */
    public ShardUpdate(ShardSchemas schemas, String name, UUID id, long order, byte[] content) {
        this.schemas = schemas;
        this.name = name;
        this.id = id;
        this.order = order;
        this.content = content;
    }

    @Override
    public Object process(Map.Entry<String, OfferingShard> entry) {
        @Nullable OfferingShard shard = entry.getValue();
        if (shard == null && order == NO_ORDER) {
            return NEEDS_ORDER;
        }
        long known = shard == null ? 0 : shard.versionOf(id);
        if (known > 0) {
            if (content.length > 0) {
                entry.setValue(shard); // sent again because it may have no backup yet: it must wait for one again
            }
            return known;
        }
        try {
            ShardFormat format = schemas.require(name);
            OfferingShard before =
                    shard == null ? new OfferingShard(format, order, new long[0], format.schema()) : shard;
            PriceIndex next = before.index().after(format.batches().decode(ByteBuffer.wrap(content)));
            IndexStats stats = next.stats();
            if (stats.offerings() > 1) {
                return "changes are of several offerings: index=" + name;
            }
            if (stats.offerings() == 1) {
                entry.setValue(before.after(id, next));
                return next.version();
            }
            remove(entry, shard);
            return format.schema().version();
        } catch (IndexException | CorruptEncodingException e) {
            return Objects.requireNonNullElse(e.getMessage(), e.toString());
        }
    }

    @SuppressWarnings("NullAway") // an entry whose value is set to null is removed
    private static void remove(Map.Entry<String, OfferingShard> entry, @Nullable OfferingShard shard) {
        if (shard != null) {
            entry.setValue(null);
        }
    }

    @Override
    public int getFactoryId() {
        return ShardSchemas.FACTORY;
    }

    @Override
    public int getClassId() {
        return ShardSchemas.UPDATE;
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
        out.writeString(name);
        out.writeLong(id.getMostSignificantBits());
        out.writeLong(id.getLeastSignificantBits());
        out.writeLong(order);
        out.writeByteArray(content);
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        name = schemas.require(in.readString()).name();
        id = new UUID(in.readLong(), in.readLong());
        order = in.readLong();
        content = Objects.requireNonNullElse(in.readByteArray(), new byte[0]);
        if (order < NO_ORDER) {
            throw new CorruptEncodingException("order of an offering is negative: order=" + order, null);
        }
    }
}
