package dev.touchstone.queue.replicated.faults;

import dev.touchstone.queue.DiskQueue;
import dev.touchstone.queue.DiskQueueBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Command line of a member's process.
 *
 * @param folder folder of all members
 * @param number number of this member
 * @param names addresses of all members, as they know each other
 * @param listen address on which this member listens
 * @param lease longest time of a lease
 */
record MemberArguments(Path folder, int number, List<String> names, String listen, Duration lease) {
    private static final Duration ELECTION = Duration.ofMillis(500);
    private static final Duration ANSWER = Duration.ofSeconds(3);

    static MemberArguments parse(String[] args) {
        return new MemberArguments(
                Path.of(args[0]),
                Integer.parseInt(args[1]),
                List.of(args[2].split(",")),
                args[3],
                Duration.ofMillis(Long.parseLong(args[4])));
    }

    List<String> text() {
        return List.of(
                folder.toString(),
                String.valueOf(number),
                String.join(",", names),
                listen,
                String.valueOf(lease.toMillis()));
    }

    Path memberFolder() {
        return folder.resolve("member-" + number).resolve("queue");
    }

    DiskQueueBuilder<byte[]> queue() {
        return DiskQueue.replicated()
                .member(names.get(number))
                .memberListen(listen)
                .members(names.toArray(String[]::new))
                .memberTimes(ELECTION, ANSWER)
                .folder(memberFolder())
                .leases(10_000, lease)
                .redeliveryDelay(Duration.ZERO, Duration.ZERO);
    }
}
