package dev.touchstone.builds.wire;

import dev.touchstone.builds.Token;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * The token, TLS and heartbeat that both ends of a connection must have in common. Immutable.
 *
 * @param token token without which nobody is let in; not null
 * @param tls context of the connections' TLS; empty for plain connections
 * @param tick heartbeat: the silence after which the other end counts as lost; not null
 */
public record Security(Token token, Optional<SSLContext> tls, Duration tick) {}
