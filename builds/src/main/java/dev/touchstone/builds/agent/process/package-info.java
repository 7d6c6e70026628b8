/** Processes: the only place of the agent that starts them, and the one that sees to it that nothing of them stays. */
@NullMarked
package dev.touchstone.builds.agent.process;

import org.jspecify.annotations.NullMarked;
