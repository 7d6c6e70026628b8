package dev.touchstone.benchmarks.serialization.cluster;

import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A member of a cluster that benchmarks use, for as long as this process runs.
 *
 * <pre>
 * java FLAGS -cp JARS dev.touchstone.benchmarks.serialization.cluster.MemberMain HOST PORT [MEMBER,MEMBER]
 * </pre>
 *
 * <p>{@code HOST} is an address of this machine, {@code MEMBER} is {@code host:port} of one that runs already.
 */
public final class MemberMain {
    static final String CLUSTER_PROPERTY = "touchstone.hazelcast.cluster";
    static final String REPORT_PROPERTY = "touchstone.hazelcast.report";

    private MemberMain() {}

    /** A way to start a member. */
    @FunctionalInterface
    public interface Starter {
        /**
         * Starts a member, and whatever belongs to it.
         *
         * @param clusterName name of the cluster
         * @param host address of this machine
         * @param port port of the member
         * @param members addresses of running members, {@code host:port}
         */
        HazelcastInstance start(String clusterName, String host, int port, List<String> members) throws IOException;
    }

    /** Starts the member; a benchmark that started this process is told the port, and the member ends when the benchmark does. */
    public static void main(String[] args) throws IOException {
        run(
                args,
                (name, host, port, members) ->
                        Hazelcast.newHazelcastInstance(HazelcastConfigs.member(name, host, port, members)));
    }

    /**
     * Starts a member of another kind in the same way.
     *
     * @param args arguments of the process, as above
     * @param starter starts the member
     */
    public static void run(String[] args, Starter starter) throws IOException {
        if (args.length < 2 || args.length > 3) {
            throw new IllegalArgumentException("expected HOST PORT [MEMBER,MEMBER], got " + List.of(args));
        }
        List<String> members = args.length == 2 ? List.of() : List.of(args[2].split(",", -1));
        String cluster = System.getProperty(CLUSTER_PROPERTY, HazelcastConfigs.OUTSIDE_CLUSTER);
        HazelcastInstance member = starter.start(cluster, args[0], Integer.parseInt(args[1]), members);
        Integer reportPort = Integer.getInteger(REPORT_PROPERTY);
        if (reportPort != null) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), reportPort)) {
                int port = member.getCluster().getLocalMember().getAddress().getPort();
                socket.getOutputStream().write((port + "\n").getBytes(StandardCharsets.US_ASCII));
                awaitEnd(socket);
            } finally {
                member.getLifecycleService().terminate();
            }
        }
    }

    private static void awaitEnd(Socket socket) throws IOException {
        while (socket.getInputStream().read() >= 0) {
            // says nothing
        }
    }
}
