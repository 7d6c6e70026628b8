package dev.touchstone.queue;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The members that have a {@linkplain DiskQueue#replicated replicated} queue in common, as one of them sees the others.
 *
 * <p>The members agree on the order of all changes by Raft; one of them leads. A call at any member is sent to the leader, and returns when a
 * majority has it on the device and this member has applied it. While no majority can be reached, calls wait for the {@linkplain
 * DiskQueueBuilder#memberTimes answer time} and throw {@link QueueRefusedException} if they were not sent, or {@link OutcomeUnknownException}.
 * A change of the leader needs nothing of the caller: what was sent to the old one is sent again, and is done once.
 *
 * <p>{@code get}, iterators, {@code contains} and {@code visit} see every change that any member's call has returned from. {@code size},
 * {@code stats}, {@code leased} and {@code cursorNames} tell of the changes that this member has applied, those of its own callers among
 * them; {@link #awaitCommitted} brings the others.
 *
 * <p>Leases and delays run by the time of the leader, which never goes back: it begins with its clock when it is elected, and goes on by its
 * monotonic clock.
 *
 * <p>Thread-safe.
 *
 * @param <T> element type of the queue
 */
public interface Replication<T> {

    /** {@return whether this member leads, and has applied what earlier leaders have committed} */
    boolean isLeader();

    /** {@return the address of the leader as far as this member knows, or null} */
    @Nullable
    String leader();

    /** {@return the number of the current leadership, which grows with each change: a token that fences those of earlier leaders} */
    long term();

    /**
     * Returns the addresses of the members, as the leader knows them.
     *
     * @return an immutable list, in no particular order
     * @throws QueueRefusedException if no leader answers
     */
    List<String> members();

    /**
     * Hands the leadership to another member. Calls that are under way go on.
     *
     * @param member address of the member; null for the one that has the most changes
     * @param timeout longest time to wait until it leads
     * @throws QueueRefusedException if it does not lead after that time
     */
    void transferLeadership(@Nullable String member, Duration timeout);

    /**
     * Adds a member, which was opened with its address and without {@linkplain DiskQueueBuilder#members members}. Returns when it votes and
     * has the changes that were made before the call, but for a few of the newest that may be on their way to it.
     *
     * @param member address of the new member
     * @throws QueueRefusedException if it cannot be reached, or no leader answers
     */
    void addMember(String member);

    /**
     * Removes a member, also one that cannot be reached. Returns when it does not vote any more.
     *
     * @param member address of the member
     * @throws QueueRefusedException if there is no such member, or no majority without it
     */
    void removeMember(String member);

    /**
     * Returns when this member has applied every change that was committed before the call.
     *
     * @throws QueueRefusedException if no leader answers
     */
    void awaitCommitted();

    /**
     * Appends an element unless its producer has done so before, so that an offer whose outcome is unknown can be made again, also after the
     * producer's process was restarted. The queue knows the last number of the 100 000 producers that offered last.
     *
     * @param producer name of the producer, 1 to 64 of {@code A-Z a-z 0-9 . _ -}
     * @param number number of the element, at least 1, larger than that of the producer's elements before it
     * @param element element to append, never null
     * @return true if the element is in the queue, or was: by this call or an earlier one; false if a limit left no room, or the thread was
     *     interrupted while it waited for some
     * @throws IllegalArgumentException if {@code producer} or {@code number} is none, or the encoded element is larger than the record limit
     * @throws QueueException as for {@link DiskQueue#offer(Object)}
     */
    boolean offer(String producer, long number, T element);

    /**
     * Returns the number of the last element of a producer.
     *
     * @param producer name of the producer
     * @return the number, 0 if the queue does not know the producer
     * @throws QueueRefusedException if no leader answers
     */
    long lastNumber(String producer);
}
