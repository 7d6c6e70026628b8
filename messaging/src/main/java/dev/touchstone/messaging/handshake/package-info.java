/** The handshake, by which two nodes prove to each other that they share a cookie: a state machine of packets, which knows no socket. */
@NullMarked
package dev.touchstone.messaging.handshake;

import org.jspecify.annotations.NullMarked;
