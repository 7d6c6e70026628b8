package dev.touchstone.index.hazelcast.shard;

import com.hazelcast.core.ReadOnly;
import com.hazelcast.map.EntryProcessor;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import dev.touchstone.index.CorruptEncodingException;
import dev.touchstone.index.price.PriceIndex;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A processor that searches the shard of one offering, and answers with the bytes of {@link ShardMatches}, one for each argument. */
public final class ShardSearch
        implements EntryProcessor<String, OfferingShard, byte[]>, ReadOnly, IdentifiedDataSerializable {
    private static final long serialVersionUID = 1;

    /** The kinds of arguments, by their codes. */
    public enum Kind {
        /** Encoded queries, whose results are asked for. */
        SEARCH,
        /** Encoded queries, whose numbers of matches are asked for. */
        COUNT,
        /** Ids of prices. */
        PRICE
    }

    private static final List<Kind> KINDS = List.of(Kind.values());

    private final transient ShardSchemas schemas;
    private transient String name = "";
    private transient Kind kind = Kind.SEARCH;
    private transient List<byte[]> arguments = List.of();

    /** Creates a processor without content, to be read. */
    ShardSearch(ShardSchemas schemas) {
        this.schemas = schemas;
    }

    /**
     * Creates a processor.
     *
     * @param schemas schemas of this member or client
     * @param name name of the sharded index
     * @param kind kind of all arguments
     * @param arguments arguments, which are not changed any more
     */
    public ShardSearch(ShardSchemas schemas, String name, Kind kind, List<byte[]> arguments) {
        this.schemas = schemas;
        this.name = name;
        this.kind = kind;
        this.arguments = arguments;
    }

    @Override
    public byte[] process(Map.Entry<String, OfferingShard> entry) {
        @Nullable OfferingShard shard = entry.getValue();
        List<ShardMatches> found = new ArrayList<>(arguments.size());
        for (byte[] argument : arguments) {
            found.add(find(entry.getKey(), shard, argument));
        }
        return ShardMatches.encode(found);
    }

    private ShardMatches find(String offering, @Nullable OfferingShard shard, byte[] argument) {
        try {
            ShardFormat format = schemas.require(name);
            PriceIndex index = shard == null ? format.schema() : shard.index();
            return switch (kind) {
                case SEARCH -> ShardMatches.of(format, index, format.query(argument));
                case COUNT -> ShardMatches.ofCount(index, format.query(argument));
                case PRICE ->
                    ShardMatches.of(format, index, index.price(offering, new String(argument, StandardCharsets.UTF_8)));
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
        out.writeInt(arguments.size());
        for (byte[] argument : arguments) {
            out.writeByteArray(argument);
        }
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        name = schemas.require(in.readString()).name();
        int code = in.readUnsignedByte();
        if (code >= KINDS.size()) {
            throw new CorruptEncodingException("unknown kind of a search: kind=" + code, null);
        }
        kind = KINDS.get(code);
        List<byte[]> read = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            read.add(Objects.requireNonNullElse(in.readByteArray(), new byte[0]));
        }
        arguments = read;
    }
}
