package dev.touchstone.messaging.handshake;

import dev.touchstone.messaging.identity.NodeName;
import java.security.SecureRandom;
import java.util.Locale;

/** Names for nodes that come without one. */
final class DynamicName {
    private static final int RADIX = 36;
    private static final int SMALLEST_CREATION = 4; // those below are left to the nodes of old

    private DynamicName() {}

    /** A name on this host that nobody has, as far as chance goes. */
    static NodeName on(String host, SecureRandom random) throws HandshakeException {
        String alive = Long.toUnsignedString(random.nextLong(), RADIX);
        try {
            return new NodeName(alive.toUpperCase(Locale.ROOT), host);
        } catch (IllegalArgumentException e) {
            throw new HandshakeException.Malformed("host name", "a host", "other text of " + host.length());
        }
    }

    /** A creation that such a node has not had, as far as chance goes. */
    static int creation(SecureRandom random) {
        int creation = random.nextInt();
        return Integer.compareUnsigned(creation, SMALLEST_CREATION) < 0 ? creation + SMALLEST_CREATION : creation;
    }
}
