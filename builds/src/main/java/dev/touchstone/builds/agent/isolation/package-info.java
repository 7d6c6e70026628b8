/** Isolation: the boundary between scripts on one side, and the agent, other builds and the machine on the other. */
@NullMarked
package dev.touchstone.builds.agent.isolation;

import org.jspecify.annotations.NullMarked;
