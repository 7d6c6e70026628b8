package dev.touchstone.benchmarks.index.cluster;

import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.config.Config;
import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.config.MapConfig;
import com.hazelcast.config.NearCacheConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import dev.touchstone.benchmarks.index.peer.SearchRequest;
import dev.touchstone.benchmarks.index.peer.SearchUnderTest;
import dev.touchstone.index.Field;
import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceIndex;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A map from all strings of a price to the price: no search, and the least that Hazelcast needs to read an entry. */
public final class GetAdapter implements ClusterUnderTest {
    private static final String MAP = "prices";
    private static final int BATCH = 1000;

    private final List<Field> fields;
    private final boolean isNearCached;
    private IMap<String, HazelcastPrice> map;

    /**
     * Creates the subject.
     *
     * @param index index with the fields
     */
    @SuppressWarnings("NullAway.Init") // set by use
    public GetAdapter(PriceIndex index, boolean isNearCached) {
        fields = index.fields();
        this.isNearCached = isNearCached;
    }

    @Override
    public void configure(Config member) {
        HazelcastPrice.register(member.getSerializationConfig());
        MapConfig config = new MapConfig(MAP);
        if (isNearCached) {
            config.setNearCacheConfig(nearCache().setCacheLocalEntries(true));
        }
        member.addMapConfig(config);
    }

    @Override
    public void configure(ClientConfig client) {
        HazelcastPrice.register(client.getSerializationConfig());
        if (isNearCached) {
            client.addNearCacheConfig(nearCache());
        }
    }

    private static NearCacheConfig nearCache() {
        return new NearCacheConfig(MAP).setInMemoryFormat(InMemoryFormat.OBJECT);
    }

    @Override
    public void use(HazelcastInstance asking) {
        map = asking.getMap(MAP);
    }

    @Override
    public void load(Iterable<Price> prices) {
        List<Price> batch = new ArrayList<>();
        for (Price price : prices) {
            batch.add(price);
            if (batch.size() == BATCH) {
                update(batch);
                batch.clear();
            }
        }
        update(batch);
    }

    @Override
    public long search(SearchRequest request) {
        return answer(map.get(HazelcastPrice.join(request)));
    }

    private static long answer(@Nullable HazelcastPrice found) {
        return found == null ? 0 : SearchUnderTest.answer(1, found.number);
    }

    @Override
    public void searchEach(List<SearchRequest> requests, int inFlight, long[] answers) throws IOException {
        Deque<CompletableFuture<HazelcastPrice>> asked = new ArrayDeque<>();
        int next = 0;
        try {
            for (SearchRequest request : requests) {
                if (asked.size() == inFlight) {
                    answers[next++] = answer(asked.remove().join());
                }
                CompletionStage<HazelcastPrice> got = map.getAsync(HazelcastPrice.join(request));
                asked.add(got.toCompletableFuture());
            }
            while (!asked.isEmpty()) {
                answers[next++] = answer(asked.remove().join());
            }
        } catch (CompletionException e) {
            throw new IOException("a get failed", e.getCause());
        }
    }

    @Override
    public void searchAll(List<SearchRequest> requests, long[] answers) {
        List<String> keys = requests.stream().map(HazelcastPrice::join).toList();
        Map<String, HazelcastPrice> found = map.getAll(new HashSet<>(keys));
        for (int i = 0; i < answers.length; i++) {
            answers[i] = answer(found.get(keys.get(i)));
        }
    }

    @Override
    public void update(List<Price> prices) {
        Map<String, HazelcastPrice> batch = new HashMap<>();
        for (Price price : prices) {
            HazelcastPrice value = HazelcastPrice.of(price, fields, HazelcastPrice.Extra.NONE);
            batch.put(value.join(), value);
        }
        map.setAll(batch);
    }
}
