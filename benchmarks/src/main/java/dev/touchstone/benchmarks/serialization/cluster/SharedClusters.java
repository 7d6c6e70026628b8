package dev.touchstone.benchmarks.serialization.cluster;

import com.hazelcast.core.HazelcastInstance;
import java.io.Closeable;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A cluster of each topology, started when it is first asked for, and ended with the JVM or before. Thread-safe. */
public final class SharedClusters implements Closeable {
    private static final int CLIENTS = 2;

    private final Map<Topology, Cluster> started = new EnumMap<>(Topology.class);
    private boolean ended;
    private @Nullable HazelcastInstance observer; // of the embedded member

    /** The topology's cluster, not to be closed by who asks. */
    public synchronized Cluster of(Topology topology) throws IOException {
        if (ended) {
            throw new IOException("no cluster: this JVM ends");
        }
        Cluster cluster = started.get(topology);
        if (cluster == null) {
            if (started.isEmpty()) {
                Runtime.getRuntime().addShutdownHook(new Thread(this::close, "clusters-end"));
            }
            cluster = topology.open(topology == Topology.EMBEDDED ? 1 : CLIENTS);
            started.put(topology, cluster);
        }
        return cluster;
    }

    /** Returns a client of the topology's cluster that no benchmark uses, not to be closed by who asks. */
    public synchronized HazelcastInstance observer(Topology topology) throws IOException {
        List<HazelcastInstance> clients = of(topology).clients();
        if (clients.size() == CLIENTS) {
            return clients.get(CLIENTS - 1);
        }
        HazelcastInstance client = observer;
        if (client == null) {
            client = Topology.clientOf(clients.get(0));
            observer = client;
        }
        return client;
    }

    @Override
    public synchronized void close() {
        ended = true;
        if (observer != null) {
            observer.getLifecycleService().terminate();
        }
        started.values().forEach(Cluster::close);
        started.clear();
    }
}
