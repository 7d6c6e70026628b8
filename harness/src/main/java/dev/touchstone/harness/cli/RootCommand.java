package dev.touchstone.harness.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The program itself: help and version. */
@Command(
        name = Commands.NAME,
        customSynopsis = {"touchstone COMMAND [OPTIONS] [-- JMH options]", "       touchstone [JMH options]"},
        description = {
            "Measures the JMH benchmarks on this class path. The forks of all subjects take turns, and every fork is recorded.",
            "",
            "Without a command this is plain JMH: -l lists benchmarks, -h shows JMH's options, and a regular expression "
                    + "runs the benchmarks that it matches."
        },
        exitCodeList = {
            "0:All was measured, or nothing is slower.",
            "1:Something is slower.",
            "2:The command line, or a value or file that it names, cannot be used.",
            "3:Too little was measured for a verdict.",
            "4:A benchmark, a check or the machine failed."
        })
final class RootCommand {
    @Option(names = "--version", versionHelp = true, description = "Show version and commit.")
    boolean version;
}
