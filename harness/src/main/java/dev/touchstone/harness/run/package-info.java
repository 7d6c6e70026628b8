/** What is to be measured and in which order: matrix, cells, plan, forks. */
@NullMarked
package dev.touchstone.harness.run;

import org.jspecify.annotations.NullMarked;
