/** The agent's link to its master: assignments in, logs and outcomes out, over lost connections and restarts of either. */
@NullMarked
package dev.touchstone.builds.link;

import org.jspecify.annotations.NullMarked;
