/**
 * How the processor is used, as a user's sources are: compiled by Maven with it. The only difference is that a user names it in the
 * compiler's {@code annotationProcessorPaths}; here it is on the class path.
 */
@NullMarked
package dev.touchstone.serialization.samples;

import org.jspecify.annotations.NullMarked;
