/** The command line: {@code master}, {@code agent} and {@code build}. */
@NullMarked
package dev.touchstone.builds.cli;

import org.jspecify.annotations.NullMarked;
