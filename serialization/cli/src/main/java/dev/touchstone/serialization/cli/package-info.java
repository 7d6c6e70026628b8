/**
 * The program {@code compact}: shows schemas and records, and holds a program's schemas against the accepted ones.
 *
 * <p>{@code docs/dev/serialization.md} in the repository leads contributors through this module.
 */
@NullMarked
package dev.touchstone.serialization.cli;

import org.jspecify.annotations.NullMarked;
