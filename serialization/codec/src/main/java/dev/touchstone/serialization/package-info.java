/**
 * Compact serialization: writes objects to the bytes that Hazelcast 5 writes, and reads them without trust. Whatever the bytes are, reading
 * ends in a value or in a {@link dev.touchstone.serialization.exception.CompactException}, in time and memory that grow with their number.
 *
 * <p>{@code docs/dev/serialization.md} in the repository leads contributors through this module.
 */
@NullMarked
package dev.touchstone.serialization;

import org.jspecify.annotations.NullMarked;
