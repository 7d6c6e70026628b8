/** An Erlang distribution node: {@code Node} joins a cluster, {@code Mailbox} is a process in it. */
@NullMarked
package dev.touchstone.messaging;

import org.jspecify.annotations.NullMarked;
