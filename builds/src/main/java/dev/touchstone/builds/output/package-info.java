/** The places that the output of builds goes to besides the master's log: each a small class behind one interface. */
@NullMarked
package dev.touchstone.builds.output;

import org.jspecify.annotations.NullMarked;
