package dev.touchstone.messaging.handshake;

import dev.touchstone.messaging.identity.NodeName;
import java.security.SecureRandom;
import java.util.Locale;

/** Names for nodes that come without one. */
final class DynamicName {
    private static final int RADIX = 36;
    private static final int SMALLEST_CREATION = 4; // smaller ones are for nodes of older versions

    private DynamicName() {}

    /** Makes a name on this host, at random, so that another node hardly has it. */
    static NodeName on(String host, SecureRandom random) throws HandshakeException {
        String alive = Long.toUnsignedString(random.nextLong(), RADIX);
        try {
            return new NodeName(alive.toUpperCase(Locale.ROOT), host);
        } catch (IllegalArgumentException e) {
            throw new HandshakeException.Malformed("host name", "a host", "other text of " + host.length());
        }
    }

    /** Makes a creation, at random, so that an earlier node of that name has hardly had it. */
    static int creation(SecureRandom random) {
        int creation = random.nextInt();
        return Integer.compareUnsigned(creation, SMALLEST_CREATION) < 0 ? creation + SMALLEST_CREATION : creation;
    }
}
