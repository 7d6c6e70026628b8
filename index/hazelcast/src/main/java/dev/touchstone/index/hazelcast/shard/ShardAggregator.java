package dev.touchstone.index.hazelcast.shard;

import com.hazelcast.aggregation.Aggregator;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import dev.touchstone.index.CorruptEncodingException;
import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.price.PriceQuery;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An aggregator that searches the shards of all offerings, and answers with the bytes of {@link ShardMatches}. Used by one thread at a time. */
public final class ShardAggregator
        implements Aggregator<Map.Entry<String, OfferingShard>, byte[]>, IdentifiedDataSerializable {
    private static final long serialVersionUID = 1;
    private static final List<MatchPolicy> POLICIES = List.of(MatchPolicy.values());

    private final transient ShardSchemas schemas;
    private transient String name = "";
    private transient byte[] argument = {};
    private transient boolean isCount;
    private transient MatchPolicy policy = MatchPolicy.FIRST;
    private transient int limit = 1;
    private transient @Nullable PriceQuery query; // decoded when the first shard is searched
    private transient ShardMatches found = new ShardMatches(policy, limit, 0);

    /** Creates an aggregator without content, to be read. */
    ShardAggregator(ShardSchemas schemas) {
        this.schemas = schemas;
    }

    /**
     * Creates an aggregator.
     *
     * @param schemas schemas of this member or client
     * @param format formats of the sharded index
     * @param query query without an offering, which is encoded at once
     * @param isCount whether the number of matches is asked for
     */
    public ShardAggregator(ShardSchemas schemas, ShardFormat format, PriceQuery query, boolean isCount) {
        this.schemas = schemas;
        this.isCount = isCount;
        name = format.name();
        argument = format.queries().encode(query);
        policy = query.policy();
        limit = query.limit();
        found = new ShardMatches(policy, limit, format.schema().version());
    }

    @Override
    public void accumulate(Map.Entry<String, OfferingShard> entry) {
        try {
            PriceQuery decoded = query;
            if (decoded == null) {
                decoded = schemas.require(name).queries().decode(ByteBuffer.wrap(argument));
                query = decoded;
            }
            found.add(ShardMatches.of(entry.getValue(), decoded, isCount));
        } catch (CorruptEncodingException e) {
            found.add(ShardMatches.refused("query was refused: index=" + name + ": " + e.getMessage()));
        }
    }

    @Override
    @SuppressWarnings("rawtypes") // as the interface has it
    public void combine(Aggregator other) {
        found.add(((ShardAggregator) other).found);
    }

    @Override
    public byte[] aggregate() {
        return ShardMatches.encode(List.of(found));
    }

    @Override
    public int getFactoryId() {
        return ShardSchemas.FACTORY;
    }

    @Override
    public int getClassId() {
        return ShardSchemas.AGGREGATOR;
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
        out.writeString(name);
        out.writeByteArray(argument);
        out.writeBoolean(isCount);
        out.writeByte(POLICIES.indexOf(policy));
        out.writeInt(limit);
        out.writeByteArray(aggregate());
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        name = schemas.require(in.readString()).name();
        argument = Objects.requireNonNullElse(in.readByteArray(), new byte[0]);
        isCount = in.readBoolean();
        int code = in.readUnsignedByte();
        limit = in.readInt();
        if (code >= POLICIES.size() || limit < 1) {
            throw new CorruptEncodingException("corrupt search: policy=" + code + " limit=" + limit, null);
        }
        policy = POLICIES.get(code);
        byte[] matches = Objects.requireNonNullElse(in.readByteArray(), new byte[0]);
        found = ShardMatches.decode(ByteBuffer.wrap(matches), policy, limit);
    }
}
