package dev.touchstone.queue.replicated.cli;

import dev.touchstone.cli.Console;
import dev.touchstone.cli.Program;
import dev.touchstone.cli.UsageException;
import dev.touchstone.queue.CorruptQueueException;
import dev.touchstone.queue.QueueException;
import dev.touchstone.queue.QueueLockedException;
import dev.touchstone.queue.replicated.LeaderRefusedException;
import dev.touchstone.queue.replicated.NoLeaderException;

/** The sub-commands, and the exit codes of their failures. */
final class MemberCommands {
    /** A member is down, or no leader answers. */
    static final int UNAVAILABLE = 3;

    /** Members differ, or a file of a member is damaged. */
    static final int DAMAGED = 4;

    /** The machine, or this program, failed. */
    static final int FAILED = 5;

    /** The leader has refused a change, and made none. */
    static final int REFUSED = 6;

    private MemberCommands() {}

    /** Runs the command that the arguments name. */
    static int execute(Console console, String... args) {
        return Program.of(new MemberRootCommand(), console, FAILED)
                .command(new MemberCommand(console))
                .command(new StatusCommand(console))
                .command(new VerifyCommand(console))
                .command(new TransferCommand(console))
                .command(new AddCommand(console))
                .command(new RemoveCommand(console))
                .failure(QueueLockedException.class, UNAVAILABLE)
                .failure(NoLeaderException.class, UNAVAILABLE)
                .failure(LeaderRefusedException.class, REFUSED)
                .failure(CorruptQueueException.class, DAMAGED)
                .failure(QueueException.class, FAILED)
                .execute(args);
    }

    /**
     * Checks the address of a member on the command line.
     *
     * @throws UsageException if it is none
     */
    static void checkAddress(String address) {
        if (!Setting.isAddress(address)) {
            throw new UsageException("HOST:PORT: expected " + Setting.MEMBER.expected() + ", got " + address);
        }
    }
}
