/** The protocol of the programs that this part replaces: a door of the master for them, and a client and an agent that speak it. */
@NullMarked
package dev.touchstone.builds.origin;

import org.jspecify.annotations.NullMarked;
