package dev.touchstone.index.hazelcast;

import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.config.Config;
import com.hazelcast.config.EvictionConfig;
import com.hazelcast.config.EvictionPolicy;
import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.config.MapConfig;
import com.hazelcast.config.MaxSizePolicy;
import com.hazelcast.config.MergePolicyConfig;
import com.hazelcast.config.NearCacheConfig;
import com.hazelcast.config.SerializationConfig;
import com.hazelcast.config.SerializerConfig;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.nearcache.NearCacheStats;
import com.hazelcast.query.Predicate;
import com.hazelcast.query.Predicates;
import dev.touchstone.index.CorruptEncodingException;
import dev.touchstone.index.IndexException;
import dev.touchstone.index.InvalidValueException;
import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.Price;
import dev.touchstone.index.hazelcast.shard.OfferingShard;
import dev.touchstone.index.hazelcast.shard.OwnPartitions;
import dev.touchstone.index.hazelcast.shard.ShardAggregator;
import dev.touchstone.index.hazelcast.shard.ShardFormat;
import dev.touchstone.index.hazelcast.shard.ShardMatches;
import dev.touchstone.index.hazelcast.shard.ShardSchemas;
import dev.touchstone.index.hazelcast.shard.ShardSearch;
import dev.touchstone.index.price.PriceBatch;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.price.PriceQuery;
import dev.touchstone.index.price.SearchResult;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A price index whose offerings are spread over the members of a Hazelcast cluster, each on one member and a backup. Used from members and from clients.
 * Thread-safe.
 *
 * <p>A search of one offering is answered by the member that has it, and one of all offerings by all members; both as a {@link PriceIndex} with the same
 * prices would. Each offering has a version of its own, 1 if it has no prices; a result of one offering names that version, and a result of all offerings
 * the highest one. Searches of all offerings see each offering at some version, and not all of them at one point in time.
 *
 * <p>With a near cache, this member or client keeps copies of the offerings that it has searched last, and searches them itself. It sees its own updates at
 * once, and those of others after up to 10 seconds.
 *
 * <p>When a member leaves, its offerings are those of the backups. No update that has returned is lost, unless two members fail before the cluster has
 * made new backups. After a split of the cluster, {@link ShardMergePolicy} decides which side's prices of an offering stay.
 *
 * <p>All methods wait for the cluster, as long as Hazelcast is configured to. They throw {@link HazelcastException}, or another exception of Hazelcast, if
 * the cluster cannot answer, and {@link CancellationException} if the thread was interrupted before the call. An interrupt during the call ends a search of a
 * client in the same way. On a member, a search may wait for the answer to a request that it has sent: it returns its result then, and the thread stays
 * interrupted. An update of an interrupted thread throws {@link ShardUpdateException}, and may have been applied.
 */
public final class ShardedPriceIndex {
    private static final String CONTEXT = ShardedPriceIndex.class.getName();
    private static final int MAX_STALE_SECONDS = 10;

    private final ShardSchemas schemas;
    private final ShardFormat format;
    private final IMap<String, OfferingShard> map;
    private final OwnPartitions own;
    private final ShardRequests requests = new ShardRequests();
    private final ShardUpdates updates;
    private final LongAdder searches = new LongAdder();

    private ShardedPriceIndex(HazelcastInstance instance, ShardSchemas schemas, ShardFormat format) {
        this.schemas = schemas;
        this.format = format;
        map = instance.getMap(map(format.name()));
        own = new OwnPartitions(instance.getPartitionService());
        updates = new ShardUpdates(schemas, format, requests, map, instance.getMap(counter(format.name())));
    }

    private static String map(String name) {
        return name + ".offerings";
    }

    private static String counter(String name) {
        return name + ".order";
    }

    /**
     * Adds a sharded index without a near cache to the configuration of a member; see {@link #configure(Config, String, PriceIndex, int)}.
     *
     * @param config configuration of the member
     * @param name name of the index in the cluster, not empty, without {@code @}
     * @param schema index with the fields, without prices
     * @return the same configuration
     * @throws IllegalArgumentException if the name is empty or has {@code @}, or the schema has prices
     */
    public static Config configure(Config config, String name, PriceIndex schema) {
        return configure(config, name, schema, 0);
    }

