/** Limits of what a script can use of a machine, held by the kernel's control groups. */
@NullMarked
package dev.touchstone.builds.agent.limit;

import org.jspecify.annotations.NullMarked;
