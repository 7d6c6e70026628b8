package dev.touchstone.serialization.hazelcast;

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
import java.util.Map;
import java.util.UUID;

/** Members and clients in this JVM that talk on 127.0.0.1 only, and end with it. */
final class Cluster implements AutoCloseable {
    static final String HOST = "127.0.0.1";

    final String name = "touchstone-" + UUID.randomUUID();
    private final List<HazelcastInstance> started = new ArrayList<>();

    /** Ports on which nobody listens. */
    static List<Integer> freePorts(int count) {
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            List<Integer> ports =
                    sockets.stream().map(ServerSocket::getLocalPort).toList();
            for (ServerSocket socket : sockets) {
                socket.close();
            }
            return ports;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What a member with a port is told, which knows of those with other ports. */
    static Config memberConfig(String name, int port, List<Integer> ports) {
        Config config = new Config().setClusterName(name);
        config.setProperty("hazelcast.phone.home.enabled", "false");
        config.setProperty("hazelcast.logging.type", "none");
        config.setProperty("hazelcast.shutdownhook.enabled", "false");
        config.setProperty("hazelcast.wait.seconds.before.join", "0");
        config.setProperty("hazelcast.partition.count", "31");
        config.setProperty("hazelcast.operation.thread.count", "2");
        config.getMetricsConfig().setEnabled(false);
        NetworkConfig network = config.getNetworkConfig();
        network.setPort(port).setPortAutoIncrement(false).setReuseAddress(true);
        network.getInterfaces().setEnabled(true).addInterface(HOST);
        network.getJoin().getAutoDetectionConfig().setEnabled(false);
        network.getJoin().getMulticastConfig().setEnabled(false);
        network.getJoin().getTcpIpConfig().setEnabled(true);
        ports.forEach(other -> network.getJoin().getTcpIpConfig().addMember(HOST + ":" + other));
        return config;
    }

    /** What a client is told. It looks for its cluster as long as a test takes. */
    static ClientConfig clientConfig(String name, List<Integer> ports) {
        ClientConfig config = new ClientConfig().setClusterName(name);
        config.setProperty("hazelcast.logging.type", "none");
        config.setProperty("hazelcast.client.shutdown.hook.enabled", "false");
        config.getMetricsConfig().setEnabled(false);
        config.getNetworkConfig().getAutoDetectionConfig().setEnabled(false);
        // Else a write ends in an error when its member is killed, since it may have been done.
        config.getNetworkConfig().setRedoOperation(true);
        // One that was sent by a member to which there is no connection yet is waited for in vain for 5 s.
        config.setBackupAckToClientEnabled(false);
        ports.forEach(port -> config.getNetworkConfig().addAddress(HOST + ":" + port));
        config.getConnectionStrategyConfig()
                .getConnectionRetryConfig()
                .setInitialBackoffMillis(100)
                .setMaxBackoffMillis(500)
                .setClusterConnectTimeoutMillis(60_000);
        return config;
    }

    /** The place from which a map is used. */
    enum Side {
        MEMBER,
        CLIENT
    }

    /** Starts members with two ports and a client. Returns the first member and the client. */
    Map<Side, HazelcastInstance> sides(List<Integer> ports) {
        HazelcastInstance member = member(ports.get(0), ports);
        member(ports.get(1), ports);
        return Map.of(Side.MEMBER, member, Side.CLIENT, client(ports));
    }

    HazelcastInstance member(int port, List<Integer> ports) {
        return member(memberConfig(name, port, ports));
    }

    HazelcastInstance member(Config config) {
        HazelcastInstance member = Hazelcast.newHazelcastInstance(config);
        started.add(member);
        return member;
    }

    HazelcastInstance client(List<Integer> ports) {
        return client(clientConfig(name, ports));
    }

    HazelcastInstance client(ClientConfig config) {
        HazelcastInstance client = HazelcastClient.newHazelcastClient(config);
        started.add(client);
        return client;
    }

    /** A client with Hazelcast's own serializer for trades. */
    HazelcastInstance serializerClient(List<Integer> ports) {
        ClientConfig config = clientConfig(name, ports);
        config.getSerializationConfig().getCompactSerializationConfig().addSerializer(new Trade.Serializer());
        return client(config);
    }

    @Override
    public void close() {
        for (int i = started.size() - 1; i >= 0; i--) {
            started.get(i).getLifecycleService().terminate();
        }
        started.clear();
    }
}
