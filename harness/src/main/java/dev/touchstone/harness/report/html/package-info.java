/** The HTML report, and its plots. */
@NullMarked
package dev.touchstone.harness.report.html;

import org.jspecify.annotations.NullMarked;
