package dev.touchstone.builds.wire;

import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Tuple;
import org.jspecify.annotations.Nullable;

/** The protocol's version: the second element of each side's first message, and looked at before all others. */
public final class Versions {
    /** The version that this code speaks. */
    public static final long CURRENT = 1;

    /** A first message of another version. */
    public static final class Mismatch extends WireException {
        private static final long serialVersionUID = 1;

        private final transient @Nullable Pid sender;

        Mismatch(long got, @Nullable Pid sender) {
            super("protocol version is not spoken here: got=" + got + " expected=" + CURRENT);
            this.sender = sender;
        }

        /** Who is to be told, if the message says that. */
        public @Nullable Pid sender() {
            return sender;
        }
    }

    private Versions() {}

    /** The elements behind the version of a first message {@code {Tag, Version, Pid, ...}}. */
    static Fields hello(Tuple message, int size) {
        if (message.size() > 1 && message.get(1) instanceof Int version && version.value() != CURRENT) {
            Pid sender = message.size() > 2 && message.get(2) instanceof Pid pid ? pid : null;
            throw new Mismatch(version.value(), sender);
        }
        Fields fields = Fields.of(message, size);
        long unused = fields.number(CURRENT, CURRENT);
        return fields;
    }
}
