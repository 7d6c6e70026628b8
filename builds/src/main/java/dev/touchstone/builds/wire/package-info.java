/** Messages between clients, the master and its agents: records as Erlang terms, and the nodes that carry them. */
@NullMarked
package dev.touchstone.builds.wire;

import org.jspecify.annotations.NullMarked;
