/** Sources: one bare mirror per repository, one tree per repository and branch, and names that cannot lead out of either. */
@NullMarked
package dev.touchstone.builds.agent.source;

import org.jspecify.annotations.NullMarked;
