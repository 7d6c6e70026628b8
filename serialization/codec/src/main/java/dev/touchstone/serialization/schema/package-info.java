/** Schemas of records: the name of a type, its fields and their kinds, the fingerprint that stands for them, and rules for their changes. */
@NullMarked
package dev.touchstone.serialization.schema;

import org.jspecify.annotations.NullMarked;
