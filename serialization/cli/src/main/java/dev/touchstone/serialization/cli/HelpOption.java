package dev.touchstone.serialization.cli;

import picocli.CommandLine.Option;

/** What every command answers. */
final class HelpOption {
    @Option(names = "--help", usageHelp = true, description = "Show this help.")
    boolean isAsked;
}
