package dev.touchstone.benchmarks.index.cluster;

import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import dev.touchstone.benchmarks.index.data.PriceData;
import dev.touchstone.benchmarks.index.peer.IndexSearchAdapter;
import dev.touchstone.benchmarks.index.peer.SearchRequest;
import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.Price;
import dev.touchstone.index.hazelcast.ShardedPriceIndex;
import dev.touchstone.index.price.PriceBatch;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.price.PriceQuery;
import dev.touchstone.index.price.SearchResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;

/** Our index, with its offerings spread over the members. */
public final class ShardedAdapter implements ClusterUnderTest {
    private static final String NAME = "prices";
    private static final int OFFERINGS = 50; // that all fit into the near cache
    private static final int BATCH = 4000;

    private final PriceIndex schema = PriceData.SEED.index(List.of());
    private final int nearCacheOfferings;
    private final List<PriceQuery> queries = new ArrayList<>();
    private ShardedPriceIndex index;
    private PriceQuery query;

    /**
     * Creates the subject.
     *
     * @param unusedIndex index with the prices; it is not used
     */
    @SuppressWarnings("NullAway.Init") // set by use
    public ShardedAdapter(PriceIndex unusedIndex, boolean isNearCached) {
        nearCacheOfferings = isNearCached ? OFFERINGS : 0;
    }

    @Override
    public void configure(Config member) {
        ShardedPriceIndex.configure(member, NAME, schema, nearCacheOfferings);
    }

    @Override
    public void configure(ClientConfig client) {
        ShardedPriceIndex.configure(client, NAME, schema, nearCacheOfferings);
    }

    @Override
    public void use(HazelcastInstance asking) {
        index = ShardedPriceIndex.of(asking, NAME);
        query = newQuery();
    }

    private PriceQuery newQuery() {
        return index.query().policy(MatchPolicy.ALL).limit(1);
    }

    @Override
    public void load(Iterable<Price> prices) throws IOException {
        PriceBatch batch = new PriceBatch();
        for (Price price : prices) {
            batch.put(price);
            if (batch.size() == BATCH) {
                index.update(batch);
                batch = new PriceBatch();
            }
        }
        index.update(batch);
    }

    @Override
    public long search(SearchRequest request) {
        return IndexSearchAdapter.answer(index.search(IndexSearchAdapter.asked(query, request)));
    }

    @Override
    public void searchEach(List<SearchRequest> requests, int inFlight, long[] answers) {
        Iterator<PriceQuery> asked = requests.stream()
                .map(request -> IndexSearchAdapter.asked(query, request))
                .iterator();
        int[] next = {0};
        index.searchEach(asked, inFlight, result -> answers[next[0]++] = IndexSearchAdapter.answer(result));
    }

    @Override
    public void searchAll(List<SearchRequest> requests, long[] answers) {
        while (queries.size() < requests.size()) {
            queries.add(newQuery());
        }
        List<PriceQuery> asked = IntStream.range(0, requests.size())
                .mapToObj(i -> IndexSearchAdapter.asked(queries.get(i), requests.get(i)))
                .toList();
        List<SearchResult> results = index.searchAll(asked);
        for (int i = 0; i < answers.length; i++) {
            answers[i] = IndexSearchAdapter.answer(results.get(i));
        }
    }

    @Override
    public void update(List<Price> prices) throws IOException {
        index.update(DirectAdapter.batch(prices));
    }
}
