/** Jobs from their acceptance to their end: what waits, who has what, what is kept. Knows neither the connections of agents nor those of clients. */
@NullMarked
package dev.touchstone.builds.master.job;

import org.jspecify.annotations.NullMarked;
