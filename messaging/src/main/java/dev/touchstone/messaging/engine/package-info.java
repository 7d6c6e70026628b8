/** The node behind the API: mailboxes, the ways of messages and signals, and the connections to other nodes. */
@NullMarked
package dev.touchstone.messaging.engine;

import org.jspecify.annotations.NullMarked;
