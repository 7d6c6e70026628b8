/** A recorded run as text, Markdown and one self-contained HTML page. */
@NullMarked
package dev.touchstone.harness.report;

import org.jspecify.annotations.NullMarked;
