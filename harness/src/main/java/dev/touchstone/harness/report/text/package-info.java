/** Reports as text: terminal, Markdown, JSON. */
@NullMarked
package dev.touchstone.harness.report.text;

import org.jspecify.annotations.NullMarked;
