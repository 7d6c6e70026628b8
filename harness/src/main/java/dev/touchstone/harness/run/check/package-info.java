/**
 * Semantic checks: evidence that a benchmark does the work that it times, from effects that others than the subject observe.
 *
 * <p>The rules, the observers and their limits are described in {@code docs/dev/checks.md}.
 */
@NullMarked
package dev.touchstone.harness.run.check;

import org.jspecify.annotations.NullMarked;
