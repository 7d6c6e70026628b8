/** Reads and writes small files: JSON with strict checks, and files that are replaced as a whole. */
@NullMarked
package dev.touchstone.harness.file;

import org.jspecify.annotations.NullMarked;
