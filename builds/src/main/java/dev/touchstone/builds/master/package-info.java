/** The master: takes jobs, gives them to agents, keeps logs and results, and has all of it again after it was killed. */
@NullMarked
package dev.touchstone.builds.master;

import org.jspecify.annotations.NullMarked;
