package dev.touchstone.index.hazelcast.shard;

import com.hazelcast.aggregation.Aggregator;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import dev.touchstone.index.CorruptEncodingException;
import dev.touchstone.index.price.PriceQuery;
import dev.touchstone.index.price.QueryFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An aggregator that searches for several queries in the shards that it gets, and merges the matches of those without an offering. Used by one thread at a
 * time.
 *
 * <p>Hazelcast copies it by its bytes before it gets a shard, once and again: so its queries are one array until then. Matches become bytes only where they
 * leave a member.
 */
public final class ShardAggregator
        implements Aggregator<Map.Entry<String, OfferingShard>, ShardAggregator>, IdentifiedDataSerializable {
    private static final long serialVersionUID = 1;

    private final transient ShardSchemas schemas;
    private transient String name = "";
    private transient byte[] queries = {}; // each behind its length 4
    private transient boolean isCount;
    private transient @Nullable Opened opened; // when the first shard or result comes

    /** The queries by themselves, with what was found for each. */
    private static final class Opened {
        final ShardFormat format;
        final List<byte[]> queries = new ArrayList<>();
        final List<ShardMatches> found = new ArrayList<>();
        final List<Integer> everywhere = new ArrayList<>(); // numbers of the queries without an offering
        final Map<String, List<Integer>> byOffering = new HashMap<>();

        Opened(ShardFormat format, byte[] queries) throws CorruptEncodingException {
            this.format = format;
            ByteBuffer in = ByteBuffer.wrap(queries);
            while (in.hasRemaining()) {
                add(query(in));
            }
        }

        private static byte[] query(ByteBuffer in) throws CorruptEncodingException {
            try {
                return ShardFormat.bytes(in, "query");
            } catch (BufferUnderflowException e) {
                throw new CorruptEncodingException("queries are too short: bytes=" + in.limit(), e);
            }
        }

        private void add(byte[] query) throws CorruptEncodingException {
            QueryFormat.Head head = format.queries().head(ByteBuffer.wrap(query));
            List<Integer> numbers = head.offering() == null
                    ? everywhere
                    : byOffering.computeIfAbsent(head.offering(), key -> new ArrayList<>());
            numbers.add(queries.size());
            queries.add(query);
            found.add(new ShardMatches(
                    head.policy(), head.limit(), format.schema().version()));
        }

        private PriceQuery query(int number) throws CorruptEncodingException {
            return format.query(queries.get(number));
        }
    }

    /** Creates an aggregator without content, to be read. */
    ShardAggregator(ShardSchemas schemas) {
        this.schemas = schemas;
    }

    /**
     * Creates an aggregator.
     *
     * @param schemas schemas of this member or client
     * @param format formats of the sharded index
     * @param encoded queries as {@link ShardFormat#queries} writes them
     * @param isCount whether the numbers of matches are asked for
     */
    public ShardAggregator(ShardSchemas schemas, ShardFormat format, List<byte[]> encoded, boolean isCount) {
        this.schemas = schemas;
        this.isCount = isCount;
        name = format.name();
        int bytes = 0;
        for (byte[] each : encoded) {
            bytes = Math.addExact(bytes, Integer.BYTES + each.length);
        }
        ByteBuffer all = ByteBuffer.allocate(bytes);
        for (byte[] each : encoded) {
            all.putInt(each.length).put(each);
        }
        queries = all.array();
    }

    @Override
    public void accumulate(Map.Entry<String, OfferingShard> entry) {
        try {
            Opened all = opened();
            for (int number : all.byOffering.getOrDefault(entry.getKey(), List.of())) {
                PriceQuery query = all.query(number);
                all.found
                        .get(number)
                        .add(
                                isCount
                                        ? ShardMatches.ofCount(entry.getValue().index(), query)
                                        : ShardMatches.of(entry.getValue().index(), query));
            }
            for (int number : all.everywhere) {
                all.found.get(number).add(ShardMatches.of(entry.getValue(), all.query(number), isCount));
            }
        } catch (CorruptEncodingException e) {
            throw new UncheckedIOException("query was refused: index=" + name + ": " + e.getMessage(), e);
        }
    }

    private Opened opened() throws CorruptEncodingException {
        Opened all = opened;
        if (all == null) {
            all = new Opened(schemas.require(name), queries);
            opened = all;
        }
        return all;
    }

    @Override
    @SuppressWarnings("rawtypes") // as the interface has it
    public void combine(Aggregator other) {
        Opened others = ((ShardAggregator) other).opened;
        if (others != null) {
            List<ShardMatches> mine = found();
            for (int i = 0; i < mine.size(); i++) {
                mine.get(i).add(others.found.get(i));
            }
        }
    }

    @Override
    public ShardAggregator aggregate() {
        return this;
    }

    /**
     * Returns the matches of the queries.
     *
     * @return matches in the order of the queries
     */
    public List<ShardMatches> found() {
        try {
            return opened().found;
        } catch (CorruptEncodingException e) {
            throw new UncheckedIOException("query was refused: index=" + name + ": " + e.getMessage(), e);
        }
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
        out.writeByteArray(queries);
        out.writeBoolean(isCount);
        Opened all = opened;
        out.writeByteArray(all == null ? null : ShardMatches.encode(all.format, all.found));
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        name = schemas.require(in.readString()).name();
        queries = Objects.requireNonNullElse(in.readByteArray(), new byte[0]);
        isCount = in.readBoolean();
        byte @Nullable [] matches = in.readByteArray();
        if (matches != null) {
            Opened all = opened();
            ByteBuffer bytes = ByteBuffer.wrap(matches);
            for (ShardMatches each : all.found) {
                each.add(all.format, bytes);
            }
        }
    }
}
