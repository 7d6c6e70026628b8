/** The client's side of the protocol. */
@NullMarked
package dev.touchstone.builds.client;

import org.jspecify.annotations.NullMarked;
