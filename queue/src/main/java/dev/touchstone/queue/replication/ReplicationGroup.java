package dev.touchstone.queue.replication;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A running member of a replicated queue's group. Thread-safe. */
public interface ReplicationGroup extends Closeable {

    /**
     * Gives an entry to the leader, which stamps it and brings it to the members. Entries of one thread reach a leader in their order, as long
     * as it is the same one.
     *
     * @param entry the entry, which is not changed by the caller any more
     * @param done told once: null when the entry was applied by the leader; a {@link NotProposedException} if it is in no log; any other
     *     failure if that is not known. Runs on a thread of the engine and must not block
     */
    void propose(byte[] entry, Consumer<@Nullable Throwable> done);

    /**
     * Waits until this member has applied everything that was committed before the call (Raft dissertation, 6.4).
     *
     * @param done told once: null, or a failure as that there is no leader
     */
    void barrier(Consumer<@Nullable Throwable> done);

    /** Begins a snapshot by the machine's {@code save}, unless one is under way. Returns at once. */
    void snapshot();

    /** {@return whether this member leads} It may not know yet that another one does. */
    boolean leads();

    /** {@return the address of the leader as far as this member knows, or null} */
    @Nullable
    String leader();

    /** {@return the number of the current leadership as far as this member knows} */
    long term();

    /**
     * {@return what keeps this member from doing calls, as far as it knows, as a clause for a message: that there is no leader, that it is behind, or
     * that it was removed}
     */
    String hindrance();

    /**
     * Returns the addresses of the members that vote, as the leader knows them.
     *
     * @throws IOException if no leader answers
     */
    List<String> members() throws IOException;

    /**
     * Hands the leadership to a member.
     *
     * @param member address of the member; null for the one with the most entries
     * @param timeout longest time to wait for it
     * @throws IOException if it does not lead after this time
     */
    void transfer(@Nullable String member, Duration timeout) throws IOException;

    /**
     * Adds a member that was started without members; returns when it votes and has the entries, but for a few of the newest.
     *
     * @throws IOException if it cannot be reached, or is one already
     */
    void add(String member) throws IOException;

    /**
     * Removes a member; returns when it does not vote any more.
     *
     * @throws IOException if there is no such member, or no majority without it
     */
    void remove(String member) throws IOException;
}
