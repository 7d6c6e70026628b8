package dev.touchstone.messaging.report;

import dev.touchstone.messaging.identity.NodeName;
import dev.touchstone.messaging.stats.ConnectionEnd;
import dev.touchstone.messaging.stats.ConnectionStats;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.function.Supplier;

/**
 * The log of a node: events of its connections, and faults of its peers. Usual events have the level {@code DEBUG}, so that a
 * program that only uses the library stays quiet; events that somebody should look at have {@code WARNING}. Thread-safe.
 */
public final class NodeLog {
    /*
     * Who calls:      any thread, the leader too; never under a lock of the node, since a log handler is the user's code and may block.
     * Invariants:     a line holds no cookie and no digest, and no control character that a peer sent. Lines of each kind are bounded per minute.
     * Failure:        an exception of a log handler is dropped: it must not end a connection.
     */
    /** The name of the logger. */
    public static final String NAME = "dev.touchstone.messaging";

    private static final Logger LOGGER = System.getLogger(NAME);
    private static final int MAX_CONNECTION_LINES = 600;
    private static final int MAX_FAULT_LINES = 20;

    private final NodeName node;
    private final LogBudget connections = new LogBudget(MAX_CONNECTION_LINES);
    private final LogBudget handshakes = new LogBudget(MAX_FAULT_LINES);
    private final LogBudget malformed = new LogBudget(MAX_FAULT_LINES);
    private final LogBudget calls = new LogBudget(MAX_FAULT_LINES);

    /**
     * Creates the log of a node.
     *
     * @param node name that all lines have
     */
    public NodeLog(NodeName node) {
        this.node = node;
    }

    /**
     * Logs that the node accepts connections.
     *
     * @param port port of TCP; 0 without TCP
     */
    public void started(int port) {
        log(Level.DEBUG, connections, () -> "node started: node=" + node + " port=" + port);
    }

    /** Logs that the node was closed. */
    public void closed() {
        log(Level.DEBUG, connections, () -> "node closed: node=" + node);
    }

    /**
     * Logs a new connection.
     *
     * @param made figures of the connection
     * @param remote address of the other end
     */
    public void connected(ConnectionStats made, String remote) {
        log(
                Level.DEBUG,
                connections,
                () -> "connected: node=" + node + " peer=" + made.peer() + " remote=" + remote + " tls=" + made.tls()
                        + " hidden=" + made.hidden());
    }

    /**
     * Logs the end of a connection, as a warning unless one of the two nodes wanted it.
     *
     * @param end the end
     */
    public void ended(ConnectionEnd end) {
        log(
                end.kind().isOrderly() ? Level.DEBUG : Level.WARNING,
                connections,
                () -> "connection ended: node=" + node + " peer="
                        + end.connection().peer() + " kind=" + end.kind() + " cause=" + end.cause());
    }

    /**
     * Logs a connection that a node could not make; the caller who asked for it is told by an exception.
     *
     * @param peer the node that was dialled
     * @param cause the failure
     */
    public void notConnected(NodeName peer, Throwable cause) {
        log(
                Level.DEBUG,
                handshakes,
                () -> "cannot connect: node=" + node + " peer=" + peer + " cause=" + ConnectionEnd.words(cause));
    }

    /**
     * Logs the handshake of a node that connected and was turned away.
     *
     * @param remote address that connected
     * @param cause the failure
     * @param usual whether that happens between nodes that do nothing wrong, as where both dial at once
     */
    public void handshakeRefused(String remote, Throwable cause, boolean usual) {
        log(
                usual ? Level.DEBUG : Level.WARNING,
                handshakes,
                () -> "handshake refused: node=" + node + " remote=" + remote + " cause=" + ConnectionEnd.words(cause));
    }

    /**
     * Logs a message, or the reason of an exit, that is no term or breaks a limit.
     *
     * @param peer the node that sent the term
     * @param cause the failure to read it
     */
    public void malformed(NodeName peer, Throwable cause) {
        log(
                Level.WARNING,
                malformed,
                () -> "message cannot be read: node=" + node + " peer=" + peer + " cause="
                        + ConnectionEnd.words(cause));
    }

    /**
     * Logs a message that is longer than the node takes; its connection is kept.
     *
     * @param peer the node that sent the message
     * @param bytes length of the message
     * @param maxFrameBytes longest message that the node takes
     */
    public void tooLong(NodeName peer, long bytes, int maxFrameBytes) {
        log(
                Level.WARNING,
                malformed,
                () -> "message is too long and was skipped: node=" + node + " peer=" + peer + " bytes=" + bytes
                        + " maxFrameBytes=" + maxFrameBytes);
    }

    /** Logs a request to one of the node's own processes that is not served. */
    public void rejected() {
        log(
                Level.WARNING,
                calls,
                () -> "request rejected: node=" + node
                        + " cause=its form is not known, its peer has too many calls, or its caller is not connected");
    }

    private static void log(Level level, LogBudget budget, Supplier<String> line) {
        try {
            if (LOGGER.isLoggable(level)) {
                long suppressed = budget.admit(System.nanoTime());
                if (suppressed != LogBudget.REFUSED) {
                    LOGGER.log(level, suppressed == 0 ? line.get() : line.get() + " suppressedBefore=" + suppressed);
                }
            }
        } catch (RuntimeException | Error e) {
            // The user's log handler failed, or there is no memory for a line; nobody else can be told.
        }
    }
}
