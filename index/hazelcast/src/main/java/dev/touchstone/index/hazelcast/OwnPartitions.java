package dev.touchstone.index.hazelcast;

import com.hazelcast.cluster.Member;
import com.hazelcast.partition.Partition;
import com.hazelcast.partition.PartitionService;
import org.jspecify.annotations.Nullable;

/**
 * The partitions of this member. Thread-safe.
 *
 * <p>Hazelcast aggregates over several partitions of a member on the thread of the caller, but over a single one on the thread of the partition, which
 * takes three times as long for one search: so a key of a second partition is put beside the one that is asked for.
 */
final class OwnPartitions {
    private final PartitionService partitions;
    private volatile String @Nullable [] keys; // one of each partition

    OwnPartitions(PartitionService partitions) {
        this.partitions = partitions;
    }

    /** Returns a key of another partition of this member; null if it has not that of the given key, or only that one. */
    @Nullable
    String companion(String key) {
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
