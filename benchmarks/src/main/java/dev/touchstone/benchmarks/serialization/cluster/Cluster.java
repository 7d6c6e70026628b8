package dev.touchstone.benchmarks.serialization.cluster;

import com.hazelcast.core.HazelcastInstance;
import java.io.Closeable;
import java.util.List;

/** A cluster that a benchmark uses, and the way to it. Ends what was started for it, and nothing else. */
public final class Cluster implements Closeable {
    private final HazelcastInstance hazelcast;
    private final List<MemberProcess> members;

    Cluster(HazelcastInstance hazelcast, List<MemberProcess> members) {
        this.hazelcast = hazelcast;
        this.members = members;
    }

    /** The member of this JVM, or the client. */
    public HazelcastInstance hazelcast() {
        return hazelcast;
    }

    @Override
    public void close() {
        hazelcast.getLifecycleService().terminate();
        members.forEach(MemberProcess::close);
    }
}
