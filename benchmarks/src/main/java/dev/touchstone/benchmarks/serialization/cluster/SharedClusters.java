package dev.touchstone.benchmarks.serialization.cluster;

import java.io.Closeable;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;

/** A cluster of each topology, started when it is first asked for, and ended with the JVM or before. Thread-safe. */
public final class SharedClusters implements Closeable {
    private static final int CLIENTS = 2;

    private final Map<Topology, Cluster> started = new EnumMap<>(Topology.class);
    private boolean ended;

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

    @Override
    public synchronized void close() {
        ended = true;
        started.values().forEach(Cluster::close);
        started.clear();
    }
}
