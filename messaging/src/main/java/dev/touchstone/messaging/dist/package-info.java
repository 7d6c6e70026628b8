/** Connections to other nodes: the threads that read and write their sockets, and the format of the bytes between them. */
@NullMarked
package dev.touchstone.messaging.dist;

import org.jspecify.annotations.NullMarked;
