package dev.touchstone.messaging.epmd;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** A failure of a request to EPMD. */
public abstract sealed class EpmdException extends IOException {
    private static final long serialVersionUID = 1;

    private EpmdException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** A request without an answer: nothing listens there, the connection ended, or the time was up. */
    public static final class Unreachable extends EpmdException {
        private static final long serialVersionUID = 1;

        Unreachable(InetSocketAddress epmd, Throwable cause) {
            super("no answer from EPMD: epmd=" + epmd + " reason=" + cause.getMessage(), cause);
        }
    }

    /** A registration that EPMD refuses, most often because another node of that name is registered. */
    public static final class Refused extends EpmdException {
        private static final long serialVersionUID = 1;

        Refused(InetSocketAddress epmd, String name, int result) {
            super(
                    "EPMD does not register the node, is the name in use? epmd=" + epmd + " name=" + name + " result="
                            + result,
                    null);
        }
    }

    /** A name that no node has registered. */
    public static final class NotRegistered extends EpmdException {
        private static final long serialVersionUID = 1;

        NotRegistered(String name, String where) {
            super("node is not registered: name=" + name + " asked=" + where, null);
        }
    }

    /** An answer that no EPMD gives, or a request that no client makes. */
    public static final class Malformed extends EpmdException {
        private static final long serialVersionUID = 1;

        Malformed(String what, Object expected, Object got) {
            super("malformed " + what + " of EPMD: expected=" + expected + " got=" + got, null);
        }
    }
}
