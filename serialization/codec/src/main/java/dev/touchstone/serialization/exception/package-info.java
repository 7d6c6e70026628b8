/** What can go wrong: each exception names the type, the field, the place or the limit. */
@NullMarked
package dev.touchstone.serialization.exception;

import org.jspecify.annotations.NullMarked;
