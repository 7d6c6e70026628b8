package dev.touchstone.messaging.handshake;

import dev.touchstone.messaging.identity.NodeName;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The nodes are not connected. The messages hold what the peer sent at most as names, flags and sizes: never a cookie or a digest. */
public abstract sealed class HandshakeException extends IOException {
    private static final long serialVersionUID = 1;

    private final transient byte @Nullable [] farewell;

    private HandshakeException(String message, byte @Nullable [] farewell) {
        super(message);
        this.farewell = farewell;
    }

    /** What the peer is to be told before the connection is closed: packets without their length, most often none. */
    public List<byte[]> farewell() {
        return farewell == null ? List.of() : List.of(farewell.clone());
    }

    /** The peer has another cookie. */
    public static final class WrongCookie extends HandshakeException {
        private static final long serialVersionUID = 1;

        WrongCookie(@Nullable NodeName peer, String shownBy) {
            super("peer has another cookie: peer=" + peer + " shownBy=" + shownBy, null);
        }
    }

    /** One of the nodes does not want this connection. */
    public static final class Refused extends HandshakeException {
        private static final long serialVersionUID = 1;

        private final String status;

        Refused(String who, @Nullable NodeName peer, String status, byte @Nullable [] farewell) {
            super("connection is refused: by=" + who + " peer=" + peer + " status=" + status, farewell);
            this.status = status;
        }

        /** {@code nok}, {@code not_allowed}, or {@code alive} where the connection that is up was not lost. */
        public String status() {
            return status;
        }
    }

    /** The peer does not keep to the protocol. */
    public static final class Malformed extends HandshakeException {
        private static final long serialVersionUID = 1;

        Malformed(String what, Object expected, Object got) {
            super("malformed " + what + ": expected=" + expected + " got=" + got, null);
        }
    }

    /** The peer cannot do what is needed: it is older than OTP 25, or something else. */
    public static final class MissingFlags extends HandshakeException {
        private static final long serialVersionUID = 1;

        private final long missing;

        MissingFlags(@Nullable NodeName peer, long missing, byte @Nullable [] farewell) {
            super("peer cannot do what is needed: peer=" + peer + " missing=" + DistFlags.toString(missing), farewell);
            this.missing = missing;
        }

        /** Those of {@link DistFlags#MANDATORY} that it has not. */
        public long missing() {
            return missing;
        }
    }

    /** Another node is there than the one that was wanted. */
    public static final class WrongNode extends HandshakeException {
        private static final long serialVersionUID = 1;

        WrongNode(Object expected, Object got, byte @Nullable [] farewell) {
            super("another node is there: expected=" + expected + " got=" + got, farewell);
        }
    }

    /** The peer has closed the connection, and did not say why. */
    public static final class Closed extends HandshakeException {
        private static final long serialVersionUID = 1;

        Closed(@Nullable NodeName peer, String awaited) {
            super("peer has closed the connection: peer=" + peer + " awaited=" + awaited, null);
        }
    }

    /** The peer took too long; thrown by whoever carries the packets. */
    public static final class TimedOut extends HandshakeException {
        private static final long serialVersionUID = 1;

        /**
         * The time was up.
         *
         * @param peer null where it has not told its name
         */
        public TimedOut(@Nullable NodeName peer, Duration allowed) {
            super("handshake took too long: peer=" + peer + " allowed=" + allowed, null);
        }
    }
}
