package dev.touchstone.messaging.report;

import dev.touchstone.messaging.identity.NodeName;
import dev.touchstone.messaging.stats.ConnectionEnd;
import dev.touchstone.messaging.stats.ConnectionStats;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/**
 * Events of the JDK's flight recorder. Where the module {@code jdk.jfr} is missing all methods do nothing, and no class of it is loaded.
 * Thread-safe.
 */
@SuppressWarnings("UnusedVariable") // the recorder reads the fields of the events
public final class FlightEvents {
    private static final boolean PRESENT =
            ModuleLayer.boot().findModule("jdk.jfr").isPresent();

    private FlightEvents() {}

    /**
     * Records a new connection of a node.
     *
     * @param node the node
     * @param made figures of the connection
     * @param remote address of the other end
     */
    public static void connected(NodeName node, ConnectionStats made, String remote) {
        if (!PRESENT) {
            return;
        }
        Connected event = new Connected();
        if (event.isEnabled()) {
            event.node = node.toString();
            event.peer = made.peer().toString();
            event.remote = remote;
            event.tls = made.tls();
            event.commit();
        }
    }

    /**
     * Records the end of a connection of a node.
     *
     * @param node the node
     * @param end the end
     */
    public static void ended(NodeName node, ConnectionEnd end) {
        if (!PRESENT) {
            return;
        }
        ConnectionEnded event = new ConnectionEnded();
        if (event.isEnabled()) {
            event.node = node.toString();
            event.peer = end.connection().peer().toString();
            event.kind = end.kind().name();
            event.cause = end.cause();
            event.bytesIn = end.connection().traffic().bytesIn();
            event.bytesOut = end.connection().traffic().bytesOut();
            event.commit();
        }
    }

    /**
     * Records a handshake that failed.
     *
     * @param node the node
     * @param other address that connected, or node that was dialled
     * @param dialled whether the node had dialled
     * @param cause the failure
     */
    public static void handshakeFailed(NodeName node, String other, boolean dialled, Throwable cause) {
        if (!PRESENT) {
            return;
        }
        HandshakeFailed event = new HandshakeFailed();
        if (event.isEnabled()) {
            event.node = node.toString();
            event.other = other;
            event.dialled = dialled;
            event.cause = ConnectionEnd.words(cause);
            event.commit();
        }
    }

    /**
     * Begins the event of a sender that waits for room.
     *
     * @return the event, for {@link #senderGoesOn}; null where nobody records it
     */
    public static @Nullable Object senderBlocks() {
        if (!PRESENT) {
            return null;
        }
        SenderBlocked event = new SenderBlocked();
        if (!event.isEnabled()) {
            return null;
        }
        event.begin();
        return event;
    }

    /**
     * Records that a sender goes on, or gives up.
     *
     * @param blocked the event that {@link #senderBlocks} returned
     * @param peer the node that the sender sends to
     * @param pendingBytes bytes that were pending when it began to wait
     */
    public static void senderGoesOn(@Nullable Object blocked, NodeName peer, int pendingBytes) {
        if (blocked != null) {
            SenderBlocked event = (SenderBlocked) blocked;
            event.peer = peer.toString();
            event.pendingBytes = pendingBytes;
            event.commit();
        }
    }

    /**
     * Records that a mailbox has reached its bound.
     *
     * @param mailbox pid, and name if the mailbox has one
     * @param maxMessages bound by number
     * @param maxBytes bound by bytes
     * @param policy what happens to the message that finds no room
     */
    public static void mailboxFull(String mailbox, long maxMessages, long maxBytes, String policy) {
        if (!PRESENT) {
            return;
        }
        MailboxFull event = new MailboxFull();
        if (event.isEnabled()) {
            event.mailbox = mailbox;
            event.maxMessages = maxMessages;
            event.maxBytes = maxBytes;
            event.policy = policy;
            event.commit();
        }
    }

    @Name("dev.touchstone.messaging.Connected")
    @Label("Connected")
    @Category({"Touchstone", "Messaging"})
    @Description("A connection to another node was made")
    @StackTrace(false)
    private static final class Connected extends Event {
        @Label("Node")
        @Nullable
        String node;

        @Label("Peer")
        @Nullable
        String peer;

        @Label("Remote Address")
        @Nullable
        String remote;

        @Label("TLS")
        boolean tls;
    }

    @Name("dev.touchstone.messaging.ConnectionEnded")
    @Label("Connection Ended")
    @Category({"Touchstone", "Messaging"})
    @Description("A connection to another node ended")
    @StackTrace(false)
    private static final class ConnectionEnded extends Event {
        @Label("Node")
        @Nullable
        String node;

        @Label("Peer")
        @Nullable
        String peer;

        @Label("Kind")
        @Nullable
        String kind;

        @Label("Cause")
        @Nullable
        String cause;

        @Label("Bytes In")
        @DataAmount
        long bytesIn;

        @Label("Bytes Out")
        @DataAmount
        long bytesOut;
    }

    @Name("dev.touchstone.messaging.HandshakeFailed")
    @Label("Handshake Failed")
    @Category({"Touchstone", "Messaging"})
    @Description("Two nodes did not get connected")
    @StackTrace(false)
    private static final class HandshakeFailed extends Event {
        @Label("Node")
        @Nullable
        String node;

        @Label("Other")
        @Description("Address that connected, or node that was dialled")
        @Nullable
        String other;

        @Label("Dialled")
        boolean dialled;

        @Label("Cause")
        @Nullable
        String cause;
    }

    @Name("dev.touchstone.messaging.SenderBlocked")
    @Label("Sender Blocked")
    @Category({"Touchstone", "Messaging"})
    @Description("A thread waited because too many bytes were pending for a peer")
    private static final class SenderBlocked extends Event {
        @Label("Peer")
        @Nullable
        String peer;

        @Label("Pending Bytes")
        @DataAmount
        long pendingBytes;
    }

    @Name("dev.touchstone.messaging.MailboxFull")
    @Label("Mailbox Full")
    @Category({"Touchstone", "Messaging"})
    @Description("A mailbox reached its bound")
    @StackTrace(false)
    private static final class MailboxFull extends Event {
        @Label("Mailbox")
        @Nullable
        String mailbox;

        @Label("Maximum Messages")
        long maxMessages;

        @Label("Maximum Bytes")
        @DataAmount
        long maxBytes;

        @Label("Policy")
        @Nullable
        String policy;
    }
}
