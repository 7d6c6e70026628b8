/** Exceptions of the serialization, each of which names the type, the field, the place or the limit. */
@NullMarked
package dev.touchstone.serialization.exception;

import org.jspecify.annotations.NullMarked;
