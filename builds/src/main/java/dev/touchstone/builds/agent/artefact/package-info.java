/** Collects the files that a build hands to the master. */
@NullMarked
package dev.touchstone.builds.agent.artefact;

import org.jspecify.annotations.NullMarked;
