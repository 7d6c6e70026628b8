package dev.touchstone.index.server;

import dev.touchstone.index.IndexException;
import dev.touchstone.index.hazelcast.Replica;
import dev.touchstone.index.price.PriceBatch;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.server.store.PriceStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A replica that keeps its prices in a store.
 *
 * @param store open store, which nobody else changes
 * @param isRecovered whether the store was there before this process
 */
record StoreReplica(PriceStore store, boolean isRecovered) implements Replica {
    @Override
    public PriceIndex index() {
        return store.index();
    }

    @Override
    public List<Outcome> apply(List<PriceBatch> batches) throws IOException {
        List<Outcome> outcomes = new ArrayList<>();
        for (PriceStore.Applied applied : store.updateAll(batches)) {
            RuntimeException refusal = applied.refusal();
            if (refusal != null && !(refusal instanceof IndexException)) {
                throw refusal; // a defect, which other replicas need not have
            }
            outcomes.add(new Outcome(applied.version(), (IndexException) refusal));
        }
        return outcomes;
    }

    @Override
    public void replace(PriceIndex next) throws IOException {
        store.replace(next);
    }
}