    /**
     * Adds a sharded index to the configuration of a member, before the member is started. All members need the same name and fields.
     *
     * @param config configuration of the member
     * @param name name of the index in the cluster, not empty, without {@code @}; structures of Hazelcast that belong to it have names that begin with it
     * @param schema index with the fields, without prices
     * @param nearCacheOfferings maximum number of offerings in the near cache of this member; 0 for no near cache
     * @return the same configuration
     * @throws IllegalArgumentException if the name is empty or has {@code @}, the schema has prices, or the number is negative
     */
    public static Config configure(Config config, String name, PriceIndex schema, int nearCacheOfferings) {
        add(config.getUserContext(), config.getSerializationConfig(), name, schema, nearCacheOfferings);
        MergePolicyConfig merge = new MergePolicyConfig().setPolicy(ShardMergePolicy.class.getName());
        MapConfig shards = new MapConfig(map(name))
                .setInMemoryFormat(InMemoryFormat.OBJECT)
                .setBackupCount(1)
                .setMergePolicyConfig(merge);
        if (nearCacheOfferings > 0) {
            shards.setNearCacheConfig(nearCache(name, nearCacheOfferings).setCacheLocalEntries(true));
        }
        return config.addMapConfig(shards)
                .addMapConfig(new MapConfig(counter(name)).setBackupCount(1).setMergePolicyConfig(merge))
                // an update that has no backup yet must not count as applied
                .setProperty("hazelcast.operation.fail.on.indeterminate.state", "true");
    }

    /**
     * Adds a sharded index without a near cache to the configuration of a client; see {@link #configure(ClientConfig, String, PriceIndex, int)}.
     *
     * @param config configuration of the client
     * @param name name of the index in the cluster, not empty, without {@code @}
     * @param schema index with the fields, without prices
     * @return the same configuration
     * @throws IllegalArgumentException if the name is empty or has {@code @}, or the schema has prices
     */
    public static ClientConfig configure(ClientConfig config, String name, PriceIndex schema) {
        return configure(config, name, schema, 0);
    }

    /**
     * Adds a sharded index to the configuration of a client, before the client is started.
     *
     * @param config configuration of the client
     * @param name name of the index in the cluster, not empty, without {@code @}
     * @param schema index with the fields, without prices
     * @param nearCacheOfferings maximum number of offerings in the near cache of this client; 0 for no near cache
     * @return the same configuration
     * @throws IllegalArgumentException if the name is empty or has {@code @}, the schema has prices, or the number is negative
     */
    public static ClientConfig configure(ClientConfig config, String name, PriceIndex schema, int nearCacheOfferings) {
        add(config.getUserContext(), config.getSerializationConfig(), name, schema, nearCacheOfferings);
        config.setProperty("hazelcast.client.operation.fail.on.indeterminate.state", "true"); // as for members
        return nearCacheOfferings > 0 ? config.addNearCacheConfig(nearCache(name, nearCacheOfferings)) : config;
    }

    private static NearCacheConfig nearCache(String name, int offerings) {
        return new NearCacheConfig(map(name))
                .setInMemoryFormat(InMemoryFormat.OBJECT)
                .setInvalidateOnChange(true)
                .setTimeToLiveSeconds(MAX_STALE_SECONDS) // invalidations may be lost with their member or connection
                .setEvictionConfig(new EvictionConfig()
                        .setMaxSizePolicy(MaxSizePolicy.ENTRY_COUNT)
                        .setEvictionPolicy(EvictionPolicy.LRU)
                        .setSize(offerings));
    }

    private static void add(
            ConcurrentMap<String, Object> context,
            SerializationConfig serialization,
            String name,
            PriceIndex schema,
            int nearCacheOfferings) {
        ReplicaOptions.requireName(name);
        if (nearCacheOfferings < 0) {
            throw new IllegalArgumentException(
                    "name=" + name + " nearCacheOfferings=" + nearCacheOfferings + " expected=at least 0");
        }
        if (schema.stats().prices() > 0) {
            throw new IllegalArgumentException("schema has prices: name=" + name + " stats=" + schema.stats());
        }
        ShardSchemas schemas = (ShardSchemas) context.computeIfAbsent(CONTEXT, key -> {
            ShardSchemas created = new ShardSchemas();
            serialization
                    .addDataSerializableFactory(ShardSchemas.FACTORY, created)
                    .addSerializerConfig(new SerializerConfig()
                            .setTypeClass(OfferingShard.class)
                            .setImplementation(created));
            return created;
        });
        schemas.add(name, schema.copy(), nearCacheOfferings > 0);
    }

