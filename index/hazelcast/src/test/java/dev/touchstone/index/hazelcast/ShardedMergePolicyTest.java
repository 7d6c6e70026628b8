package dev.touchstone.index.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.spi.merge.MergingValue;
import dev.touchstone.index.Price;
import dev.touchstone.index.hazelcast.shard.OfferingShard;
import dev.touchstone.index.hazelcast.shard.ShardFormat;
import dev.touchstone.index.hazelcast.shard.ShardSchemas;
import dev.touchstone.index.hazelcast.shard.ShardUpdate;
import dev.touchstone.index.price.PriceBatch;
import java.math.BigDecimal;
import java.util.AbstractMap.SimpleEntry;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The policy alone: whichever side is asked, the same value stays. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway") // a map entry without a value is one that does not exist
class ShardedMergePolicyTest {
    private final ShardSchemas schemas = new ShardSchemas();
    private final ShardFormat format;
    private final ShardMergePolicy policy = new ShardMergePolicy();

    ShardedMergePolicyTest() {
        schemas.add("prices", ShardedPrices.schema(), false);
        format = Objects.requireNonNull(schemas.find("prices"));
    }

    /** A value of one side. */
    private record Value(Object value) implements MergingValue<Object> {
        @Override
        public Object getDeserializedValue() {
            return value;
        }

        @Override
        public Object getRawValue() {
            return value;
        }
    }

    private OfferingShard shard(int versions, String id, long value) {
        SimpleEntry<String, OfferingShard> entry = new SimpleEntry<>("o", null);
        for (int i = 0; i < versions; i++) {
            PriceBatch batch = new PriceBatch().put(Price.of(id, "o", Map.of(), BigDecimal.valueOf(value)));
            new ShardUpdate(
                            schemas,
                            "prices",
                            new UUID(value, i),
                            1,
                            format.batches().encode(2, batch))
                    .process(entry);
        }
        return entry.getValue();
    }

    private void assertWins(Object winner, Object loser) {
        assertThat(policy.merge(new Value(winner), new Value(loser))).isSameAs(winner);
        assertThat(policy.merge(new Value(loser), new Value(winner))).isSameAs(winner);
    }

    @Test
    void merge_keepsTheHigherVersion() {
        assertWins(shard(3, "a", 1), shard(2, "a", 9));
        assertWins(shard(2, "b", 9), shard(1, "z", 1));
        assertWins(5_000_000_000L, 4_000_000_000L);
        OfferingShard only = shard(1, "a", 1);
        assertThat(policy.merge(new Value(only), null)).isSameAs(only);
    }

    @Test
    void merge_ofOneVersion_dependsOnThePricesOnly() {
        for (int i = 0; i < 50; i++) {
            OfferingShard one = shard(2, "a", i);
            OfferingShard other = shard(2, "a", i + 1);
            Object kept = policy.merge(new Value(one), new Value(other));
            assertThat(policy.merge(new Value(other), new Value(one))).isSameAs(kept);
            assertThat(policy.merge(new Value(shard(2, "a", i)), new Value(one)))
                    .isSameAs(one);
        }
    }
}
