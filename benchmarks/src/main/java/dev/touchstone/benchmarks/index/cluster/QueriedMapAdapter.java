package dev.touchstone.benchmarks.index.cluster;

import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.config.BitmapIndexOptions;
import com.hazelcast.config.Config;
import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.config.IndexConfig;
import com.hazelcast.config.IndexType;
import com.hazelcast.config.MapConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.projection.Projection;
import com.hazelcast.projection.Projections;
import com.hazelcast.query.Predicate;
import com.hazelcast.query.Predicates;
import dev.touchstone.benchmarks.index.peer.SearchRequest;
import dev.touchstone.benchmarks.index.peer.SearchUnderTest;
import dev.touchstone.index.Field;
import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceIndex;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Hazelcast's own queries of a map with an index for them. */
public final class QueriedMapAdapter implements ClusterUnderTest {
    static final String MAP = "prices";

    private static final int BATCH = 1000;
    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

    private final List<Field> fields;
    private final Kind kind;
    private final BlockingSearches searches = new BlockingSearches();
    private IMap<Long, HazelcastPrice> map;
    private BlockingSearches.Search search;

    /** A way to make the search of a map. */
    @FunctionalInterface
    private interface Opening {
        BlockingSearches.Search of(HazelcastInstance asking, IMap<Long, HazelcastPrice> map);
    }

    /** A search of a map for several requests at once. */
    @FunctionalInterface
    private interface Several {
        void search(IMap<Long, HazelcastPrice> map, List<SearchRequest> requests, long[] answers);
    }

    /**
     * An index and the searches by it.
     *
     * @param index index of the map
     * @param format form in which the member holds values
     * @param extra attribute that the index needs
     * @param hasSql whether members need what SQL runs on
     * @param opening opens the search for one request
     * @param several search for several requests, or null where it is that of one request by several threads
     */
    private record Kind(
            IndexConfig index,
            InMemoryFormat format,
            HazelcastPrice.Extra extra,
            boolean hasSql,
            Opening opening,
            @Nullable Several several) {
        Kind with(InMemoryFormat other) {
            return new Kind(index, other, extra, hasSql, opening, several);
        }

        Kind with(Opening other) {
            return new Kind(index, format, extra, hasSql, other, several);
        }

        Kind with(@Nullable Several other) {
            return new Kind(index, format, extra, hasSql, opening, other);
        }
    }

    @SuppressWarnings("NullAway.Init") // set by use
    private QueriedMapAdapter(PriceIndex index, Kind kind) {
        fields = index.fields();
        this.kind = kind;
    }

    /** Returns a map with one hash index of the offering and all fields. */
    public static ClusterUnderTest hashComposite(PriceIndex index, boolean unusedNearCached) {
        return new QueriedMapAdapter(index, composed(IndexType.HASH));
    }

    /** Returns a map with one hash index, whose values the member holds as objects. */
    public static ClusterUnderTest hashOfObjects(PriceIndex index, boolean unusedNearCached) {
        return new QueriedMapAdapter(index, composed(IndexType.HASH).with(InMemoryFormat.OBJECT));
    }

    /** Returns a map with one hash index, whose results are numbers in the place of whole prices. */
    public static ClusterUnderTest hashProjecting(PriceIndex index, boolean unusedNearCached) {
        Projection<Map.Entry<Long, HazelcastPrice>, Long> number = Projections.singleAttribute(HazelcastPrice.NUMBER);
        Opening projecting =
                (asking, map) -> request -> answerOf(map.project(number, equalities(request)), Long::longValue);
        return new QueriedMapAdapter(index, composed(IndexType.HASH).with(projecting));
    }

    /** Returns a map with one hash index, with a query for each request of several. */
    public static ClusterUnderTest hashOneByOne(PriceIndex index, boolean unusedNearCached) {
        return new QueriedMapAdapter(index, composed(IndexType.HASH).with((Several) null));
    }

