/** Types as the processor has read and checked them: all that the emitters need, in terms of sources and schemas. */
@NullMarked
package dev.touchstone.serialization.processor.model;

import org.jspecify.annotations.NullMarked;
