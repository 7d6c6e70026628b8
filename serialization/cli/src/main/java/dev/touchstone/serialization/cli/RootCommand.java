package dev.touchstone.serialization.cli;

import picocli.CommandLine.Command;

/** The program without a sub-command. */
@Command(
        name = "compact",
        description = "Shows and makes Compact records, checks schemas against the accepted ones, and generates code.",
        exitCodeList = {
            "0:All is well.",
            "1:A change breaks a rule.",
            "2:The command line, or a value or file that it names, cannot be used.",
            "3:No rule is broken, but schemas differ from the accepted ones.",
            "4:A file or a record is damaged or truncated.",
            "5:The machine failed."
        })
final class RootCommand {}
