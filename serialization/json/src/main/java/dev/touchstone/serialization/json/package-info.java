/**
 * JSON to and from records of Compact serialization, by their schemas and without classes.
 *
 * <p>{@link dev.touchstone.serialization.json.CompactJson} states which JSON stands for which field kind. {@code docs/dev/serialization.md} in
 * the repository leads contributors through this module.
 */
@NullMarked
package dev.touchstone.serialization.json;

import org.jspecify.annotations.NullMarked;
