package dev.touchstone.benchmarks.serialization.cluster;

import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.config.NearCacheConfig;
import com.hazelcast.config.NetworkConfig;
import dev.touchstone.benchmarks.serialization.peer.HazelcastSerialization;
import java.util.List;
import java.util.UUID;

/**
 * The configurations of members and clients: Hazelcast's defaults, except that they stay on the addresses they are given and tell nobody of
 * themselves. Near caches have the defaults too, which keep values as bytes.
 */
public final class HazelcastConfigs {
    public static final String LOOPBACK = "127.0.0.1";
    public static final int ANY_PORT = 0;
    static final String OUTSIDE_CLUSTER = "touchstone";

    private static final int CONNECT_MILLIS = 30_000;

    private HazelcastConfigs() {}

    /** A name that no other cluster on this machine has. */
    public static String newClusterName() {
        return OUTSIDE_CLUSTER + "-" + UUID.randomUUID();
    }

    /**
     * Returns the configuration of a member that holds records, and answers SQL.
     *
     * @param members addresses of running members, {@code host:port}
     */
    static Config member(String clusterName, String host, int port, List<String> members) {
        Config config = withoutRecords(clusterName, host, port, members);
        config.getJetConfig().setEnabled(true); // SQL runs on it
        HazelcastSerialization.configure(config.getSerializationConfig());
        return config;
    }

    /**
     * Returns the configuration of a member that knows none of the records.
     *
     * @param members addresses of running members, {@code host:port}
     */
    public static Config withoutRecords(String clusterName, String host, int port, List<String> members) {
        Config config = new Config();
        config.setClusterName(clusterName);
        config.setProperty("hazelcast.phone.home.enabled", "false");
        config.setProperty("hazelcast.logging.type", "none");
        config.setProperty("hazelcast.socket.bind.any", "false");
        NetworkConfig network = config.getNetworkConfig();
        network.setPort(port).setPortAutoIncrement(false);
        network.getInterfaces().setEnabled(true).addInterface(host);
        JoinConfig join = network.getJoin();
        join.getAutoDetectionConfig().setEnabled(false);
        join.getMulticastConfig().setEnabled(false);
        join.getTcpIpConfig().setEnabled(true).setMembers(members);
        return config;
    }

    /** Adds a near cache to a member that is asked itself; it also holds the member's own entries. */
    static Config withNearCache(Config member) {
        member.getMapConfig(Topology.NEAR_CACHED_MAP)
                .setNearCacheConfig(new NearCacheConfig().setCacheLocalEntries(true));
        return member;
    }

    static ClientConfig client(String clusterName, List<String> members) {
        ClientConfig config = withoutRecords(clusterName, members);
        config.addNearCacheConfig(new NearCacheConfig(Topology.NEAR_CACHED_MAP));
        HazelcastSerialization.configure(config.getSerializationConfig());
        return config;
    }

    /**
     * Returns the configuration of a client that knows none of the records.
     *
     * @param members addresses of running members, {@code host:port}
     */
    public static ClientConfig withoutRecords(String clusterName, List<String> members) {
        ClientConfig config = new ClientConfig();
        config.setClusterName(clusterName);
        config.setProperty("hazelcast.logging.type", "none");
        config.getNetworkConfig().setAddresses(members);
        config.getConnectionStrategyConfig().getConnectionRetryConfig().setClusterConnectTimeoutMillis(CONNECT_MILLIS);
        return config;
    }
}
