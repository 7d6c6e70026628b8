package dev.touchstone.benchmarks.serialization.cluster;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** Places of a cluster's members, by the value of the parameter {@code topology}. */
public enum Topology {
    /** A single member in the benchmark's JVM, which also makes the calls. */
    EMBEDDED,
    /** Members in JVMs of their own on this machine, and clients; or those that {@link #MEMBERS_PROPERTY} names. */
    MEMBERS;

    /** The map of which clients, and the member of {@link #EMBEDDED}, have a near cache; all other maps have none. */
    public static final String NEAR_CACHED_MAP = "records-near-cached";

    /** System property with the members of a cluster that runs already, {@code host:port,host:port}: each a {@link MemberMain}. */
    public static final String MEMBERS_PROPERTY = "touchstone.hazelcast.members";

    private static final int OWN_MEMBERS = 2;

    /**
     * Starts what must be started and connects.
     *
     * @param clients how many connect; 1 where the member itself is asked
     */
    public Cluster open(int clients) throws IOException {
        if (clients < 1 || (this == EMBEDDED && clients > 1)) {
            throw new IllegalArgumentException(
                    "expected clients=" + (this == EMBEDDED ? "1" : "1 or more") + " of " + this + ", got " + clients);
        }
        if (this == EMBEDDED) {
            HazelcastInstance member =
                    Hazelcast.newHazelcastInstance(HazelcastConfigs.withNearCache(HazelcastConfigs.member(
                            HazelcastConfigs.newClusterName(),
                            HazelcastConfigs.LOOPBACK,
                            HazelcastConfigs.ANY_PORT,
                            List.of())));
            return new Cluster(List.of(member), List.of());
        }
        String outside = System.getProperty(MEMBERS_PROPERTY, "");
        if (!outside.isEmpty()) {
            return clients(clients, HazelcastConfigs.OUTSIDE_CLUSTER, List.of(outside.split(",", -1)), List.of());
        }
        return ownMembers(clients, HazelcastConfigs.newClusterName());
    }

    /** Connects a client to a member of this JVM. */
    static HazelcastInstance clientOf(HazelcastInstance member) {
        InetSocketAddress address =
                (InetSocketAddress) member.getLocalEndpoint().getSocketAddress();
        String text = address.getAddress().getHostAddress() + ":" + address.getPort();
        return HazelcastClient.newHazelcastClient(
                HazelcastConfigs.client(member.getConfig().getClusterName(), List.of(text)));
    }

    private static Cluster ownMembers(int clients, String clusterName) throws IOException {
        List<MemberProcess> members = new ArrayList<>();
        List<String> addresses = new ArrayList<>();
        try {
            while (members.size() < OWN_MEMBERS) {
                MemberProcess member = MemberProcess.start(clusterName, addresses);
                members.add(member);
                addresses.add(member.address());
            }
            return clients(clients, clusterName, addresses, members);
        } catch (IOException | RuntimeException e) {
            members.forEach(MemberProcess::close);
            throw e;
        }
    }

    private static Cluster clients(int count, String clusterName, List<String> addresses, List<MemberProcess> members) {
        List<HazelcastInstance> clients = new ArrayList<>();
        try {
            while (clients.size() < count) {
                clients.add(HazelcastClient.newHazelcastClient(HazelcastConfigs.client(clusterName, addresses)));
            }
        } catch (RuntimeException e) {
            clients.forEach(client -> client.getLifecycleService().terminate());
            throw e;
        }
        return new Cluster(clients, members);
    }
}
