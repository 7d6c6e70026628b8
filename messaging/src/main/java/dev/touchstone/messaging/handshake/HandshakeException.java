package dev.touchstone.messaging.handshake;

import dev.touchstone.messaging.identity.NodeName;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A failure of two nodes to connect. The messages hold what the peer sent at most as names, flags and sizes: never a cookie or a digest.
 */
public abstract sealed class HandshakeException extends IOException {
    private static final long serialVersionUID = 1;

    private final transient byte @Nullable [] farewell;

    private HandshakeException(String message, byte @Nullable [] farewell) {
        super(message);
        this.farewell = farewell;
    }

    /**
     * Returns the packets for the peer before the connection is closed.
     *
     * @return packets without their length, most often none
     */
    public List<byte[]> farewell() {
        return farewell == null ? List.of() : List.of(farewell.clone());
    }

    /** A peer that has another cookie. */
    public static final class WrongCookie extends HandshakeException {
        private static final long serialVersionUID = 1;

        WrongCookie(@Nullable NodeName peer, String shownBy) {
            super("peer has another cookie: peer=" + peer + " shownBy=" + shownBy, null);
        }
    }

    /** A connection that one of the nodes does not want. */
    public static final class Refused extends HandshakeException {
        private static final long serialVersionUID = 1;

        private final String status;

        Refused(String who, @Nullable NodeName peer, String status, byte @Nullable [] farewell) {
            super("connection is refused: by=" + who + " peer=" + peer + " status=" + status, farewell);
            this.status = status;
        }

        /**
         * Returns the reason for the refusal, as the protocol calls it.
         *
         * @return {@code nok}, {@code not_allowed}, or {@code alive} where the connection that is up was not lost
         */
        public String status() {
            return status;
        }
    }

    /** A packet or another input that breaks the protocol. */
    public static final class Malformed extends HandshakeException {
        private static final long serialVersionUID = 1;

        Malformed(String what, Object expected, Object got) {
            super("malformed " + what + ": expected=" + expected + " got=" + got, null);
        }
    }

    /** A peer without a capability that is needed: it is older than OTP 25, or no Erlang node. */
    public static final class MissingFlags extends HandshakeException {
        private static final long serialVersionUID = 1;

        private final long missing;

        MissingFlags(@Nullable NodeName peer, long missing, byte @Nullable [] farewell) {
            super("peer cannot do what is needed: peer=" + peer + " missing=" + DistFlags.toString(missing), farewell);
            this.missing = missing;
        }

        /**
         * Returns the flags that the peer lacks.
         *
         * @return flags of {@link DistFlags#MANDATORY}
         */
        public long missing() {
            return missing;
        }
    }

    /** A node at the other end that is another than the wanted one. */
    public static final class WrongNode extends HandshakeException {
        private static final long serialVersionUID = 1;

        WrongNode(Object expected, Object got, byte @Nullable [] farewell) {
            super("another node is there: expected=" + expected + " got=" + got, farewell);
        }
    }

    /** A connection that the peer has closed without saying why. */
    public static final class Closed extends HandshakeException {
        private static final long serialVersionUID = 1;

        Closed(@Nullable NodeName peer, String awaited) {
            super("peer has closed the connection: peer=" + peer + " awaited=" + awaited, null);
        }
    }

    /** A handshake that took too long; thrown by the caller that carries the packets. */
    public static final class TimedOut extends HandshakeException {
        private static final long serialVersionUID = 1;

        /**
         * Makes the exception of a handshake whose time was up.
         *
         * @param peer the other node; null where it has not told its name
         * @param allowed time that the handshake was given
         */
        public TimedOut(@Nullable NodeName peer, Duration allowed) {
            super("handshake took too long: peer=" + peer + " allowed=" + allowed, null);
        }
    }
}
