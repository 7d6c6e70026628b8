/**
 * An Erlang distribution node: {@code Node} joins a cluster, {@code Mailbox} is a process in it; {@code docs/dev/messaging.md} describes
 * how the code works.
 */
@NullMarked
package dev.touchstone.messaging;

import org.jspecify.annotations.NullMarked;
