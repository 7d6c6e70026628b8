package dev.touchstone.index.server;

import com.hazelcast.config.Config;
import com.hazelcast.config.JavaSerializationFilterConfig;
import com.hazelcast.config.NetworkConfig;
import dev.touchstone.cli.Ranges;
import dev.touchstone.cli.UsageException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of the cluster of which a server is a member. */
final class ClusterOptions {
    private static final int MAX_MEMBERS = 1000;

    @Option(
            names = "--cluster",
            paramLabel = "ADDRESS:PORT",
            description =
                    "Address at which this server talks with the other members of its cluster, such as "
                            + "127.0.0.1:5701. All members have the same prices; an update at one is an update of all. The traffic is "
                            + "not encrypted: an address beyond this machine requires --insecure and a network of the members' own.")
    @Nullable
    String own;

    @Option(
            names = "--join",
            paramLabel = "ADDRESS:PORT",
            split = ",",
            description = "Addresses of other members, of which one that runs is enough.")
    List<String> others = new ArrayList<>();

    @Option(
            names = "--cluster-name",
            paramLabel = "NAME",
            description = "Name that the members of the cluster share. Default: ${DEFAULT-VALUE}.")
    String name = "touchstone-index";

    @Option(
            names = "--cluster-size",
            paramLabel = "MEMBERS",
            description = "Members without which no update is accepted and a cluster does not start: more than half of "
                    + "them, or the smaller side of a split cluster accepts updates that are lost. Default: 1.")
    int minMembers = 1;

    /** Returns whether the server is a member of a cluster. */
    boolean isGiven() {
        return own != null;
    }

    void check(boolean isInsecure) {
        if (own == null) {
            if (!others.isEmpty() || minMembers != 1) {
                throw new UsageException(
                        "--join and --cluster-size need the own address of the server: name it by --cluster");
            }
            return;
        }
        Ranges.check("--cluster-size", minMembers, 1, MAX_MEMBERS);
        if (name.isEmpty()) {
            throw new UsageException("--cluster-name: expected a name, got an empty one");
        }
        String host = host("--cluster", own);
        int unused = port("--cluster", own);
        for (String other : others) {
            String unusedHost = host("--join", other);
            int unusedPort = port("--join", other);
        }
        if (!isInsecure && !isLoopback(host)) {
            throw new UsageException("--cluster: the traffic between members is not encrypted: address=" + host
                    + "; use a network of their own and add --insecure");
        }
    }

    private static String host(String option, String address) {
        int colon = address.lastIndexOf(':');
        if (colon < 1) {
            throw new UsageException(option + ": expected ADDRESS:PORT, got '" + address + "'");
        }
        return address.substring(0, colon);
    }

    private static int port(String option, String address) {
        try {
            int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
            if (port > 0 && port <= 0xffff) {
                return port;
            }
        } catch (NumberFormatException e) {
            // is refused below
        }
        throw new UsageException(option + ": expected a port from 1 to 65535, got '" + address + "'");
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            throw new UsageException("--cluster: unknown address: '" + host + "'", e);
        }
    }

    /** Returns the configuration of the member, without an index. */
    Config member() {
        String address = String.valueOf(own);
        Config config = new Config().setClusterName(name).setInstanceName(null);
        config.setProperty("hazelcast.phone.home.enabled", "false");
        config.setProperty("hazelcast.logging.type", "jdk");
        config.setProperty("hazelcast.shutdownhook.enabled", "false"); // the server closes the member
        config.setProperty("hazelcast.socket.bind.any", "false");
        config.setProperty("hazelcast.max.no.heartbeat.seconds", "15");
        config.setProperty("hazelcast.merge.first.run.delay.seconds", "20"); // sides find each other soon
        config.setProperty("hazelcast.merge.next.run.delay.seconds", "20");
        config.setProperty("hazelcast.operation.backup.timeout.millis", "1000");
        config.getMetricsConfig().setEnabled(false);
        config.getJetConfig().setEnabled(false);
        config.getSerializationConfig().setJavaSerializationFilterConfig(new JavaSerializationFilterConfig());
        NetworkConfig network = config.getNetworkConfig();
        network.setPort(port("--cluster", address)).setPortAutoIncrement(false);
        network.getInterfaces().setEnabled(true).addInterface(host("--cluster", address));
        network.getJoin().getAutoDetectionConfig().setEnabled(false);
        network.getJoin().getMulticastConfig().setEnabled(false);
        network.getJoin().getTcpIpConfig().setEnabled(true).addMember(address);
        others.forEach(network.getJoin().getTcpIpConfig()::addMember);
        return config;
    }
}
