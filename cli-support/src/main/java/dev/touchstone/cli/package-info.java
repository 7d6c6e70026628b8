/**
 * Support for command lines built with picocli.
 *
 * <p>{@link dev.touchstone.cli.Program} sets picocli up and turns failures into one line on standard error and an exit code.
 * {@link dev.touchstone.cli.Console} holds the streams, so that a test replaces them. Commands throw
 * {@link dev.touchstone.cli.UsageException} for input that cannot be used.
 */
@NullMarked
package dev.touchstone.cli;

import org.jspecify.annotations.NullMarked;
