package dev.touchstone.harness.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The program itself: help and version. */
@Command(
        name = Commands.NAME,
        synopsisHeading = "Usage: ",
        customSynopsis = {"touchstone <sub-command> [options] [-- JMH options]", "       touchstone [JMH options]"},
        description = {
            "",
            "Measures the benchmarks on this class path: subjects interleaved fork by fork, every fork recorded.",
            "Without a sub-command it is plain JMH: -l lists benchmarks, -h shows JMH's options, a regular",
            "expression runs what it matches.",
            ""
        },
        commandListHeading = "Sub-commands:%n",
        footer = {"", "Exit codes: 0 ok, 1 slower, 2 usage, 3 too little measured for a verdict, 4 a benchmark failed."
        })
final class RootCommand implements Runnable {
    @Mixin
    HelpOption help = new HelpOption();

    @Option(names = "--version", versionHelp = true, description = "Show version and commit.")
    boolean version;

    @Override
    public void run() {
        // reached with neither option nor sub-command only, and such command lines are JMH's
    }
}