    /** Returns a map with one sorted index of the offering and all fields. */
    public static ClusterUnderTest sortedComposite(PriceIndex index, boolean unusedNearCached) {
        return new QueriedMapAdapter(index, composed(IndexType.SORTED));
    }

    private static Kind composed(IndexType type) {
        return new Kind(
                composite(type),
                InMemoryFormat.BINARY,
                HazelcastPrice.Extra.NONE,
                false,
                (asking, map) -> request -> answer(map.values(equalities(request))),
                QueriedMapAdapter::searchAny);
    }

    /** Searches for several requests by one query for any of them. */
    private static void searchAny(IMap<Long, HazelcastPrice> map, List<SearchRequest> requests, long[] answers) {
        Predicate<?, ?>[] any =
                requests.stream().map(QueriedMapAdapter::equalities).toArray(Predicate<?, ?>[]::new);
        share(requests, map.values(Predicates.or(any)), answers);
    }

    /** Sets the answers of the requests that are met by some prices. */
    private static void share(List<SearchRequest> requests, Collection<HazelcastPrice> prices, long[] answers) {
        Map<String, Long> found = new HashMap<>();
        for (HazelcastPrice price : prices) {
            found.merge(
                    price.joined != null ? price.joined : price.join(),
                    SearchUnderTest.answer(1, price.number),
                    QueriedMapAdapter::both);
        }
        for (int i = 0; i < answers.length; i++) {
            answers[i] = found.getOrDefault(HazelcastPrice.join(requests.get(i)), 0L);
        }
    }

    private static IndexConfig composite(IndexType type) {
        return new IndexConfig(type, HazelcastPrice.attributes().toArray(String[]::new));
    }

    private static Predicate<Long, HazelcastPrice> equalities(SearchRequest request) {
        List<SearchRequest.Term> terms = request.shape().terms();
        Predicate<?, ?>[] all = new Predicate<?, ?>[terms.size() + 1];
        all[0] = Predicates.equal(HazelcastPrice.OFFERING, request.offering());
        for (int i = 0; i < terms.size(); i++) {
            all[i + 1] =
                    Predicates.equal(HazelcastPrice.attribute(terms.get(i).field()), Conditions.string(request, i));
        }
        return Predicates.and(all);
    }

    /** A bitmap index of strings that have the field in them. */
    public static ClusterUnderTest bitmap(PriceIndex index, boolean unusedNearCached) {
        IndexConfig config = new IndexConfig(IndexType.BITMAP, HazelcastPrice.TAGS + "[any]");
        config.getBitmapIndexOptions().setUniqueKeyTransformation(BitmapIndexOptions.UniqueKeyTransformation.LONG);
        return new QueriedMapAdapter(
                index,
                new Kind(
                        config,
                        InMemoryFormat.BINARY,
                        HazelcastPrice.Extra.TAGS,
                        false,
                        (asking, map) -> request -> answer(map.values(tags(request))),
                        null));
    }

    private static Predicate<Long, HazelcastPrice> tags(SearchRequest request) {
        List<SearchRequest.Term> terms = request.shape().terms();
        Predicate<?, ?>[] all = new Predicate<?, ?>[terms.size() + 1];
        all[0] = tag(HazelcastPrice.OFFERING, String.valueOf(request.offering()));
        for (int i = 0; i < terms.size(); i++) {
            all[i + 1] = tag(HazelcastPrice.attribute(terms.get(i).field()), Conditions.string(request, i));
        }
        return Predicates.and(all);
    }

    private static Predicate<?, ?> tag(String attribute, String string) {
        return Predicates.equal(HazelcastPrice.TAGS + "[any]", HazelcastPrice.tag(attribute, string));
    }

