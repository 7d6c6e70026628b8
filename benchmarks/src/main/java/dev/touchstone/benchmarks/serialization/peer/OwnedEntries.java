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

/** Asks each member what its own entries of a map cost, by its own account: backups are left out. */
public final class OwnedEntries implements Callable<long[]>, IdentifiedDataSerializable, HazelcastInstanceAware {
    static final int CLASS = 3;

    private String map = "";
    private transient HazelcastInstance member;

    /** To be filled by {@link #readData}. */
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
        long entries = 0;
        long bytes = 0;
        try {
            for (Future<long[]> answer : answers.values()) {
                entries += answer.get()[0];
                bytes += answer.get()[1];
            }
        } catch (ExecutionException e) {
            throw new IOException("a member does not say what map " + map + " costs", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        return new Cost(entries, bytes);
    }

    @Override
    public long[] call() {
        LocalMapStats stats = member.getMap(map).getLocalMapStats();
        return new long[] {stats.getOwnedEntryCount(), stats.getOwnedEntryMemoryCost()};
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
        return OursPredicate.FACTORY;
    }

    @Override
    public int getClassId() {
        return CLASS;
    }

    /**
     * What the members' entries cost.
     *
     * @param entries owned by them
     * @param bytes of memory that they say their entries take
     */
    public record Cost(long entries, long bytes) {
        /** Bytes an entry, 0 where there is none. */
        public long bytesPerEntry() {
            return entries == 0 ? 0 : bytes / entries;
        }
    }
}
