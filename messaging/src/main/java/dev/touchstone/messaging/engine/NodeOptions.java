package dev.touchstone.messaging.engine;

import dev.touchstone.messaging.MailboxLimits;
import dev.touchstone.messaging.dist.Carrier;
import dev.touchstone.messaging.epmd.NodeResolver;
import dev.touchstone.messaging.etf.DecodeLimits;
import dev.touchstone.messaging.identity.Cookie;
import dev.touchstone.messaging.identity.NodeName;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The options that a node is started with.
 *
 * @param name name of the node
 * @param cookie secret shared with other nodes
 * @param epmd address of the port mapper where the node registers
 * @param embeddedEpmd whether the node serves that address itself where no port mapper does
 * @param resolver finds other nodes
 * @param listen addresses to listen at, the TCP address first if there is one
 * @param wrapping layer around each connection, such as TLS
 * @param hidden whether the node keeps out of the cluster's full mesh
 * @param tickTime silence after which a peer counts as lost, at most a quarter later
 * @param spin longest time that a waiting thread polls before it blocks
 * @param lowWater bytes pending for a connection at which blocked senders go on
 * @param highWater bytes pending for a connection at which senders block
 * @param maxFrameBytes length of the longest message
 * @param mailboxLimits bounds of mailboxes that are not given others
 * @param limits bounds of what a received term may cost
 * @param acceptTimeout longest time for the handshake of a node that connects
 * @param connectTimeout longest time for connecting to a node
 * @param random source of challenges and creations
 */
record NodeOptions(
        NodeName name,
        Cookie cookie,
        InetSocketAddress epmd,
        boolean embeddedEpmd,
        NodeResolver resolver,
        List<SocketAddress> listen,
        Carrier.Wrapping wrapping,
        boolean hidden,
        Duration tickTime,
        Duration spin,
        int lowWater,
        int highWater,
        int maxFrameBytes,
        MailboxLimits mailboxLimits,
        DecodeLimits limits,
        Duration acceptTimeout,
        Duration connectTimeout,
        SecureRandom random) {
    private static final int BEATS_PER_TICK_TIME = 4;
    private static final long MAX_STEP_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** The number of beats without a byte after which a peer counts as lost. */
    static final int MAX_SILENT_BEATS = BEATS_PER_TICK_TIME;

    long beatNanos() {
        return tickTime.toNanos() / BEATS_PER_TICK_TIME;
    }

    /** Returns the number of steps that a beat is cut into, so that lost entries and interrupted ends are looked after every two seconds at least. */
    int stepsPerBeat() {
        return (int) ((beatNanos() - 1) / MAX_STEP_NANOS) + 1;
    }

    long stepNanos() {
        return beatNanos() / stepsPerBeat();
    }

    long flags() {
        return LocalCapabilities.announced(hidden);
    }
}
