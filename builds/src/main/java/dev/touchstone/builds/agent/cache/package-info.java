/** Folders that builds of a repository leave for later ones. */
@NullMarked
package dev.touchstone.builds.agent.cache;

import org.jspecify.annotations.NullMarked;
