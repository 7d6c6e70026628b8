/** Builds on machines with the right label: {@code BuildClient} hands them to a master, which hands them to its agents. */
@NullMarked
package dev.touchstone.builds;

import org.jspecify.annotations.NullMarked;
