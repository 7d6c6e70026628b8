package dev.touchstone.harness.cli;

import java.io.PrintWriter;

/**
 * Where a command writes.
 *
 * @param out results only: a table, or one JSON document
 * @param err progress and complaints
 * @param terminal whether {@code err} is watched by a person, so that a line may be overwritten
 */
public record Console(PrintWriter out, PrintWriter err, boolean terminal) {}
