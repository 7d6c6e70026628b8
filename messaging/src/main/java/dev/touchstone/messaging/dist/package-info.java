/** Connections to other nodes: who reads and writes their sockets, and what the bytes between them say. */
@NullMarked
package dev.touchstone.messaging.dist;

import org.jspecify.annotations.NullMarked;
