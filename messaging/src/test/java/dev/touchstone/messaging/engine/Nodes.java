package dev.touchstone.messaging.engine;

import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.NodeBuilder;
import dev.touchstone.messaging.epmd.EpmdServer;
import dev.touchstone.messaging.identity.Cookie;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Nodes of one test, with a port mapper of their own. */
final class Nodes implements AutoCloseable {
    static final Cookie COOKIE = Cookie.of("secret");

    private final EpmdServer epmd;
    private final List<Node> started = new ArrayList<>();

    Nodes() throws IOException {
        epmd = EpmdServer.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    NodeBuilder builder(String alive) {
        return Node.builder(alive + "@localhost")
                .cookie(COOKIE)
                .embeddedEpmd(false)
                .epmd(new InetSocketAddress(InetAddress.getLoopbackAddress(), epmd.port()));
    }

    LocalNode start(String alive) throws IOException {
        return start(builder(alive));
    }

    LocalNode start(NodeBuilder builder) throws IOException {
        LocalNode node = (LocalNode) builder.start();
        started.add(node);
        return node;
    }

    /** Returns once {@code condition} holds. */
    static void await(String what, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(20)) {
                throw new AssertionError("waited in vain until " + what);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
        }
    }

    @Override
    public void close() throws IOException {
        started.forEach(Node::close);
        epmd.close();
    }
}