    /**
     * Returns the sharded index of a member or client.
     *
     * @param instance member or client whose configuration {@link #configure} has got
     * @param name name of the index in the cluster
     * @return a new object for the same prices
     * @throws IllegalStateException if the member or client was started without the index in its configuration
     */
    public static ShardedPriceIndex of(HazelcastInstance instance, String name) {
        if (instance.getUserContext().get(CONTEXT) instanceof ShardSchemas schemas) {
            ShardFormat format = schemas.find(name);
            if (format != null) {
                return new ShardedPriceIndex(instance, schemas, format);
            }
        }
        throw new IllegalStateException("sharded index is not configured: name=" + name
                + "; call ShardedPriceIndex.configure before the member or client is started");
    }

    /**
     * Returns a query without an offering and conditions.
     *
     * @return a new query for this index
     */
    public PriceQuery query() {
        return format.schema().query();
    }

    /**
     * Searches the prices that match a query.
     *
     * @param query query for this index
     * @return result by the policy of the query
     * @throws IllegalArgumentException if the query is for another index
     * @throws InvalidValueException if the result is too long to be sent
     */
    public SearchResult search(PriceQuery query) {
        PriceIndex here = here(query);
        return here != null ? here.search(query) : ask(query, false).result();
    }

    /**
     * Searches the prices that match a query, without waiting for the result. A query without an offering, and one that is answered by the near cache, is
     * searched by this thread before the method returns.
     *
     * @param query query for this index, which may be used again when this method has returned
     * @return result as by {@link #search}, or a failure as {@link #search} throws it. Actions that depend on it may run on threads of Hazelcast, and must not
     *     block
     */
    public CompletionStage<SearchResult> searchAsync(PriceQuery query) {
        try {
            PriceIndex here = here(query);
            return here != null ? CompletableFuture.completedFuture(here.search(query)) : sent(query);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Returns the copy of the shard in which this member or client searches a query itself; null if others search it. */
    private @Nullable PriceIndex here(PriceQuery query) {
        String offering = Objects.requireNonNull(query, "query").offering();
        searches.increment();
        return offering != null && (format.isNearCached() || !isText(offering)) ? copy(offering) : null;
    }

    /** Returns whether a text can be a key; Hazelcast writes another one in the place of half of a surrogate pair. */
    private static boolean isText(String text) {
        return StandardCharsets.UTF_8.newEncoder().canEncode(text);
    }

    /** Returns the near cached, or else the fetched, prices of an offering. */
    private PriceIndex copy(String offering) {
        if (!isText(Objects.requireNonNull(offering, "offering"))) {
            return format.schema();
        }
        return requests.call(() -> {
            @Nullable OfferingShard shard = map.get(offering);
            return shard == null ? format.schema() : shard.index();
        });
    }

    private CompletableFuture<SearchResult> sent(PriceQuery query) {
        Questions one = new Questions().add(query);
        String offering = query.offering();
        if (offering == null) {
            return CompletableFuture.completedFuture(one.ask(false).get(0).result());
        }
        MatchPolicy policy = query.policy(); // the caller may change the query before the answer comes
        int limit = query.limit();
        return requests.submit(map, offering, processor(ShardSearch.Kind.SEARCH, one.encoded.get(0)))
                .thenApply(answer -> decode(answer, policy, limit))
                .exceptionallyComposeAsync(
                        failure -> ShardRequests.isProtected(failure) // which a processor is as a write
                                ? CompletableFuture.completedFuture(
                                        one.ask(false).get(0))
                                : CompletableFuture.failedFuture(failure))
                .thenApply(ShardMatches::result);
    }

    /**
     * Asks the member that has the offering of a query, or all members if it has none, and waits for the matches. Where that member is this one, Hazelcast
     * aggregates on this thread, without a hand-over to another.
     */
    private ShardMatches ask(PriceQuery query, boolean isCount) {
        Questions one = new Questions().add(query);
        String offering = query.offering();
        if (offering != null && !one.keepHere()) {
            ShardSearch.Kind kind = isCount ? ShardSearch.Kind.COUNT : ShardSearch.Kind.SEARCH;
            try {
                return ask(offering, kind, one.encoded.get(0), query.policy(), query.limit());
            } catch (RuntimeException e) {
                if (!ShardRequests.isProtected(e)) { // which a processor is as a write
                    throw e;
                }
            }
        }
        return one.ask(isCount).get(0);
    }

    /** Waits by one hand-over between threads, where a stage of {@link IMap#submitToKey} takes two: Hazelcast completes it on another thread. */
    private ShardMatches ask(String offering, ShardSearch.Kind kind, byte[] argument, MatchPolicy policy, int limit) {
        ShardSearch processor = processor(kind, argument);
        return decode(requests.call(() -> map.executeOnKey(offering, processor)), policy, limit);
    }

    private ShardSearch processor(ShardSearch.Kind kind, byte[] argument) {
        return new ShardSearch(schemas, format.name(), kind, argument);
    }

    private ShardMatches decode(byte[] answer, MatchPolicy policy, int limit) {
        try {
            return ShardMatches.decode(format, ByteBuffer.wrap(answer), policy, limit);
        } catch (CorruptEncodingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Queries that are asked at once. */
    private final class Questions {
        private final List<byte[]> encoded = new ArrayList<>();
        private final Set<String> offerings = new HashSet<>();
        private boolean isEverywhere; // whether a query is for all offerings

        Questions add(PriceQuery query) {
            String offering = query.offering();
            encoded.add(format.queries().encode(query));
            if (offering == null) {
                isEverywhere = true;
            } else {
                offerings.add(offering);
            }
            return this;
        }

        int size() {
            return encoded.size();
        }

        /** Has the queries of a single offering searched on this thread if this member has it. Returns whether it does. */
        boolean keepHere() {
            String companion =
                    offerings.size() == 1 ? own.companion(offerings.iterator().next()) : null;
            return companion != null && offerings.add(companion);
        }

        /** Searches in the shards of the offerings, or in all shards if a query has none. Returns the matches in the order of the queries. */
        List<ShardMatches> ask(boolean isCount) {
            boolean unused = !isEverywhere && keepHere();
            ShardAggregator aggregator = new ShardAggregator(schemas, format, encoded, isCount);
            Predicate<String, OfferingShard> any = Predicates.alwaysTrue();
            Predicate<String, OfferingShard> where =
                    isEverywhere ? any : Predicates.multiPartitionPredicate(offerings, any);
            return requests.call(() -> map.aggregate(aggregator, where)).found();
        }
    }

    /**
     * Searches for several queries, with one request to each member that has some of their offerings. The queries of one offering are searched in one
     * version of it.
     *
     * @param queries queries for this index
     * @return results in the order of the queries
     * @throws IllegalArgumentException if a query is for another index
     * @throws InvalidValueException if a result is too long to be sent
     */
    public List<SearchResult> searchAll(List<PriceQuery> queries) {
        List<SearchResult> results = new ArrayList<>(queries.size());
        if (format.isNearCached()) {
            Map<String, PriceIndex> copies = new HashMap<>();
            for (PriceQuery query : queries) {
                String offering = Objects.requireNonNull(query, "query").offering();
                if (offering == null) {
                    results.add(search(query));
                } else {
                    searches.increment();
                    results.add(copies.computeIfAbsent(offering, this::copy).search(query));
                }
            }
        } else {
            long unused = searchEach(queries.iterator(), Math.max(1, queries.size()), results::add);
        }
        return results;
    }

    /**
     * Searches for many queries, several of them in a request as {@link #searchAll} does, and passes on the results in the order of the queries. An exception
     * of the iterator or the receiver ends the method; queries which were taken from the iterator and have no result by then get none.
     *
     * @param queries queries for this index; each is encoded before the next is asked for, so that the iterator may return one object again and again
     * @param maxInFlight maximum number of queries without a result, at least 1
     * @param receiver receiver of each result, called on this thread
     * @return number of queries
     * @throws IllegalArgumentException if the number is below 1, or a query is for another index
     * @throws InvalidValueException if a result is too long to be sent
     */
    public long searchEach(Iterator<PriceQuery> queries, int maxInFlight, Consumer<? super SearchResult> receiver) {
        if (maxInFlight < 1) {
            throw new IllegalArgumentException("maxInFlight=" + maxInFlight + " expected=at least 1");
        }
        long count = 0;
        Questions next = new Questions();
        while (queries.hasNext()) {
            PriceQuery query = Objects.requireNonNull(queries.next(), "query");
            count++;
            if (format.isNearCached()) {
                receiver.accept(search(query));
                continue;
            }
            searches.increment();
            next.add(query);
            if (next.size() == maxInFlight || !queries.hasNext()) {
                next.ask(false).forEach(matches -> receiver.accept(matches.result()));
                next = new Questions();
            }
        }
        return count;
    }

    /**
     * Returns the number of prices that match a query, as {@link PriceIndex#count} does.
     *
     * @param query query for this index, not null
     * @return number of matches, at least 0
     * @throws IllegalArgumentException if the query is for another index
     */
    public long count(PriceQuery query) {
        PriceIndex here = here(query);
        if (here != null) {
            return here.count(query);
        }
        return ask(query, true).count();
    }

    /**
     * Returns the price with an id.
     *
     * @param offering key of the offering, not null
     * @param id id of the price, not null
     * @return a new object, or null if the offering has no such price
     */
    public @Nullable Price price(String offering, String id) {
        Objects.requireNonNull(offering, "offering");
        Objects.requireNonNull(id, "id");
        if (format.isNearCached() || !isText(offering) || !isText(id)) {
            return copy(offering).price(offering, id);
        }
        byte[] argument = id.getBytes(StandardCharsets.UTF_8);
        try {
            ShardMatches one = ask(offering, ShardSearch.Kind.PRICE, argument, MatchPolicy.FIRST, 1);
            return one.result() instanceof SearchResult.Found found ? found.price(0) : null;
        } catch (RuntimeException e) {
            if (ShardRequests.isProtected(e)) {
                return copy(offering).price(offering, id);
            }
            throw e;
        }
    }

    /**
     * Returns all prices of an offering in their order, which are sent to this member or client.
     *
     * @param offering key of the offering
     * @return a new list; empty if the offering has no prices
     */
    public List<Price> prices(String offering) {
        return copy(offering).prices(offering);
    }

    /**
     * Returns an index of the prices of one offering, which are sent to this member or client, for what only a {@link PriceIndex} answers: explanations,
     * facets, pages. It stays as it is; updates of it do not reach the cluster.
     *
     * @param offering key of the offering
     * @return a new index, which accepts the queries of this one; without prices if the offering has none
     */
    public PriceIndex copyOf(String offering) {
        return copy(offering).copy();
    }

    /**
     * Applies all changes of a batch. Those of one offering become visible together, at another moment than those of the next. When this method returns,
     * all searches see the changes, except those in near caches of others.
     *
     * @param batch changes
     * @return version of each offering of the batch after the changes, as a search tells it: 1 if the offering has no prices any more
     * @throws IndexException if no offering can have one of the prices, or the changes of an offering are too long; nothing has changed then
     * @throws ShardUpdateException if the changes of some offerings were not applied, or their outcome is not known
     */
    public Map<String, Long> update(PriceBatch batch) throws ShardUpdateException {
        return updates.apply(Objects.requireNonNull(batch, "batch"));
    }

    /**
     * Returns the state of this object and its near cache, and the number of offerings in the cluster.
     *
     * @return state
     */
    public ShardStats stats() {
        NearCacheStats near = format.isNearCached() ? map.getLocalMapStats().getNearCacheStats() : null;
        return new ShardStats(
                requests.call(map::size),
                searches.sum(),
                updates.applied(),
                requests.retries(),
                requests.failures(),
                near == null ? 0 : near.getHits(),
                near == null ? 0 : near.getMisses());
    }
}
