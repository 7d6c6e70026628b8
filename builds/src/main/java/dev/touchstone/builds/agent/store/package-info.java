/** The folders in which an agent remembers attempts, over its own end, until the master has all of them. */
@NullMarked
package dev.touchstone.builds.agent.store;

import org.jspecify.annotations.NullMarked;
