package dev.touchstone.index.hazelcast;

import dev.touchstone.index.IndexException;
import dev.touchstone.index.price.PriceBatch;
import dev.touchstone.index.price.PriceIndex;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The prices of one member of a {@link ReplicatedPriceIndex}: in memory, or wherever an implementation keeps them. Searches by any threads; changed by
 * one thread at a time, which is the only one that changes the index.
 */
public interface Replica {
    /**
     * The outcome of a batch.
     *
     * @param version version that the batch made; that of the index if the batch was refused
     * @param refusal reason why the index cannot have the batch, or null if it has
     */
    record Outcome(long version, @Nullable IndexException refusal) {}

    /**
     * The cluster and the term of prices. Of two replicas of a cluster, the one with the higher term has the updates that were acknowledged; if both have
     * the same term, the one with the higher version has them.
     *
     * @param cluster id of the cluster
     * @param term number of the cluster's term, which grows when members are lost, at least 0
     */
    record Lineage(UUID cluster, long term) {}

    /**
     * Returns the index that searches use.
     *
     * @return always the same index
     */
    PriceIndex index();

    /**
     * Applies batches in their order and publishes them. Each is applied or refused by the index alone, so that all replicas decide alike.
     *
     * @param batches batches, not null
     * @return outcomes in the order of the batches
     * @throws IOException if the replica cannot keep them; it takes no more batches then
     */
    List<Outcome> apply(List<PriceBatch> batches) throws IOException;

    /**
     * Takes over the prices and the version of another index.
     *
     * @param next index that shares the fields of {@link #index}
     * @throws IOException if the replica cannot keep them; it takes no more batches then
     */
    void replace(PriceIndex next) throws IOException;

    /**
     * Returns whether the prices are those that a replica had in an earlier process, so that they may be newer than those of other members.
     *
     * @return whether the prices were recovered, such as from a disk
     */
    boolean isRecovered();

    /**
     * Returns the cluster whose prices these are, and their term.
     *
     * @return lineage, or null as long as the prices are of no cluster
     */
    @Nullable
    Lineage lineage();

    /**
     * Notes of which cluster and term the prices are from now on.
     *
     * @param lineage cluster and term
     * @throws IOException if the replica cannot keep them; it takes no more batches then
     */
    void belongTo(Lineage lineage) throws IOException;

    /**
     * Returns the highest term that this replica has promised to a member.
     *
     * @return number of the term; -1 if there is none
     */
    long promised();

    /**
     * Notes that this replica has promised a term, and confirms nothing of earlier ones any more. A replica whose prices outlast its process keeps the promise as
     * long as they last: another side of a cluster may have begun the term by it.
     *
     * @param term number of the term, more than {@link #promised}
     * @throws IOException if the replica cannot keep it; it takes no more batches then
     */
    void promise(long term) throws IOException;

    /**
     * Returns a replica that lasts as long as the process.
     *
     * @param index index, which only the replica changes from now on
     * @return a new replica
     */
    static Replica inMemory(PriceIndex index) {
        return new MemoryReplica(index);
    }
}
