package dev.touchstone.benchmarks.index.cluster;

import com.hazelcast.core.HazelcastInstance;
import dev.touchstone.benchmarks.index.peer.IndexSearchAdapter;
import dev.touchstone.benchmarks.index.peer.SearchRequest;
import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceBatch;
import dev.touchstone.index.price.PriceIndex;
import java.util.List;

/** Our index in this JVM alone, beside a cluster that knows nothing of it. */
public final class DirectAdapter implements ClusterUnderTest {
    private final PriceIndex index;
    private final IndexSearchAdapter searches;

    /**
     * Creates the subject.
     *
     * @param index index with the prices
     */
    public DirectAdapter(PriceIndex index, boolean unusedNearCached) {
        this(index);
    }

    DirectAdapter(PriceIndex index) {
        this.index = index;
        searches = new IndexSearchAdapter(index);
    }

    @Override
    public void use(HazelcastInstance asking) {}

    @Override
    public void load(Iterable<Price> prices) {}

    @Override
    public long search(SearchRequest request) {
        return searches.search(request);
    }

    @Override
    public void searchEach(List<SearchRequest> requests, int inFlight, long[] answers) {
        searchAll(requests, answers);
    }

    @Override
    public void searchAll(List<SearchRequest> requests, long[] answers) {
        for (int i = 0; i < answers.length; i++) {
            answers[i] = searches.search(requests.get(i));
        }
    }

    @Override
    public void update(List<Price> prices) {
        index.update(batch(prices));
    }

    /** Returns the change that puts prices. */
    static PriceBatch batch(List<Price> prices) {
        PriceBatch batch = new PriceBatch();
        prices.forEach(batch::put);
        return batch;
    }
}
