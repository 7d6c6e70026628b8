package dev.touchstone.messaging.engine;

import dev.touchstone.messaging.MessagingException;
import dev.touchstone.messaging.dist.Connection;
import dev.touchstone.messaging.identity.NodeName;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The attempts of a node to connect to others, at most one to each, and the threads that wait for them. Thread-safe. */
final class ConnectAttempts {
    /*
     * Who calls:      any thread that needs a connection waits here, as long as it likes. An attempt has a thread of its own, or that of
     *                 its first caller where the process may have no more threads.
     * Invariants:     an attempt is in `attempts` until it has ended; whoever needs the peer meanwhile waits for that attempt.
     * Ordering:       an attempt is listed before it checks that the node is open, and the node is marked as closed before the listed
     *                 ones are ended. So one of the two ends an attempt that begins while the node closes.
     * Failure:        a failure is that of all who wait. What an attempt still makes after its node has closed, Peers.install ends.
     */
    private final LocalNode node;
    private final Connector connector;
    private final Map<NodeName, CompletableFuture<Connection>> attempts = new ConcurrentHashMap<>();

    /** The maker of connections. */
    interface Connector {
        /**
         * Makes a connection; blocks.
         *
         * @param isOwnThread whether the calling thread is of the attempt, so that it may be interrupted
         */
        Connection connect(NodeName peer, boolean isOwnThread) throws IOException;
    }

    ConnectAttempts(LocalNode node, Connector connector) {
        this.node = node;
        this.connector = connector;
    }

    /**
     * Returns the connection that the attempt to connect to a node makes; begins the attempt where there is none. It goes on where those
     * who wait for it are interrupted, or have no time left.
     *
     * @param waitNanos the longest wait
     * @throws MessagingException.Closed if the node of this library is closed, also during the wait
     */
    Connection await(NodeName peer, long waitNanos) throws IOException, InterruptedException, TimeoutException {
        CompletableFuture<Connection> mine = new CompletableFuture<>();
        CompletableFuture<Connection> others = attempts.putIfAbsent(peer, mine);
        if (others == null) {
            begin(peer, mine);
        }
        try {
            return (others == null ? mine : others).get(waitNanos, TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            node.checkOpen();
            if (others == null && e.getCause() instanceof IOException failed) {
                throw failed;
            }
            if (others == null && e.getCause() instanceof RuntimeException failed) {
                throw failed;
            }
            throw new IOException("connecting failed: peer=" + peer + " cause=" + e.getCause(), e);
        }
    }

    private void begin(NodeName peer, CompletableFuture<Connection> attempt) {
        try {
            node.checkOpen();
            Thread thread = new Thread(() -> attempt(peer, attempt, true), "touchstone-dial-" + peer);
            thread.setDaemon(true);
            thread.start();
        } catch (OutOfMemoryError noThread) {
            // the process has as many threads as it may have: the caller dials, however long it takes
            attempt(peer, attempt, false);
        } catch (Throwable e) {
            attempts.remove(peer);
            attempt.completeExceptionally(e);
        }
    }

    private void attempt(NodeName peer, CompletableFuture<Connection> attempt, boolean isOwnThread) {
        try {
            Connection made = connector.connect(peer, isOwnThread);
            attempts.remove(peer);
            attempt.complete(made);
        } catch (Throwable e) {
            attempts.remove(peer);
            attempt.completeExceptionally(e);
        }
    }

    /** Ends all waiting, once the node is marked as closed. */
    void close() {
        for (CompletableFuture<Connection> attempt : attempts.values()) {
            attempt.completeExceptionally(new MessagingException.Closed("node=" + node.name(), node.failure()));
        }
    }
}
