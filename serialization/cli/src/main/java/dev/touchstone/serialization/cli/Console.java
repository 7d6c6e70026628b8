package dev.touchstone.serialization.cli;

import java.io.InputStream;
import java.io.PrintWriter;

/**
 * Where a command reads and writes.
 *
 * @param in bytes, where a file is called -
 * @param out results only: a table, or JSON
 * @param err complaints
 */
record Console(InputStream in, PrintWriter out, PrintWriter err) {}
