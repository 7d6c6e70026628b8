package dev.touchstone.index.hazelcast.shard;

import com.hazelcast.cluster.Member;
import com.hazelcast.partition.Partition;
import com.hazelcast.partition.PartitionService;
import org.jspecify.annotations.Nullable;

/**
 * The partitions of this member. Thread-safe.
 *
 * <p>Hazelcast aggregates over several partitions of a member on the thread of the caller, but over a single one on the thread of the partition, which
 * makes one search take five times as long: so a key of a second partition is put beside the one that is asked for.
 */
public final class OwnPartitions {
    private final PartitionService partitions;
    private volatile String @Nullable [] keys; // one of each partition

    /**
     * Creates the partitions of a member, or of a client, which has none.
     *
     * @param partitions partitions of all members
     */
    public OwnPartitions(PartitionService partitions) {
        this.partitions = partitions;
    }

    /**
     * Returns a key of another partition of this member.
     *
     * @param key key that is asked for
     * @return another key, or null if this member has not the partition of the given one, or only that one
     */
    public @Nullable String companion(String key) {
        Partition own = partitions.getPartition(key);
        if (!isOwn(own)) {
            return null;
        }
        String[] all = keys();
        for (int i = 1; i < all.length; i++) {
            String other = all[(own.getPartitionId() + i) % all.length];
            if (isOwn(partitions.getPartition(other))) {
                return other;
            }
        }
        return null;
    }

    private static boolean isOwn(Partition partition) {
        Member owner = partition.getOwner();
        return owner != null && owner.localMember();
    }

    private String[] keys() {
        String[] known = keys;
        if (known == null) {
            known = new String[partitions.getPartitions().size()];
            int missing = known.length;
            for (int i = 0; missing > 0; i++) {
                String key = Integer.toString(i);
                int partition = partitions.getPartition(key).getPartitionId();
                if (known[partition] == null) {
                    known[partition] = key;
                    missing--;
                }
            }
            keys = known;
        }
        return known;
    }
}
