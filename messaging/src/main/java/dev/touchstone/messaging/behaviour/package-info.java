/** Erlang's behaviours in Java: servers and supervisors that OTP's own functions recognise, and process groups. */
@NullMarked
package dev.touchstone.messaging.behaviour;

import org.jspecify.annotations.NullMarked;
