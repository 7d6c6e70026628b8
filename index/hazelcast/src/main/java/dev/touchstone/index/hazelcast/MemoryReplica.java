package dev.touchstone.index.hazelcast;

import dev.touchstone.index.IndexException;
import dev.touchstone.index.price.PriceBatch;
import dev.touchstone.index.price.PriceIndex;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A replica that lasts as long as the process. */
final class MemoryReplica implements Replica {
    private final PriceIndex index;
    private volatile @Nullable Lineage lineage;
    private volatile long promised = -1;

    MemoryReplica(PriceIndex index) {
        this.index = index;
    }

    @Override
    public PriceIndex index() {
        return index;
    }

    @Override
    public List<Outcome> apply(List<PriceBatch> batches) {
        List<Outcome> outcomes = new ArrayList<>();
        PriceIndex next;
        try {
            next = index.after(batches);
            long version = index.version();
            for (PriceBatch unused : batches) {
                version++;
                outcomes.add(new Outcome(version, null));
            }
        } catch (IndexException e) { // the index refuses one of them
            next = applyEach(batches, outcomes);
        }
        if (next.version() > index.version()) {
            index.publish(next);
        }
        return outcomes;
    }

    private PriceIndex applyEach(List<PriceBatch> batches, List<Outcome> outcomes) {
        PriceIndex next = index.copy();
        for (PriceBatch batch : batches) {
            try {
                next = next.after(batch);
                outcomes.add(new Outcome(next.version(), null));
            } catch (IndexException e) {
                outcomes.add(new Outcome(next.version(), e));
            }
        }
        return next;
    }

    @Override
    public void replace(PriceIndex next) {
        index.replace(next);
    }

    @Override
    public boolean isRecovered() {
        return false;
    }

    @Override
    public @Nullable Lineage lineage() {
        return lineage;
    }

    @Override
    public void belongTo(Lineage next) {
        lineage = next;
    }

    @Override
    public long promised() {
        return promised;
    }

    @Override
    public void promise(long term) {
        promised = term;
    }
}
