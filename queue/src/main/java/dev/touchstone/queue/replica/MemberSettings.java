package dev.touchstone.queue.replica;

import dev.touchstone.queue.replication.GroupOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a queue's builder for a member of a replicated queue.
 *
 * @param address address by which the others reach this member; empty until it is set
 * @param listen address on which this member listens; null for {@code address}
 * @param members addresses of all members; empty for one that is to be added
 * @param electionTimeout time without a message from the leader after which the member stands for election
 * @param answerTime longest time that a call waits for the other members
 * @param tls encryption between members; null for none
 */
public record MemberSettings(
        String address,
        @Nullable String listen,
        List<String> members,
        Duration electionTimeout,
        Duration answerTime,
        GroupOptions.@Nullable Tls tls) {
    /** Settings of a member without an address. */
    public static final MemberSettings DEFAULT =
            new MemberSettings("", null, List.of(), Duration.ofMillis(500), Duration.ofSeconds(10), null);

    private static final Duration MAX_TIME = Duration.ofNanos(Long.MAX_VALUE / 2);

    /** Returns settings with another address. */
    public MemberSettings withAddress(String changed) {
        return new MemberSettings(changed, listen, members, electionTimeout, answerTime, tls);
    }

    /** Returns settings with another address to listen on. */
    public MemberSettings withListen(String changed) {
        return new MemberSettings(address, changed, members, electionTimeout, answerTime, tls);
    }

    /** Returns settings with other members. */
    public MemberSettings withMembers(List<String> changed) {
        return new MemberSettings(address, listen, changed, electionTimeout, answerTime, tls);
    }

    /** Returns settings with other times. Times of more than 146 years, before or after 0, become 146 years. */
    public MemberSettings withTimes(Duration election, Duration answer) {
        return new MemberSettings(address, listen, members, cut(election), cut(answer), tls);
    }

    private static Duration cut(Duration time) {
        Duration longest = time.compareTo(MAX_TIME) < 0 ? time : MAX_TIME;
        return longest.compareTo(MAX_TIME.negated()) < 0 ? MAX_TIME.negated() : longest;
    }

    /** Returns settings with encryption. */
    public MemberSettings withTls(GroupOptions.Tls changed) {
        return new MemberSettings(address, listen, members, electionTimeout, answerTime, changed);
    }

    /** Returns the options of the engine, which stores in {@code folder}. */
    public GroupOptions group(Path folder) {
        return new GroupOptions(address, listen == null ? address : listen, members, folder, electionTimeout, tls);
    }
}
