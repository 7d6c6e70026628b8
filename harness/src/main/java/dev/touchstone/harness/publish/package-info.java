/** Published results: the tables below {@code docs/results} and the plots below {@code docs/plots}, generated from recorded runs. */
@NullMarked
package dev.touchstone.harness.publish;

import org.jspecify.annotations.NullMarked;
