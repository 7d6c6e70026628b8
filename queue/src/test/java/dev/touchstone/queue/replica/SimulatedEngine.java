package dev.touchstone.queue.replica;

import dev.touchstone.queue.replication.GroupOptions;
import dev.touchstone.queue.replication.ReplicatedMachine;
import dev.touchstone.queue.replication.ReplicationEngine;
import dev.touchstone.queue.replication.ReplicationGroup;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Carries entries between members of this process, and loses, delays and repeats proposals as networks and leaders do. */
public final class SimulatedEngine implements ReplicationEngine {
    private static final Map<String, SimulatedCluster> CLUSTERS = new ConcurrentHashMap<>();

    /** Returns the cluster of a member; one without members is alone, and found again by its folder. */
    static SimulatedCluster cluster(GroupOptions options) {
        String key = options.members().isEmpty() ? options.folder().toString() : String.join(" ", options.members());
        return CLUSTERS.computeIfAbsent(key, name -> new SimulatedCluster());
    }

    @Override
    public ReplicationGroup start(GroupOptions options, ReplicatedMachine machine) throws IOException {
        return cluster(options).join(options, machine);
    }
}
