package dev.touchstone.index.hazelcast;

import com.hazelcast.config.Config;
import com.hazelcast.config.NetworkConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** Members in this JVM that talk on 127.0.0.1 only, and end with the test. */
final class Cluster implements AutoCloseable {
    static final String HOST = "127.0.0.1";

    final String name;
    final List<Integer> ports;
    private final UnaryOperator<Config> structures;
    private final List<HazelcastInstance> started = new ArrayList<>();

    /** Creates a cluster of up to so many members, whose configurations get some structures. */
    Cluster(int members, UnaryOperator<Config> structures) {
        this("touchstone-" + UUID.randomUUID(), freePorts(members), structures);
    }

    /** Creates the view that another process has of a cluster. */
    Cluster(String name, List<Integer> ports, UnaryOperator<Config> structures) {
        this.name = name;
        this.ports = ports;
        this.structures = structures;
    }

    /** Ports on which nobody listens, below those that systems give to connections: a member that has ended may want its port again. */
    private static List<Integer> freePorts(int count) {
        SplittableRandom random = new SplittableRandom(System.nanoTime());
        Set<Integer> ports = new LinkedHashSet<>();
        while (ports.size() < count) {
            int port = 20_000 + random.nextInt(12_000);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                ports.add(socket.getLocalPort());
            } catch (IOException e) {
                // somebody has it
            }
        }
        return List.copyOf(ports);
    }

    /** Returns the configuration of a member that knows of the members with some ports. */
    Config config(int member, List<Integer> known) {
        Config config = new Config().setClusterName(name);
        config.setProperty("hazelcast.phone.home.enabled", "false");
        config.setProperty("hazelcast.logging.type", "none");
        config.setProperty("hazelcast.shutdownhook.enabled", "false");
        config.setProperty("hazelcast.wait.seconds.before.join", "0");
        config.setProperty("hazelcast.partition.count", "31");
        config.setProperty("hazelcast.operation.thread.count", "2");
        config.setProperty("hazelcast.merge.first.run.delay.seconds", "1");
        config.setProperty("hazelcast.merge.next.run.delay.seconds", "1");
        config.setProperty("hazelcast.operation.backup.timeout.millis", "1000");
        config.setProperty(
                "hazelcast.partition.backup.sync.interval",
                "1"); // a log that a test destroys loses its backup at another time
        config.getMetricsConfig().setEnabled(false);
        NetworkConfig network = config.getNetworkConfig();
        network.setPort(ports.get(member)).setPortAutoIncrement(false).setReuseAddress(true);
        network.getInterfaces().setEnabled(true).addInterface(HOST);
        network.getJoin().getAutoDetectionConfig().setEnabled(false);
        network.getJoin().getMulticastConfig().setEnabled(false);
        network.getJoin().getTcpIpConfig().setEnabled(true);
        known.forEach(port -> network.getJoin().getTcpIpConfig().addMember(HOST + ":" + port));
        return structures.apply(config);
    }

    /** Starts a member by its number. */
    HazelcastInstance start(int member) {
        return start(config(member, ports));
    }

    HazelcastInstance start(Config config) {
        HazelcastInstance instance = Hazelcast.newHazelcastInstance(config);
        started.add(instance);
        return instance;
    }

    @Override
    public void close() {
        started.forEach(member -> member.getLifecycleService().terminate());
    }
}
