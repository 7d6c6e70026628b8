/** The file of an index: its format, and the methods that write and read it. */
@NullMarked
package dev.touchstone.index.file;

import org.jspecify.annotations.NullMarked;
