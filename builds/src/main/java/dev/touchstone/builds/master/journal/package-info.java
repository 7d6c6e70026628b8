/** The journal of the master: its events, the secrets in them, and the ways to write it anew. Knows nothing of jobs in memory. */
@NullMarked
package dev.touchstone.builds.master.journal;

import org.jspecify.annotations.NullMarked;
