package dev.touchstone.harness.cli;

import picocli.CommandLine.Option;

/** What every command answers. */
public final class HelpOption {
    @Option(names = "--help", usageHelp = true, description = "Show this help.")
    boolean help;
}
