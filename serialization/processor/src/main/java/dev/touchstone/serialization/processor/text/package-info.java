/** Texts of sources: templates with holes, and statements that are too many for one method. */
@NullMarked
package dev.touchstone.serialization.processor.text;

import org.jspecify.annotations.NullMarked;
