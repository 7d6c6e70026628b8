/** Results in the forms of other tools. */
@NullMarked
package dev.touchstone.harness.report.export;

import org.jspecify.annotations.NullMarked;
