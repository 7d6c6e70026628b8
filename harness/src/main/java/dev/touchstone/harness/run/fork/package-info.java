/** Forks of JMH: what each is started with, and what it writes. */
@NullMarked
package dev.touchstone.harness.run.fork;

import org.jspecify.annotations.NullMarked;
