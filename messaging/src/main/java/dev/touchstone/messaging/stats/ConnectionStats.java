package dev.touchstone.messaging.stats;

import dev.touchstone.messaging.identity.NodeName;
import java.time.Instant;

/**
 * The figures of one connection at one moment.
 *
 * @param peer node at the other end
 * @param since time at which the handshake was done
 * @param tls whether the connection is encrypted
 * @param hidden whether one of the two nodes is hidden, so that the connection takes no part in the cluster's mesh
 * @param traffic bytes and frames so far
 * @param pendingBytes bytes that wait to be written, without those that are being written
 */
public record ConnectionStats(
        NodeName peer, Instant since, boolean tls, boolean hidden, Traffic traffic, int pendingBytes) {}
