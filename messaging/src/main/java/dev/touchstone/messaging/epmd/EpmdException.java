package dev.touchstone.messaging.epmd;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** EPMD did not do what it was asked for. */
public abstract sealed class EpmdException extends IOException {
    private static final long serialVersionUID = 1;

    private EpmdException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** It gave no answer: nothing listens there, the connection ended, or the time was up. */
    public static final class Unreachable extends EpmdException {
        private static final long serialVersionUID = 1;

        Unreachable(InetSocketAddress epmd, Throwable cause) {
            super("no answer from EPMD: epmd=" + epmd + " reason=" + cause.getMessage(), cause);
        }
    }

    /** It does not register the node, most often because another of that name is registered. */
    public static final class Refused extends EpmdException {
        private static final long serialVersionUID = 1;

        Refused(InetSocketAddress epmd, String name, int result) {
            super(
                    "EPMD does not register the node, is the name in use? epmd=" + epmd + " name=" + name + " result="
                            + result,
                    null);
        }
    }

    /** No node of that name is registered. */
    public static final class NotRegistered extends EpmdException {
        private static final long serialVersionUID = 1;

        NotRegistered(String name, String where) {
            super("node is not registered: name=" + name + " asked=" + where, null);
        }
    }

    /** Its answer is not one of EPMD's. */
    public static final class Malformed extends EpmdException {
        private static final long serialVersionUID = 1;

        Malformed(String what, Object expected, Object got) {
            super("malformed " + what + " of EPMD: expected=" + expected + " got=" + got, null);
        }
    }
}
