package dev.touchstone.messaging;

/**
 * A node's counters at one moment.
 *
 * @param connections nodes that it is connected to
 * @param mailboxes open mailboxes
 * @param dropped messages to nobody: an unknown or closed mailbox, an alias that was given up
 * @param ignored control messages of operations that are not known
 */
public record NodeStats(int connections, int mailboxes, long dropped, long ignored) {}
