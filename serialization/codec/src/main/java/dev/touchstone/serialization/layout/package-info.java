/** Numbers, strings and offsets in the bytes of a record. The callers check offsets; only {@code Utf8} checks the bytes that it reads. */
@NullMarked
package dev.touchstone.serialization.layout;

import org.jspecify.annotations.NullMarked;
