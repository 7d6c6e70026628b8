package dev.touchstone.benchmarks.serialization.cluster;

import com.hazelcast.core.HazelcastInstance;
import java.io.Closeable;
import java.util.List;

/** A cluster that a benchmark uses, and the ways to it. Ends what was started for it, and nothing else. */
public final class Cluster implements Closeable {
    private final List<HazelcastInstance> clients;
    private final List<MemberProcess> members;

    Cluster(List<HazelcastInstance> clients, List<MemberProcess> members) {
        this.clients = List.copyOf(clients);
        this.members = members;
    }

    /** The member of this JVM, or the clients: at least one. */
    public List<HazelcastInstance> clients() {
        return clients;
    }

    /** The member of this JVM, or the first client. */
    public HazelcastInstance hazelcast() {
        return clients.get(0);
    }

    @Override
    public void close() {
        clients.forEach(client -> client.getLifecycleService().terminate());
        members.forEach(MemberProcess::close);
    }
}
