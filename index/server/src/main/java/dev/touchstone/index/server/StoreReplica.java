package dev.touchstone.index.server;

import dev.touchstone.index.IndexException;
import dev.touchstone.index.hazelcast.Replica;
import dev.touchstone.index.price.PriceBatch;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.server.store.ClusterFile;
import dev.touchstone.index.server.store.PriceStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A replica that keeps its prices, and the lineage of those, in a store. */
final class StoreReplica implements Replica {
    private final PriceStore store;
    private final boolean isRecovered;
    private final ClusterFile file;
    private volatile @Nullable Lineage lineage;
    private volatile long promised = -1;

    /**
     * Creates the replica of a store.
     *
     * @param store open store, which nobody else changes
     * @param isRecovered whether the store was there before this process
     * @param file file of the store that names its cluster and term
     * @throws IOException if the file cannot be read
     */
    StoreReplica(PriceStore store, boolean isRecovered, ClusterFile file) throws IOException {
        this.store = store;
        this.isRecovered = isRecovered;
        this.file = file;
        ClusterFile.Content content = file.read();
        if (content != null) {
            lineage = new Lineage(content.cluster(), content.term());
            promised = content.promised();
        }
    }

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

    @Override
    public boolean isRecovered() {
        return isRecovered;
    }

    @Override
    public @Nullable Lineage lineage() {
        return lineage;
    }

    @Override
    public void belongTo(Lineage next) throws IOException {
        if (!next.equals(lineage)) {
            write(next, promised);
            lineage = next;
        }
    }

    @Override
    public long promised() {
        return promised;
    }

    @Override
    public void promise(long term) throws IOException {
        Lineage own = lineage;
        if (own != null) { // a store of no cluster has confirmed nothing that another term could take back
            write(own, term);
        }
        promised = term;
    }

    private void write(Lineage own, long promise) throws IOException {
        file.write(new ClusterFile.Content(own.cluster(), own.term(), Math.max(own.term(), promise)));
    }
}