    /** A hash index of one string with the offering and all fields in it. */
    public static ClusterUnderTest concatenated(PriceIndex index, boolean unusedNearCached) {
        return new QueriedMapAdapter(
                index,
                new Kind(
                        new IndexConfig(IndexType.HASH, HazelcastPrice.JOINED),
                        InMemoryFormat.BINARY,
                        HazelcastPrice.Extra.JOINED,
                        false,
                        (asking, map) -> request -> answer(
                                map.values(Predicates.equal(HazelcastPrice.JOINED, HazelcastPrice.join(request)))),
                        QueriedMapAdapter::searchIn));
    }

    /** Searches for several requests by one query for all their strings. */
    private static void searchIn(IMap<Long, HazelcastPrice> map, List<SearchRequest> requests, long[] answers) {
        String[] wanted = requests.stream().map(HazelcastPrice::join).toArray(String[]::new);
        share(requests, map.values(Predicates.in(HazelcastPrice.JOINED, wanted)), answers);
    }

    /** Returns the answer of two matches or more. */
    private static long both(long one, long other) {
        return SearchUnderTest.answer(
                SearchUnderTest.matches(one) + SearchUnderTest.matches(other), Math.min((int) one, (int) other));
    }

    /** SQL, which uses a sorted index of the offering and all fields. */
    public static ClusterUnderTest sql(PriceIndex index, boolean unusedNearCached) {
        return new QueriedMapAdapter(
                index,
                new Kind(
                        composite(IndexType.SORTED),
                        InMemoryFormat.BINARY,
                        HazelcastPrice.Extra.NONE,
                        true,
                        (asking, map) -> new SqlSearch(asking.getSql()),
                        null));
    }

    @Override
    public void configure(Config member) {
        HazelcastPrice.register(member.getSerializationConfig());
        member.getJetConfig().setEnabled(kind.hasSql);
        member.addMapConfig(new MapConfig(MAP).setInMemoryFormat(kind.format).addIndexConfig(kind.index));
    }

    @Override
    public void configure(ClientConfig client) {
        HazelcastPrice.register(client.getSerializationConfig());
    }

    @Override
    public void use(HazelcastInstance asking) {
        map = asking.getMap(MAP);
        search = kind.opening.of(asking, map);
    }

    @Override
    public void load(Iterable<Price> prices) {
        Map<Long, HazelcastPrice> batch = new HashMap<>();
        for (Price price : prices) {
            put(batch, price);
            if (batch.size() == BATCH) {
                map.setAll(batch);
                batch.clear();
            }
        }
        map.setAll(batch);
    }

    /** The key of a price is a part of its id, by which the generated prices differ already. */
    private void put(Map<Long, HazelcastPrice> batch, Price price) {
        batch.put(key(price), HazelcastPrice.of(price, fields, kind.extra));
    }

    private static long key(Price price) {
        return UUID.fromString(price.id()).getMostSignificantBits();
    }

    private static long answer(Collection<HazelcastPrice> found) {
        return answerOf(found, price -> price.number);
    }

    private static <T> long answerOf(Collection<T> found, ToLongFunction<T> number) {
        long first = Long.MAX_VALUE;
        for (T each : found) {
            first = Math.min(first, number.applyAsLong(each));
        }
        return SearchUnderTest.answer(found.size(), first);
    }

    @Override
    public long search(SearchRequest request) throws IOException {
        return search.search(request);
    }

    @Override
    public void searchEach(List<SearchRequest> requests, int inFlight, long[] answers) throws IOException {
        searches.run(search, requests, inFlight, answers);
    }

    @Override
    public void searchAll(List<SearchRequest> requests, long[] answers) throws IOException {
        if (kind.several == null) {
            searches.run(search, requests, PROCESSORS, answers);
        } else {
            kind.several.search(map, requests, answers);
        }
    }

    @Override
    public void update(List<Price> prices) {
        Map<Long, HazelcastPrice> batch = new HashMap<>();
        prices.forEach(price -> put(batch, price));
        map.setAll(batch);
    }

    @Override
    public void close() {
        searches.close();
    }
}
