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
 * What a node is started with.
 *
 * @param epmd where it registers
 * @param embeddedEpmd whether it serves that address itself where nobody does
 * @param resolver finds other nodes
 * @param listen where it listens, first on TCP if it does
 * @param wrapping what is put around each connection
 * @param hidden whether it keeps out of the cluster's full mesh
 * @param tickTime after which a silent peer counts as lost, at most a quarter later
 * @param spin most that a waiting thread polls before it blocks
 * @param lowWater bytes pending for a connection from which on blocked senders go on
 * @param highWater bytes pending from which on senders block
 * @param mailboxLimits of mailboxes that are not given others
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

    /** Beats without a byte after which a peer counts as lost. */
    static final int MAX_SILENT_BEATS = BEATS_PER_TICK_TIME;

    long beatNanos() {
        return tickTime.toNanos() / BEATS_PER_TICK_TIME;
    }

    /** Into how many steps a beat is cut, so that some things are looked after every two seconds at least. */
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
