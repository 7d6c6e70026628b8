package dev.touchstone.index.hazelcast;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.spi.merge.MergingValue;
import com.hazelcast.spi.merge.SplitBrainMergePolicy;
import dev.touchstone.index.hazelcast.shard.OfferingShard;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.price.SnapshotFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The policy by which two sides of a split cluster merge the offerings of a {@link ShardedPriceIndex}: the side with the higher version of an offering
 * wins, with all prices of that offering. At the same version, the bytes of the prices decide, so that the result does not depend on which side joins the
 * other. {@link ShardedPriceIndex#configure} sets this policy.
 */
public final class ShardMergePolicy implements SplitBrainMergePolicy<Object, MergingValue<Object>, Object> {
    /** Creates a policy. */
    public ShardMergePolicy() {}

    @Override
    public Object merge(MergingValue<Object> merging, @Nullable MergingValue<Object> existing) {
        return existing == null || isPreferred(merging.getDeserializedValue(), existing.getDeserializedValue())
                ? merging.getRawValue()
                : existing.getRawValue();
    }

    private static boolean isPreferred(Object one, Object other) {
        if (one instanceof OfferingShard left && other instanceof OfferingShard right) {
            int order = Long.compare(left.index().version(), right.index().version());
            return (order == 0 ? Arrays.compareUnsigned(bytes(left.index()), bytes(right.index())) : order) > 0;
        }
        return one instanceof Long left && other instanceof Long right && left > right; // of the counter of offerings
    }

    private static byte[] bytes(PriceIndex index) {
        try {
            return new SnapshotFormat(index).encode(index);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void writeData(ObjectDataOutput out) {
        // has no state
    }

    @Override
    public void readData(ObjectDataInput in) {
        // has no state
    }
}
