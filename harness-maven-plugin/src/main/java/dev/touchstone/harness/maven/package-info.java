/** Maven goals that start the harness's command line with the class path of the project that they run in. */
@NullMarked
package dev.touchstone.harness.maven;

import org.jspecify.annotations.NullMarked;
