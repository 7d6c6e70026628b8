package dev.touchstone.index.hazelcast;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.config.Config;
import com.hazelcast.config.NetworkConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Members and clients in this JVM that talk on 127.0.0.1 only, and end with it. Each has a schema of its own. */
final class ShardedCluster implements AutoCloseable {
    static final String INDEX = "prices";

    private static final String HOST = "127.0.0.1";
    private static final int PARTITIONS = 31;

    private final String name = "touchstone-" + UUID.randomUUID();
    private final List<Integer> ports;
    private final List<HazelcastInstance> started = new ArrayList<>();

    /** With free ports for some members. */
    ShardedCluster(int members) {
        ports = freePorts(members);
    }

    private static List<Integer> freePorts(int count) {
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            List<Integer> free =
                    sockets.stream().map(ServerSocket::getLocalPort).toList();
            for (ServerSocket socket : sockets) {
                socket.close();
            }
            return free;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The configuration of the member with a port, which knows those with some ports only. */
    Config memberConfig(int number, List<Integer> known, int nearCacheOfferings) {
        Config config = new Config().setClusterName(name);
        config.setProperty("hazelcast.phone.home.enabled", "false");
        config.setProperty("hazelcast.logging.type", "none");
        config.setProperty("hazelcast.shutdownhook.enabled", "false");
        config.setProperty("hazelcast.wait.seconds.before.join", "0");
        config.setProperty("hazelcast.partition.count", String.valueOf(PARTITIONS));
        config.setProperty("hazelcast.operation.thread.count", "2");
        config.getMetricsConfig().setEnabled(false);
        config.getJetConfig().setEnabled(false);
        NetworkConfig network = config.getNetworkConfig();
        network.setPort(ports.get(number)).setPortAutoIncrement(false).setReuseAddress(true);
        network.getInterfaces().setEnabled(true).addInterface(HOST);
        network.getJoin().getAutoDetectionConfig().setEnabled(false);
        network.getJoin().getMulticastConfig().setEnabled(false);
        network.getJoin().getTcpIpConfig().setEnabled(true);
        known.forEach(other -> tell(config, other));
        return ShardedPriceIndex.configure(config, INDEX, ShardedPrices.schema(), nearCacheOfferings);
    }

    /** Tells a member of another one. */
    static void tell(Config config, int port) {
        config.getNetworkConfig().getJoin().getTcpIpConfig().addMember(HOST + ":" + port);
    }

    int port(int number) {
        return ports.get(number);
    }

    HazelcastInstance member(int number) {
        return member(memberConfig(number, ports, 0));
    }

    HazelcastInstance member(Config config) {
        HazelcastInstance member = Hazelcast.newHazelcastInstance(config);
        started.add(member);
        return member;
    }

    ClientConfig clientConfig(int nearCacheOfferings) {
        ClientConfig config = new ClientConfig().setClusterName(name);
        config.setProperty("hazelcast.logging.type", "none");
        config.setProperty("hazelcast.client.shutdown.hook.enabled", "false");
        config.getMetricsConfig().setEnabled(false);
        config.getNetworkConfig().getAutoDetectionConfig().setEnabled(false);
        // one that was sent by a member to which there is no connection yet is waited for in vain for 5 s
        config.setBackupAckToClientEnabled(false);
        ports.forEach(port -> config.getNetworkConfig().addAddress(HOST + ":" + port));
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
        started.add(client);
        return client;
    }

    static ShardedPriceIndex index(HazelcastInstance instance) {
        return ShardedPriceIndex.of(instance, INDEX);
    }

    @Override
    public void close() {
        for (int i = started.size() - 1; i >= 0; i--) {
            started.get(i).getLifecycleService().terminate();
        }
        started.clear();
    }
}
