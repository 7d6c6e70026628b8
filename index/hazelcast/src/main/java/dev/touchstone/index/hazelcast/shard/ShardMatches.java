package dev.touchstone.index.hazelcast.shard;

import dev.touchstone.index.CorruptEncodingException;
import dev.touchstone.index.IndexException;
import dev.touchstone.index.InvalidValueException;
import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceBatch;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.price.PriceQuery;
import dev.touchstone.index.price.SearchResult;
import java.io.ByteArrayOutputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The matches of a query in some shards, from which those of all shards are merged. Holds as many prices as the policy needs. Not thread-safe.
 *
 * <p>The bytes, big-endian; a text or batch is its length 4 and its bytes:
 *
 * <pre>
 *   version 8 | matches 8 | rank 8 | refused 1 | reason, if refused | count of offerings 4 | offerings
 *   offering  order 8 | key | prices that are kept, as a batch
 * </pre>
 *
 * <p><b>Invariants.</b> For {@link MatchPolicy#SPECIFIC}, {@code matches} and {@code parts} are those of the highest rank only. For all policies but ALL,
 * an offering has one price at most: its only match, its first one for FIRST, or its first default one.
 */
public final class ShardMatches {
    private static final long FIRST_VERSION = 2; // of those that a batch can be encoded for, which plays no role here

    private final MatchPolicy policy;
    private final int limit;
    private final TreeMap<Place, SearchResult.Found> parts = new TreeMap<>();
    private long kept; // number of prices that the parts have
    private long version;
    private long matches;
    private long rank;
    private @Nullable String refusal;

    /** The place of an offering among all of a sharded index. After a split of the cluster, several may have one number. */
    private record Place(long order, String offering) implements Comparable<Place> {
        private static final Comparator<Place> BY_ORDER =
                Comparator.comparingLong(Place::order).thenComparing(Place::offering);

        @Override
        public int compareTo(Place other) {
            return BY_ORDER.compare(this, other);
        }
    }

    /**
     * Creates matches in no shards.
     *
     * @param policy policy of the query
     * @param limit limit of the query
     * @param version version if no shard has a later one
     */
    public ShardMatches(MatchPolicy policy, int limit, long version) {
        this.policy = policy;
        this.limit = limit;
        this.version = version;
    }

    /** Returns the matches of a query that is refused for a reason. */
    static ShardMatches refused(String reason) {
        ShardMatches none = new ShardMatches(MatchPolicy.FIRST, 1, 0);
        none.refusal = reason;
        return none;
    }

    /** Returns the result of a search for one price, or none, in a shard. */
    static ShardMatches of(PriceIndex index, @Nullable Price price) {
        ShardMatches found = new ShardMatches(MatchPolicy.FIRST, 1, index.version());
        if (price != null) {
            found.take(SearchResult.Found.of(index.version(), 1, List.of(price)), 0);
        }
        return found;
    }

    /** Returns the matches of a query in the shard of an offering. */
    static ShardMatches of(PriceIndex index, PriceQuery query) {
        ShardMatches found = new ShardMatches(query.policy(), query.limit(), index.version());
        found.take(index.search(query), 0);
        return found;
    }

    /** Returns the matches of a query in a shard, to be merged with those in others. */
    static ShardMatches of(OfferingShard shard, PriceQuery query, boolean isCount) {
        PriceIndex index = shard.index();
        ShardMatches found = new ShardMatches(query.policy(), query.limit(), index.version());
        if (isCount) {
            found.matches = index.count(query);
        } else {
            found.take(index.search(query), shard.order());
        }
        if (found.matches > 0 && query.policy() == MatchPolicy.SPECIFIC) {
            Price one = index.iterator(query, () -> false).next();
            for (String field : query.precedence()) {
                found.rank = found.rank << 1 | (one.conditions().containsKey(field) ? 1 : 0);
            }
        }
        return found;
    }

    /** Returns the number of matches of a query in the shard of an offering. */
    static ShardMatches ofCount(PriceIndex index, PriceQuery query) {
        ShardMatches found = new ShardMatches(query.policy(), query.limit(), index.version());
        found.matches = index.count(query);
        return found;
    }

    private void take(SearchResult result, long order) {
        if (result instanceof SearchResult.Ambiguous ambiguous) {
            matches = ambiguous.matches();
        } else if (result instanceof SearchResult.Found found) {
            matches = found.matches();
            keep(new Place(order, found.offering(0)), found);
        }
    }

    private void keep(Place place, SearchResult.Found part) {
        kept += part.size();
        parts.put(place, part);
    }

    /** Adds the matches of the same query in other shards. */
    void add(ShardMatches other) {
        version = Math.max(version, other.version);
        refusal = refusal == null ? other.refusal : refusal;
        if (other.matches == 0 || (matches > 0 && other.rank < rank)) {
            return;
        }
        if (matches > 0 && other.rank > rank) {
            parts.clear();
            kept = 0;
            matches = 0;
        }
        rank = other.rank;
        matches += other.matches;
        other.parts.forEach(this::keep);
        prune();
    }

    /** Adds the matches of the same query in other shards, which are read as {@link #decode} reads them. */
    void add(ShardFormat format, ByteBuffer others) throws CorruptEncodingException {
        add(decode(format, others, policy, limit));
    }

    private void prune() {
        if (policy != MatchPolicy.ALL) {
            if (policy != MatchPolicy.FIRST && matches > 1) {
                parts.values().removeIf(part -> policy == MatchPolicy.ERROR || !part.isDefault(0));
            }
            while (parts.size() > 1) {
                parts.pollLastEntry();
            }
            kept = parts.size(); // one price each
            return;
        }
        while (!parts.isEmpty() && kept - parts.lastEntry().getValue().size() >= limit) {
            kept -= parts.pollLastEntry().getValue().size();
        }
    }

    /**
     * Returns the number of matches.
     *
     * @return number, from 0
     * @throws InvalidValueException if a shard has refused the query
     */
    public long count() {
        requireAccepted();
        return matches;
    }

    private void requireAccepted() {
        if (refusal != null) {
            throw new InvalidValueException(refusal);
        }
    }

    /**
     * Returns the result of the search by the policy of the query.
     *
     * @return result
     * @throws InvalidValueException if a shard has refused the query, or the result was too long to be sent
     */
    public SearchResult result() {
        requireAccepted();
        if (parts.isEmpty()) {
            return matches == 0 ? new SearchResult.NotFound(version) : new SearchResult.Ambiguous(version, matches);
        }
        SearchResult.Found first = parts.firstEntry().getValue();
        if (parts.size() == 1
                && first.version() == version
                && first.matches() == resultMatches()
                && first.size() <= limit) {
            return first;
        }
        List<Price> prices = new ArrayList<>();
        parts.values().forEach(part -> prices.addAll(part.prices()));
        return SearchResult.Found.of(version, resultMatches(), prices.subList(0, Math.min(limit, prices.size())));
    }

    private long resultMatches() {
        return policy == MatchPolicy.ALL ? matches : 1;
    }

    /** Returns the bytes of several matches, one behind the other. */
    static byte[] encode(ShardFormat format, List<ShardMatches> all) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        for (ShardMatches one : all) {
            one.write(format, out);
        }
        return bytes.toByteArray();
    }

    private void write(ShardFormat format, DataOutput out) throws IOException {
        List<byte[]> batches = new ArrayList<>(parts.size());
        for (Map.Entry<Place, SearchResult.Found> part : parts.entrySet()) {
            try {
                batches.add(format.batches().encode(FIRST_VERSION, part.getValue()));
            } catch (IndexException e) {
                refused("result is too long: offering="
                                + InvalidValueException.shown(part.getKey().offering()) + " prices="
                                + part.getValue().size() + ": " + e.getMessage())
                        .write(format, out);
                return;
            }
        }
        out.writeLong(version);
        out.writeLong(matches);
        out.writeLong(rank);
        out.writeBoolean(refusal != null);
        if (refusal != null) {
            write(refusal.getBytes(StandardCharsets.UTF_8), out);
        }
        out.writeInt(parts.size());
        Iterator<Place> places = parts.keySet().iterator();
        for (byte[] batch : batches) {
            Place place = places.next();
            out.writeLong(place.order());
            write(place.offering().getBytes(StandardCharsets.UTF_8), out);
            write(batch, out);
        }
    }

    private static void write(byte[] bytes, DataOutput out) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    /**
     * Reads the matches of a query.
     *
     * @param format formats of the sharded index
     * @param in bytes, whose position is moved behind the matches
     * @param policy policy of the query
     * @param limit limit of the query
     * @return matches
     * @throws CorruptEncodingException if the bytes are not those of matches
     */
    public static ShardMatches decode(ShardFormat format, ByteBuffer in, MatchPolicy policy, int limit)
            throws CorruptEncodingException {
        try {
            ShardMatches found = new ShardMatches(policy, limit, in.getLong());
            found.matches = in.getLong();
            found.rank = in.getLong();
            if (in.get() != 0) {
                found.refusal = new String(ShardFormat.bytes(in, "reason"), StandardCharsets.UTF_8);
            }
            if (found.version < 0 || found.matches < 0) {
                throw new CorruptEncodingException(
                        "corrupt matches: version=" + found.version + " matches=" + found.matches, null);
            }
            for (int left = in.getInt(); left > 0; left--) {
                long order = in.getLong();
                Place place = new Place(order, new String(ShardFormat.bytes(in, "offering"), StandardCharsets.UTF_8));
                found.keep(place, found.part(format, in));
            }
            if (found.matches < found.kept) {
                throw new CorruptEncodingException(
                        "corrupt matches: matches=" + found.matches + " prices=" + found.kept, null);
            }
            return found;
        } catch (BufferUnderflowException e) {
            throw new CorruptEncodingException("matches are too short: bytes=" + in.limit(), e);
        }
    }

    private SearchResult.Found part(ShardFormat format, ByteBuffer in) throws CorruptEncodingException {
        PriceBatch batch = format.batches().decode(ByteBuffer.wrap(ShardFormat.bytes(in, "prices")));
        List<Price> prices = new ArrayList<>(batch.size());
        batch.visit(new PriceBatch.Visitor() {
            @Override
            public void put(Price price) {
                prices.add(price);
            }

            @Override
            public void remove(String offering, String id) {
                // no result has one; the number of prices shows it
            }
        });
        if (prices.isEmpty() || prices.size() != batch.size() || prices.size() > resultMatches()) {
            throw new CorruptEncodingException(
                    "corrupt matches: prices=" + prices.size() + " changes=" + batch.size() + " matches=" + matches,
                    null);
        }
        return SearchResult.Found.of(version, resultMatches(), prices);
    }
}
