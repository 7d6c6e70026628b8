/** The machine: what it is, and what that means for the figures. */
@NullMarked
package dev.touchstone.harness.env;

import org.jspecify.annotations.NullMarked;
