/** The way from the API to a master: makes the clients of {@link dev.touchstone.builds}. */
@NullMarked
package dev.touchstone.builds.connect;

import org.jspecify.annotations.NullMarked;
