/** Access to a node for a front end that has mailboxes of its own kind; exported to {@code jinterface} only. */
@NullMarked
package dev.touchstone.messaging.spi;

import org.jspecify.annotations.NullMarked;
