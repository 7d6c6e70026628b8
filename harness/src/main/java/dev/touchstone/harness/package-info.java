/** The interfaces by which a project adds to the command line. */
@NullMarked
package dev.touchstone.harness;

import org.jspecify.annotations.NullMarked;
