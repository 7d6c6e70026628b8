package dev.touchstone.serialization.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The program without a sub-command. */
@Command(
        name = "compact",
        description = "Shows Compact schemas and records, and holds schemas against the accepted ones.",
        synopsisSubcommandLabel = "COMMAND",
        footerHeading = "%nExit codes:%n",
        footer = {
            "  0  all is well",
            "  1  a change breaks a rule",
            "  2  the command line or a file named in it is not usable",
            "  3  schemas are others than those that were accepted, but break no rule",
            "  4  a file or a record is damaged or cut off",
            "  5  the machine failed"
        })
final class RootCommand {
    @Mixin
    final HelpOption help = new HelpOption();
}
