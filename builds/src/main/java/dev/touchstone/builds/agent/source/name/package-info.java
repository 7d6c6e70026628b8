/** Names that come from requests, checked: none leads out of a folder, and no program takes one for an option. */
@NullMarked
package dev.touchstone.builds.agent.source.name;

import org.jspecify.annotations.NullMarked;
