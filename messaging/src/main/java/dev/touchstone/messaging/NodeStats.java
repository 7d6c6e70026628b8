package dev.touchstone.messaging;

import dev.touchstone.messaging.stats.ConnectionEnd;
import dev.touchstone.messaging.stats.ConnectionStats;
import dev.touchstone.messaging.stats.EndKind;
import dev.touchstone.messaging.stats.Traffic;
import java.util.List;
import java.util.Map;

/**
 * The figures of a node at one moment. All counts begin with the node.
 *
 * @param connections number of nodes that it is connected to
 * @param mailboxes number of open mailboxes
 * @param dropped messages to nobody (an unknown or closed mailbox, an alias that was given up), and messages that are too long
 * @param ignored control messages of operations that are not known
 * @param malformed messages that could not be read, so that {@code receive} of their mailbox throws, and such requests and reasons of exits
 * @param rejected requests of other nodes to {@code rex} and {@code net_kernel} that are not served, or not answered: their peer has
 *     too many calls, their form is not known, or their caller's node is not connected
 * @param refused handshakes of other nodes that failed, but for those of nodes that both connected at once
 * @param traffic bytes and frames of all connections, those that have ended included
 * @param peers figures of each connection
 * @param ended number of connections that have ended, by the kind of cause; kinds without any are missing
 * @param recentEnds ends of the latest 64 connections that have ended, oldest first
 */
public record NodeStats(
        int connections,
        int mailboxes,
        long dropped,
        long ignored,
        long malformed,
        long rejected,
        long refused,
        Traffic traffic,
        List<ConnectionStats> peers,
        Map<EndKind, Long> ended,
        List<ConnectionEnd> recentEnds) {

    /** Copies the collections. */
    public NodeStats {
        peers = List.copyOf(peers);
        ended = Map.copyOf(ended);
        recentEnds = List.copyOf(recentEnds);
    }

    /**
     * Returns the bytes that wait to be written for all peers.
     *
     * @return sum over the connections
     */
    public long pendingBytes() {
        return peers.stream().mapToLong(ConnectionStats::pendingBytes).sum();
    }
}
