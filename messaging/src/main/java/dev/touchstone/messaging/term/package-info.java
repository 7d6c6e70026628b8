/**
 * Erlang's values: immutable, thread-safe, equal by value. Nothing here recurses on the depth of a term. Nulls are refused with a
 * {@link NullPointerException}.
 */
@NullMarked
package dev.touchstone.messaging.term;

import org.jspecify.annotations.NullMarked;
