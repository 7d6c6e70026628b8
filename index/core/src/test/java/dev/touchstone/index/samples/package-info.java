/** How the index is used: each class is one recipe, compiled and run with the tests. */
@NullMarked
package dev.touchstone.index.samples;

import org.jspecify.annotations.NullMarked;
