/** Our node and a live Erlang node, in both directions. Skipped where there is no {@code erl}. */
@NullMarked
package dev.touchstone.messaging.erlang;

import org.jspecify.annotations.NullMarked;
