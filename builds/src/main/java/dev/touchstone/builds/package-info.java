/**
 * Builds on machines with the right label: {@code BuildClient} hands them to a master, which hands them to its agents.
 *
 * <p>The way of one job through the packages, the invariants and recipes for changes are described in {@code docs/dev/builds.md}.
 */
@NullMarked
package dev.touchstone.builds;

import org.jspecify.annotations.NullMarked;
