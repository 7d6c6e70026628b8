/** Generators of code for other languages, from the schemas of a lock. */
@NullMarked
package dev.touchstone.serialization.cli.code;

import org.jspecify.annotations.NullMarked;
