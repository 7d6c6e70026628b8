package dev.touchstone.index.hazelcast.shard;

import com.hazelcast.core.ReadOnly;
import com.hazelcast.map.EntryProcessor;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import dev.touchstone.index.CorruptEncodingException;
import dev.touchstone.index.price.PriceIndex;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A processor that searches the shard of one offering, and answers with the bytes of {@link ShardMatches}. */
public final class ShardSearch
        implements EntryProcessor<String, OfferingShard, byte[]>, ReadOnly, IdentifiedDataSerializable {
    private static final long serialVersionUID = 1;

    /** The kinds of arguments, by their codes. */
    public enum Kind {
        /** An encoded query, whose result is asked for. */
        SEARCH,
        /** An encoded query, whose number of matches is asked for. */
        COUNT,
        /** The id of a price. */
        PRICE
    }

    private static final List<Kind> KINDS = List.of(Kind.values());

    private final transient ShardSchemas schemas;
    private transient String name = "";
    private transient Kind kind = Kind.SEARCH;
    private transient byte[] argument = {};

    /** Creates a processor without content, to be read. */
    ShardSearch(ShardSchemas schemas) {
        this.schemas = schemas;
    }

    /**
     * Creates a processor.
     *
     * @param schemas schemas of this member or client
     * @param name name of the sharded index
     * @param kind kind of the argument
     * @param argument argument, which is not changed any more
     */
    public ShardSearch(ShardSchemas schemas, String name, Kind kind, byte[] argument) {
        this.schemas = schemas;
        this.name = name;
        this.kind = kind;
        this.argument = argument;
    }

    @Override
    public byte[] process(Map.Entry<String, OfferingShard> entry) {
        try {
            ShardFormat format = schemas.require(name);
            return ShardMatches.encode(format, List.of(find(format, entry.getKey(), entry.getValue())));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ShardMatches find(ShardFormat format, String offering, @Nullable OfferingShard shard) {
        try {
            PriceIndex index = shard == null ? format.schema() : shard.index();
            return switch (kind) {
                case SEARCH -> ShardMatches.of(index, format.query(argument));
                case COUNT -> ShardMatches.ofCount(index, format.query(argument));
                case PRICE ->
                    ShardMatches.of(index, index.price(offering, new String(argument, StandardCharsets.UTF_8)));
            };
        } catch (CorruptEncodingException e) {
            return ShardMatches.refused("query was refused: index=" + name + ": " + e.getMessage());
        }
    }

    @Override
    public @Nullable EntryProcessor<String, OfferingShard, byte[]> getBackupProcessor() {
        return null;
    }

    @Override
    public int getFactoryId() {
        return ShardSchemas.FACTORY;
    }

    @Override
    public int getClassId() {
        return ShardSchemas.SEARCH;
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
        out.writeString(name);
        out.writeByte(KINDS.indexOf(kind));
        out.writeByteArray(argument);
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        name = schemas.require(in.readString()).name();
        int code = in.readUnsignedByte();
        if (code >= KINDS.size()) {
            throw new CorruptEncodingException("unknown kind of a search: kind=" + code, null);
        }
        kind = KINDS.get(code);
        argument = Objects.requireNonNullElse(in.readByteArray(), new byte[0]);
    }
}
