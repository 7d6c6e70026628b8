package dev.touchstone.builds.wire;

import dev.touchstone.builds.Token;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * The token, TLS and heartbeat that both ends of a connection must have in common. Immutable.
 *
 * @param token who does not know it is not let in
 * @param tls what connections are in, if they are
 * @param tick after which silence the other end counts as lost
 */
public record Security(Token token, Optional<SSLContext> tls, Duration tick) {}
