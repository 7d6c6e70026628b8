package dev.touchstone.messaging;

/** The ends of an {@linkplain Mailbox#alias() alias}, beside {@link Mailbox#unalias} and the end of the mailbox. */
public enum AliasMode {
    /** None. */
    EXPLICIT_UNALIAS(false, false),
    /** The first message to the alias. */
    REPLY(true, false),
    /** The end of the monitor that the alias was made with: its message, or {@link Mailbox#demonitor(Ref)}. */
    DEMONITOR(false, true),
    /** The end of the monitor, or the first message to the alias, which also ends the monitor. */
    REPLY_DEMONITOR(true, true);

    private final boolean endsWithReply;
    private final boolean endsWithMonitor;

    AliasMode(boolean endsWithReply, boolean endsWithMonitor) {
        this.endsWithReply = endsWithReply;
        this.endsWithMonitor = endsWithMonitor;
    }

    /** Returns this mode, which must be one that an alias with a monitor can have. */
    AliasMode ofMonitor() {
        if (this == REPLY) {
            throw new IllegalArgumentException(
                    "monitor with an alias: mode=" + this + " expected=EXPLICIT_UNALIAS, DEMONITOR or REPLY_DEMONITOR");
        }
        return this;
    }

    /** Returns this mode, which must be one that an alias without a monitor can have. */
    AliasMode ofNoMonitor() {
        if (endsWithMonitor) {
            throw new IllegalArgumentException(
                    "alias without a monitor: mode=" + this + " expected=EXPLICIT_UNALIAS or REPLY");
        }
        return this;
    }

    boolean endsWithReply() {
        return endsWithReply;
    }

    boolean endsWithMonitor() {
        return endsWithMonitor;
    }
}
