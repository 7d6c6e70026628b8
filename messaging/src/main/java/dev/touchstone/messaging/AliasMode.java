package dev.touchstone.messaging;

/** The ends of an {@linkplain Mailbox#alias() alias}, beside {@link Mailbox#unalias} and the end of the mailbox. */
public enum AliasMode {
    /** None. */
    EXPLICIT_UNALIAS,
    /** The first message to the alias. */
    REPLY,
    /** The end of the monitor that the alias was made with: its message, or {@link Mailbox#demonitor}. */
    DEMONITOR,
    /** The end of the monitor, or the first message to the alias, which also ends the monitor. */
    REPLY_DEMONITOR
}
