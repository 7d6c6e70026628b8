/** Logs: files that scripts write and many may read, bounded, with secrets masked. */
@NullMarked
package dev.touchstone.builds.agent.log;

import org.jspecify.annotations.NullMarked;
