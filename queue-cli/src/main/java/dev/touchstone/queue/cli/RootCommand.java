package dev.touchstone.queue.cli;

import picocli.CommandLine.Command;

/** The program without a sub-command. */
@Command(
        name = "touchstone-queue",
        description = "Verifies, repairs and shows the folder of a queue.",
        exitCodeList = {
            "0:All is well, or was repaired.",
            "1:The repair was not confirmed; nothing was changed.",
            "2:The command line, or a folder that it names, cannot be used.",
            "3:The queue is in use.",
            "4:The folder is damaged.",
            "5:The machine failed."
        })
final class RootCommand {}
