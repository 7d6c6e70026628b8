package dev.touchstone.queue.replicated.cli;

import picocli.CommandLine.Command;

/** The program without a sub-command. */
@Command(
        name = "queue-replicated",
        description = {
            "Runs a member of a replicated queue, looks at the members and changes them.",
            "",
            "Each command takes a file of lines NAME=VALUE:",
            "  member=HOST:PORT       this member's address, by which the others reach it",
            "  listen=HOST:PORT       address to listen on, where that is another one",
            "  members=A,B,C          all members with which the group begins",
            "  folder=PATH            folder of this member alone",
            "  max-elements=N  max-bytes=N  when-full=block|reject|drop_oldest",
            "  max-record-bytes=N  segment-bytes=N  named-cursors-only=true|false",
            "  leases=N  lease-seconds=N  election-ms=N  answer-ms=N",
            "  tls-certificate=PATH  tls-key=PATH  tls-authority=PATH"
        },
        exitCodeList = {
            "0:All is well.",
            "2:The command line, or the file, cannot be used.",
            "3:A member is down, or no leader has answered in time, or the folder is in use.",
            "4:Members differ, or a file of a member is damaged.",
            "5:The machine failed.",
            "6:The leader has refused the change: it is made already, or there is no such member, or it cannot be made."
        })
final class MemberRootCommand {}
