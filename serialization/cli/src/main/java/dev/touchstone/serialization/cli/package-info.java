/** The program {@code compact}: shows schemas and records, and holds a program's schemas against the accepted ones. */
@NullMarked
package dev.touchstone.serialization.cli;

import org.jspecify.annotations.NullMarked;
