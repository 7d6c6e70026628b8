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
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The matches of a query in some shards, from which those of all shards are merged. Holds as many prices as the policy needs. Not thread-safe.
 *
 * <p>The bytes, big-endian; a text or batch is its length 4 and its bytes:
 *
 * <pre>
 *   version 8 | matches 8 | rank 8 | refused 1 | reason, if refused | count of offerings 4 | offerings
 *   offering  order 8 | key | prices that are kept 4 | default price 1 | prices as a batch
 * </pre>
 *
 * <p><b>Invariants.</b> For {@link MatchPolicy#SPECIFIC}, {@code matches} and {@code parts} are those of the highest rank only. For all policies but ALL,
 * an offering has one price at most: its only match, its first one for FIRST, or its first default one.
 */
public final class ShardMatches {
    private static final int HEAD_BYTES = 3 * Long.BYTES + 1 + Integer.BYTES;
    private static final int PART_BYTES = Long.BYTES + 3 * Integer.BYTES + 1;
    private static final long FIRST_VERSION = 2; // of those that a batch can be encoded for, which plays no role here

    private final MatchPolicy policy;
    private final int limit;
    private final TreeMap<Place, Part> parts = new TreeMap<>();
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

    /** The prices of an offering that were kept, as an encoded batch. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Part(int size, boolean isDefault, byte[] prices) {}

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
    static ShardMatches of(ShardFormat format, PriceIndex index, @Nullable Price price) {
        ShardMatches found = new ShardMatches(MatchPolicy.FIRST, 1, index.version());
        if (price != null) {
            found.take(format, SearchResult.Found.of(index.version(), 1, List.of(price)), 0);
        }
        return found;
    }

    /** Returns the matches of a query in the shard of an offering. */
    static ShardMatches of(ShardFormat format, PriceIndex index, PriceQuery query) {
        ShardMatches found = new ShardMatches(query.policy(), query.limit(), index.version());
        found.take(format, index.search(query), 0);
        return found;
    }

    /** Returns the matches of a query in a shard, to be merged with those in others. */
    static ShardMatches of(OfferingShard shard, PriceQuery query, boolean isCount) {
        PriceIndex index = shard.index();
        ShardMatches found = new ShardMatches(query.policy(), query.limit(), index.version());
        if (isCount) {
            found.matches = index.count(query);
        } else {
            found.take(shard.format(), index.search(query), shard.order());
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

    private void take(ShardFormat format, SearchResult result, long order) {
        if (result instanceof SearchResult.Ambiguous ambiguous) {
            matches = ambiguous.matches();
        } else if (result instanceof SearchResult.Found found) {
            matches = found.matches();
            put(format, order, found);
        }
    }

    private void put(ShardFormat format, long order, SearchResult.Found found) {
        String offering = found.offering(0);
        try {
            byte[] prices = format.batches().encode(FIRST_VERSION, found);
            keep(new Place(order, offering), new Part(found.size(), found.isDefault(0), prices));
        } catch (IndexException e) {
            refusal = "result is too long: offering=" + InvalidValueException.shown(offering) + " prices="
                    + found.size() + ": " + e.getMessage();
        }
    }

    private void keep(Place place, Part part) {
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

    private void prune() {
        if (policy != MatchPolicy.ALL) {
            if (policy != MatchPolicy.FIRST && matches > 1) {
                parts.values().removeIf(part -> policy == MatchPolicy.ERROR || !part.isDefault());
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
     * @param format formats of the sharded index
     * @return result that holds its prices
     * @throws InvalidValueException if a shard has refused the query, or the result is too long
     * @throws CorruptEncodingException if the bytes of the prices are damaged
     */
    public SearchResult result(ShardFormat format) throws CorruptEncodingException {
        requireAccepted();
        List<Price> prices = new ArrayList<>();
        PriceBatch.Visitor receiver = new PriceBatch.Visitor() {
            @Override
            public void put(Price price) {
                prices.add(price);
            }

            @Override
            public void remove(String offering, String id) {
                // no result has one; the number of prices shows it
            }
        };
        for (Part part : parts.values()) {
            format.batches().decode(ByteBuffer.wrap(part.prices())).visit(receiver);
        }
        if (prices.size() != kept) {
            throw new CorruptEncodingException("corrupt matches: prices=" + prices.size() + " expected=" + kept, null);
        }
        if (prices.isEmpty()) {
            return matches == 0 ? new SearchResult.NotFound(version) : new SearchResult.Ambiguous(version, matches);
        }
        return policy == MatchPolicy.ALL
                ? SearchResult.Found.of(version, matches, prices.subList(0, Math.min(limit, prices.size())))
                : SearchResult.Found.of(version, 1, prices);
    }

    /** Returns the bytes of several matches, one behind the other. */
    static byte[] encode(List<ShardMatches> all) {
        int bytes = 0;
        for (ShardMatches one : all) {
            bytes = Math.addExact(bytes, one.encodedBytes());
        }
        ByteBuffer out = ByteBuffer.allocate(bytes);
        all.forEach(one -> one.encode(out));
        return out.array();
    }

    private int encodedBytes() {
        int bytes = HEAD_BYTES + (refusal == null ? 0 : Integer.BYTES + utf8(refusal).length);
        for (var part : parts.entrySet()) {
            bytes = Math.addExact(
                    bytes,
                    PART_BYTES
                            + utf8(part.getKey().offering()).length
                            + part.getValue().prices().length);
        }
        return bytes;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private void encode(ByteBuffer out) {
        out.putLong(version).putLong(matches).putLong(rank).put((byte) (refusal == null ? 0 : 1));
        if (refusal != null) {
            encode(utf8(refusal), out);
        }
        out.putInt(parts.size());
        parts.forEach((place, part) -> {
            out.putLong(place.order());
            encode(utf8(place.offering()), out);
            out.putInt(part.size()).put((byte) (part.isDefault() ? 1 : 0));
            encode(part.prices(), out);
        });
    }

    private static void encode(byte[] bytes, ByteBuffer out) {
        out.putInt(bytes.length).put(bytes);
    }

    /**
     * Reads the matches of a query.
     *
     * @param in bytes, whose position is moved behind the matches
     * @param policy policy of the query
     * @param limit limit of the query
     * @return matches
     * @throws CorruptEncodingException if the bytes are not those of matches
     */
    public static ShardMatches decode(ByteBuffer in, MatchPolicy policy, int limit) throws CorruptEncodingException {
        try {
            ShardMatches found = new ShardMatches(policy, limit, in.getLong());
            found.matches = in.getLong();
            found.rank = in.getLong();
            if (in.get() != 0) {
                found.refusal = new String(ShardFormat.bytes(in, "reason"), StandardCharsets.UTF_8);
            }
            for (int left = in.getInt(); left > 0; left--) {
                long order = in.getLong();
                Place place = new Place(order, new String(ShardFormat.bytes(in, "offering"), StandardCharsets.UTF_8));
                Part part = new Part(in.getInt(), in.get() != 0, ShardFormat.bytes(in, "prices"));
                if (part.size() < 1) {
                    throw new CorruptEncodingException("corrupt matches: prices=" + part.size(), null);
                }
                found.keep(place, part);
            }
            if (found.version < 0 || found.matches < found.kept) {
                throw new CorruptEncodingException(
                        "corrupt matches: version=" + found.version + " matches=" + found.matches + " prices="
                                + found.kept,
                        null);
            }
            return found;
        } catch (BufferUnderflowException e) {
            throw new CorruptEncodingException("matches are too short: bytes=" + in.limit(), e);
        }
    }
}
