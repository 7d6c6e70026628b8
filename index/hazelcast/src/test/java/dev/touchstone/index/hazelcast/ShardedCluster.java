package dev.touchstone.index.hazelcast;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** A {@link Cluster} of members and clients with a sharded index. Each has a schema of its own. */
final class ShardedCluster implements AutoCloseable {
    static final String INDEX = "prices";

    private final Cluster cluster;
    private final List<HazelcastInstance> clients = new ArrayList<>();

    /** Creates a cluster of up to so many members. */
    ShardedCluster(int members) {
        cluster = new Cluster(members, UnaryOperator.identity());
    }

    /** Returns the configuration of a member that knows of the members with some ports only. */
    Config memberConfig(int number, List<Integer> known, int nearCacheOfferings) {
        return ShardedPriceIndex.configure(
                cluster.config(number, known), INDEX, ShardedPrices.schema(), nearCacheOfferings);
    }

    /** Tells a member of another one. */
    static void tell(Config config, int port) {
        config.getNetworkConfig().getJoin().getTcpIpConfig().addMember(Cluster.HOST + ":" + port);
    }

    int port(int number) {
        return cluster.ports.get(number);
    }

    HazelcastInstance member(int number) {
        return member(memberConfig(number, cluster.ports, 0));
    }

    HazelcastInstance member(Config config) {
        return cluster.start(config);
    }

    ClientConfig clientConfig(int nearCacheOfferings) {
        ClientConfig config = new ClientConfig().setClusterName(cluster.name);
        config.setProperty("hazelcast.logging.type", "none");
        config.setProperty("hazelcast.client.shutdown.hook.enabled", "false");
        config.getMetricsConfig().setEnabled(false);
        config.getNetworkConfig().getAutoDetectionConfig().setEnabled(false);
        // one that was sent by a member to which there is no connection yet is waited for in vain for 5 s
        config.setBackupAckToClientEnabled(false);
        cluster.ports.forEach(port -> config.getNetworkConfig().addAddress(Cluster.HOST + ":" + port));
        config.getConnectionStrategyConfig()
                .getConnectionRetryConfig()
                .setInitialBackoffMillis(100)
                .setMaxBackoffMillis(500)
                .setClusterConnectTimeoutMillis(60_000);
        return ShardedPriceIndex.configure(config, INDEX, ShardedPrices.schema(), nearCacheOfferings);
    }

    HazelcastInstance client(int nearCacheOfferings) {
        return client(clientConfig(nearCacheOfferings));
    }

    HazelcastInstance client(ClientConfig config) {
        HazelcastInstance client = HazelcastClient.newHazelcastClient(config);
        clients.add(client);
        return client;
    }

    static ShardedPriceIndex index(HazelcastInstance instance) {
        return ShardedPriceIndex.of(instance, INDEX);
    }

    @Override
    public void close() {
        clients.forEach(client -> client.getLifecycleService().terminate());
        cluster.close();
    }
}
