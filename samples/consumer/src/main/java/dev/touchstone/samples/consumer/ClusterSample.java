package dev.touchstone.samples.consumer;

import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import dev.touchstone.index.Price;
import dev.touchstone.index.hazelcast.Replica;
import dev.touchstone.index.hazelcast.ReplicaOptions;
import dev.touchstone.index.hazelcast.ReplicatedPriceIndex;
import dev.touchstone.index.price.PriceBatch;
import dev.touchstone.index.price.PriceIndex;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Replicates a price index over a cluster of one member, and finds a price that was written through the cluster. */
final class ClusterSample implements Sample {
    @Override
    public void run(Path folder) throws Exception {
        ReplicaOptions options = ReplicaOptions.of("prices", 1);
        HazelcastInstance member =
                Hazelcast.newHazelcastInstance(ReplicatedPriceIndex.configure(HazelcastSample.alone(), options));
        PriceIndex prices = PriceIndex.builder().string("region").build(List.of());
        try (ReplicatedPriceIndex index = ReplicatedPriceIndex.open(member, Replica.inMemory(prices), options)) {
            Sample.check(true, index.awaitLive(Duration.ofMinutes(1)));
            Price price = Price.of("list", "fibre", Map.of("region", "north"), new BigDecimal("49.90"));
            Sample.check(2L, index.update(new PriceBatch().put(price)));
            Sample.check(List.of(price), index.index().prices("fibre"));
        } finally {
            member.getLifecycleService().terminate();
        }
    }
}
