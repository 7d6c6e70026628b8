/** Tests of the drop-in, most of which run the same calls against the real library as well. */
@NullMarked
package dev.touchstone.jinterface;

import org.jspecify.annotations.NullMarked;
