package dev.touchstone.builds.link;

import dev.touchstone.builds.wire.MasterAddress;
import dev.touchstone.builds.wire.Security;
import java.time.Duration;

/**
 * The options of the link between an agent and its master. Immutable.
 *
 * @param identity unique among the master's agents, and the same when the agent starts again
 * @param firstBackoff before connecting again; doubled each time, up to {@code mostBackoff}
 */
public record LinkOptions(
        String identity, MasterAddress master, Security security, Duration firstBackoff, Duration mostBackoff) {
    /** Returns options with the default pauses: a quarter of a second, up to 15 seconds. */
    public static LinkOptions of(String identity, MasterAddress master, Security security) {
        return new LinkOptions(identity, master, security, Duration.ofMillis(250), Duration.ofSeconds(15));
    }
}
