package dev.touchstone.builds.cli;

import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;

/**
 * The process around a command. Immutable.
 *
 * @param environment the process's
 * @param folder where it was started
 * @param out for the output of builds, byte for byte, and for what was asked for
 * @param err for what is said about it
 */
record ProcessContext(Map<String, String> environment, Path folder, OutputStream out, PrintWriter err) {}
