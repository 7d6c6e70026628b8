/** The command line: sub-commands, tables, exit codes. */
@NullMarked
package dev.touchstone.harness.cli;

import org.jspecify.annotations.NullMarked;
