package dev.touchstone.index.hazelcast;

import dev.touchstone.index.price.PriceBatch;
import dev.touchstone.index.price.PriceIndex;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** A replica that can be held up, made to fail, or said to have been recovered. */
final class SlowReplica implements Replica {
    private final Replica replica;
    private final boolean isRecovered;
    final CountDownLatch mayApply = new CountDownLatch(1);
    volatile boolean isBroken;
    volatile boolean isLineageBroken;

    SlowReplica() {
        this(Replica.inMemory(RandomBatches.empty()), false);
    }

    private SlowReplica(Replica replica, boolean isRecovered) {
        this.replica = replica;
        this.isRecovered = isRecovered;
    }

    /** Returns a replica with prices of an earlier process, which are those of a cluster. */
    static SlowReplica recovered(PriceIndex index, @Nullable Lineage lineage) throws IOException {
        SlowReplica replica = new SlowReplica(Replica.inMemory(index), true);
        if (lineage != null) {
            replica.belongTo(lineage);
        }
        replica.mayApply.countDown();
        return replica;
    }

    @Override
    public PriceIndex index() {
        return replica.index();
    }

    @Override
    public List<Outcome> apply(List<PriceBatch> batches) throws IOException {
        if (isBroken) {
            throw new IOException("disk is full");
        }
        try {
            mayApply.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        return replica.apply(batches);
    }

    @Override
    public void replace(PriceIndex next) throws IOException {
        replica.replace(next);
    }

    @Override
    public boolean isRecovered() {
        return isRecovered;
    }

    @Override
    public @Nullable Lineage lineage() {
        return replica.lineage();
    }

    @Override
    public void belongTo(Lineage next) throws IOException {
        if (isLineageBroken) {
            throw new IOException("disk is full");
        }
        replica.belongTo(next);
    }

    @Override
    public long promised() {
        return replica.promised();
    }

    @Override
    public void promise(long term) throws IOException {
        if (isBroken) {
            throw new IOException("disk is full");
        }
        replica.promise(term);
    }
}
