package dev.touchstone.builds.access;

import dev.touchstone.builds.wire.Security;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * Says how a master lets others in.
 *
 * @param access callers by their tokens; not null
 * @param tls context of the connections' TLS; empty for plain connections
 * @param tick heartbeat: the silence after which the other end counts as lost; not null
 */
public record Admission(Access access, Optional<SSLContext> tls, Duration tick) {
    /** Returns an admission of all who know the token. */
    public static Admission of(Security security) {
        return new Admission(Access.of(security.token()), security.tls(), security.tick());
    }
}
