/** What a record's bytes do not say themselves: its type's name, its fields and their kinds, and the fingerprint that stands for them. */
@NullMarked
package dev.touchstone.serialization.schema;

import org.jspecify.annotations.NullMarked;
