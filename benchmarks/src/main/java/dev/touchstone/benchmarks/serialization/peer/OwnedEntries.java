package dev.touchstone.benchmarks.serialization.peer;

import com.hazelcast.cluster.Member;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.map.LocalMapStats;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** Asks each member what its own entries of a map cost, by its own account and in its heap: backups are left out. */
public final class OwnedEntries implements Callable<long[]>, IdentifiedDataSerializable, HazelcastInstanceAware {
    static final int CLASS = 3;

    private static final int COUNT = 0;
    private static final int BYTES = 1;
    private static final int HEAP_BYTES = 2;

    private String map = "";
    private transient HazelcastInstance member;

    /** Creates an empty task; {@link #readData} fills it. */
    @SuppressWarnings("NullAway.Init") // set where it runs
    OwnedEntries() {}

    @SuppressWarnings("NullAway.Init")
    private OwnedEntries(String map) {
        this.map = map;
    }

    /** The cost of a map's entries, summed over the members. */
    public static Cost cost(HazelcastInstance hazelcast, String map) throws IOException {
        Map<Member, Future<long[]>> answers =
                hazelcast.getExecutorService("cost").submitToAllMembers(new OwnedEntries(map));
        Cost sum = Cost.NONE;
        try {
            for (Future<long[]> answer : answers.values()) {
                long[] cost = answer.get();
                sum = sum.plus(new Cost(cost[COUNT], cost[BYTES], cost[HEAP_BYTES]));
            }
        } catch (ExecutionException e) {
            throw new IOException("a member does not say what map " + map + " costs", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        return sum;
    }

    @Override
    public long[] call() {
        LocalMapStats stats = member.getMap(map).getLocalMapStats();
        return new long[] {
            stats.getOwnedEntryCount(), stats.getOwnedEntryMemoryCost(), EntryHeap.ownedBytes(member, map)
        };
    }

    @Override
    public void setHazelcastInstance(HazelcastInstance hazelcast) {
        member = hazelcast;
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
        out.writeString(map);
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        map = Objects.requireNonNull(in.readString());
    }

    @Override
    public int getFactoryId() {
        return HazelcastSerialization.BENCHMARK_FACTORY;
    }

    @Override
    public int getClassId() {
        return CLASS;
    }

    /**
     * The cost of the members' entries.
     *
     * @param entries owned by them
     * @param bytes of memory that they say their entries take
     * @param heapBytes that these really take
     */
    public record Cost(long entries, long bytes, long heapBytes) {
        /** The cost of no entry. */
        public static final Cost NONE = new Cost(0, 0, 0);

        /** Bytes an entry by the members' account, 0 where there is none. */
        public long bytesPerEntry() {
            return entries == 0 ? 0 : bytes / entries;
        }

        /** Bytes an entry in the heap, 0 where there is none. */
        public long heapBytesPerEntry() {
            return entries == 0 ? 0 : heapBytes / entries;
        }

        private Cost plus(Cost other) {
            return new Cost(entries + other.entries, bytes + other.bytes, heapBytes + other.heapBytes);
        }
    }
}
