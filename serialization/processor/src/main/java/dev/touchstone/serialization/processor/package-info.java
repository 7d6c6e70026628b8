/**
 * Writes what {@link dev.touchstone.serialization.annotation.Compact} promises. Each type is read into a {@link
 * dev.touchstone.serialization.processor.model.TypeModel}, in which all that can be wrong has been refused, and each kind of file that is generated
 * has an emitter that makes its text of a model and of nothing else.
 *
 * <p>{@code docs/dev/serialization.md} in the repository leads contributors through this module.
 */
@NullMarked
package dev.touchstone.serialization.processor;

import org.jspecify.annotations.NullMarked;
