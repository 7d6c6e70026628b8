/** Where the output of builds goes, besides the master's log: each place a small class behind one interface. */
@NullMarked
package dev.touchstone.builds.output;

import org.jspecify.annotations.NullMarked;
