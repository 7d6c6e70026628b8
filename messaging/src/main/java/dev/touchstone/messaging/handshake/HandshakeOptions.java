package dev.touchstone.messaging.handshake;

import dev.touchstone.messaging.identity.Cookie;
import dev.touchstone.messaging.identity.NodeName;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/**
 * Properties that one node brings to a handshake.
 *
 * @param self name of the node; of an initiator that asks for a name with {@link DistFlags#NAME_ME} only the host counts
 * @param creation tells this life of the node from its earlier ones
 * @param flags capabilities of the node, see {@link DistFlags}
 * @param cookie secret that both nodes must know
 * @param peer the node that must be at the other end; null for any
 * @param random source of challenges
 * @param allowEmptyCookie whether the cookie may be empty, where the connection itself proves who the nodes are
 */
public record HandshakeOptions(
        NodeName self,
        int creation,
        long flags,
        Cookie cookie,
        @Nullable NodeName peer,
        SecureRandom random,
        boolean allowEmptyCookie) {
    /**
     * Checks the options that would fail with every peer.
     *
     * @throws IllegalArgumentException if the cookie is empty and may not be, or flags are missing that every peer asks for
     */
    public HandshakeOptions {
        if (cookie.isEmpty() && !allowEmptyCookie) {
            throw new IllegalArgumentException("the cookie is empty, so anybody would know it: self=" + self);
        }
        long missing = DistFlags.missing(flags);
        if (missing != 0) {
            throw new IllegalArgumentException(
                    "flags are missing that every peer asks for: missing=" + DistFlags.toString(missing));
        }
    }
}
