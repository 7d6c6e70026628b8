/** The logs of jobs on the master's disk: one file for each attempt, read as one. */
@NullMarked
package dev.touchstone.builds.master.log;

import org.jspecify.annotations.NullMarked;
