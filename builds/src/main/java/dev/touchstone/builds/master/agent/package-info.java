/** Connected agents: what they are given and told, and what they say of it. */
@NullMarked
package dev.touchstone.builds.master.agent;

import org.jspecify.annotations.NullMarked;
