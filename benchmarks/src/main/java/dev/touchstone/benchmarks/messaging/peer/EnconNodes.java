package dev.touchstone.benchmarks.messaging.peer;

import io.appulse.encon.Node;
import io.appulse.encon.Nodes;
import io.appulse.encon.common.Meta;
import io.appulse.encon.common.NodeDescriptor;
import io.appulse.encon.common.RemoteNode;
import io.appulse.encon.config.NodeConfig;
import io.appulse.encon.config.ServerConfig;
import java.io.IOException;
import java.lang.reflect.Field;
import java.net.ServerSocket;
import java.util.Map;

/** encon's nodes as in its own benchmark: short names and eight workers; on epoll, where that is. They log nothing. */
final class EnconNodes {

    /** Workers of encon's own benchmark. */
    static final int WORKERS = 8;

    private EnconNodes() {}

    /**
     * Starts a node. encon keeps the names that it has seen for as long as the JVM lives, so each needs one of its own. Left to itself it
     * counts ports down from 65534 in each process and does not see whether it could bind one: nodes of two processes reach each other. So
     * each node is told a port that the system gives.
     *
     * @param epmdPort of an EPMD that the host's own address leads to
     * @param workers threads that serve connections
     */
    static Node start(String name, int epmdPort, int workers) throws IOException {
        NodeConfig config = NodeConfig.builder()
                .shortName(true)
                .cookie("touchstone")
                .epmdPort(epmdPort)
                .server(ServerConfig.builder()
                        .port(freePort())
                        .bossThreads(1)
                        .workerThreads(workers)
                        .build())
                .build();
        return Nodes.singleNode(name + "-" + System.nanoTime(), config);
    }

    /**
     * Puts each node among those that the other has looked up. encon registers at the EPMD that it is told, but looks others up at the
     * port in ERL_EPMD_PORT, or 4369, which may be free or another's.
     */
    static void introduce(Node one, Node other) throws IOException {
        lookedUp(one).put(other.getDescriptor(), remote(other));
        lookedUp(other).put(one.getDescriptor(), remote(one));
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            return free.getLocalPort();
        }
    }

    private static RemoteNode remote(Node node) {
        Meta meta = node.getMeta();
        return RemoteNode.builder()
                .descriptor(node.getDescriptor())
                .protocol(meta.getProtocol())
                .type(meta.getType())
                .low(meta.getLow())
                .high(meta.getHigh())
                .port(node.getPort())
                .build();
    }

    @SuppressWarnings("unchecked")
    private static Map<NodeDescriptor, RemoteNode> lookedUp(Node node) throws IOException {
        try {
            return (Map<NodeDescriptor, RemoteNode>) field(field(node, "moduleLookup"), "cache");
        } catch (ReflectiveOperationException e) {
            throw new IOException("this is not encon 1.6.10", e);
        }
    }

    private static Object field(Object object, String name) throws ReflectiveOperationException {
        Field field = object.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field.get(object);
    }
}
