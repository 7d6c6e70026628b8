package dev.touchstone.queue;

import java.time.Duration;
import java.util.Collection;
import java.util.Iterator;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A FIFO queue of elements on disk: a {@link Queue} that outlives the process.
 *
 * <p><b>Threads.</b> Any number of threads may call every method. Elements of one thread keep their order; elements of several are
 * ordered by when their append was claimed.
 *
 * <p><b>Nulls.</b> {@code null} is not an element: methods throw {@link NullPointerException} for it, but {@code contains} and
 * {@code remove(Object)} return false.
 *
 * <p><b>Memory consistency.</b> Actions in a thread before it offers an element <i>happen-before</i> actions after another thread
 * has been given it, by whichever method. Actions before an acknowledgement happen-before the return of an {@code offer} that was
 * waiting for the room it made.
 *
 * <p><b>Durability.</b> See {@link Durability}. An element is visible to consumers no earlier than it has the queue's durability; a
 * batched queue that a consumer has emptied hands its open batch to the page cache, so that consumers never wait for it to fill.
 *
 * <table>
 * <caption>State that a call leaves when it returns</caption>
 * <tr><th>call</th><th>written</th><th>batched</th><th>synced</th></tr>
 * <tr><td>{@code offer}, {@code append}, {@code offerAll}; {@code offerAsync} when it completes</td>
 * <td>page cache</td><td>memory of the process</td><td>device</td></tr>
 * <tr><td>removals, see {@link QueueCursor}</td><td>page cache</td><td>memory of the process, at most 1024</td>
 * <td>page cache; device with the next element</td></tr>
 * <tr><td>{@code cursor} that makes one, {@code dropCursor}</td><td>device</td><td>device</td><td>device</td></tr>
 * <tr><td>{@code flush}, {@code close}: everything before</td><td>device</td><td>device</td><td>device</td></tr>
 * </table>
 *
 * <p><b>Consumers.</b> The queue is its own {@link QueueCursor}: {@code poll}, {@code peek}, {@code lease} and {@code clear} move it.
 * {@linkplain #cursor Named cursors} each get every element besides.
 *
 * <p><b>Cost.</b> One system call for each batch of elements that are written together, and in a written or synced queue for each removal,
 * delivery and element that is given back. Beyond what the codec allocates, a few small objects for an element that is handed out, and
 * next to nothing for one that is offered. A synced queue waits for one force a batch, shared by all threads that wait at that time.
 *
 * <p><b>Exceptions.</b> Everything that fails for a reason outside the caller's arguments throws a {@link QueueException}: {@link
 * QueueRefusedException} where the queue goes on as soon as the cause is gone (disk full, too many open files), {@link
 * QueueFailedException} where it has to be opened again, {@link CorruptQueueException} for damage. An interrupt ends waiting for room or for
 * an element, neither waiting for the device nor the queue.
 *
 * @param <T> element type
 */
public interface DiskQueue<T> extends Queue<T>, QueueCursor<T>, AutoCloseable {

    /** {@return a builder of a queue whose {@code offer} returns when the element is on the device} See {@link Durability#SYNCED}. */
    static DiskQueueBuilder<byte[]> synced() {
        return DiskQueueBuilder.of(Durability.SYNCED);
    }

    /** {@return a builder of a queue whose {@code offer} returns when the element is in memory} See {@link Durability#BATCHED}. */
    static DiskQueueBuilder<byte[]> batched() {
        return DiskQueueBuilder.of(Durability.BATCHED);
    }

    /** {@return a builder of a queue whose {@code offer} returns when the element is in the page cache} See {@link Durability#WRITTEN}. */
    static DiskQueueBuilder<byte[]> written() {
        return DiskQueueBuilder.of(Durability.WRITTEN);
    }

    /**
     * Returns a builder of a queue that several processes have in common, each a member: {@code offer} returns when the element is on the
     * devices of a majority of them. Every member offers and consumes. See {@link Replication} and {@link Durability#REPLICATED}.
     *
     * @return a builder that needs a {@linkplain DiskQueueBuilder#member member}, and the artefact {@code queue-replicated}
     */
    static DiskQueueBuilder<byte[]> replicated() {
        return DiskQueueBuilder.of(Durability.REPLICATED);
    }

    /**
     * Appends {@code element} and returns once it has the queue's durability; {@link WhenFull} says what happens where a limit leaves no
     * room. O(length of the encoded element).
     *
     * @param element element to append, never null
     * @return true if the element is in the queue; false if a limit left no room, or the thread was interrupted while it waited for some
     * @throws IllegalArgumentException if the encoded element is larger than the queue's record limit
     * @throws QueueException if the element could not be stored; it is then not in the queue, or (after a failed write) may be found
     *     later
     */
    @Override
    boolean offer(T element);

    /**
     * Appends {@code element} as {@link #offer(Object)} does and returns its number.
     *
     * @param element element to append, never null
     * @return the element's sequence number: from 1, in the order of appending
     * @throws IllegalStateException if a limit left no room, or the thread was interrupted while it waited for some
     * @throws IllegalArgumentException if the encoded element is larger than the queue's record limit
     * @throws QueueException as for {@link #offer(Object)}
     */
    long append(T element);

    /**
     * Appends {@code element} as {@link #offer(Object)} does, to be handed out at the end of {@code delay} at the earliest: until then
     * polls and leases pass it over, while iterators and {@link #size} count it in. The delay is stored as a time of the system's
     * clock, so it goes on while the queue is closed, and shifts with a clock that is set. A consumer that has passed a delayed element keeps
     * about 200 bytes of heap for it.
     *
     * @param element element to append, never null
     * @param delay time from now, at least zero; longer than 146 years counts as 146 years
     * @return as for {@link #offer(Object)}
     * @throws IllegalArgumentException if {@code delay} is negative, or the encoded element is larger than the queue's record limit
     * @throws QueueException as for {@link #offer(Object)}
     */
    boolean offer(T element, Duration delay);

    /**
     * Returns the element with this number, or null where there is none: not appended yet, removed, or no longer on disk. O(length of
     * the log file that holds it). In a queue with {@linkplain DiskQueueBuilder#namedCursorsOnly named cursors only} a removed element is
     * returned as long as it is on disk.
     *
     * @param sequence number of the element; any value is allowed
     * @return the element, also if it is delayed or on lease; null if there is none, or it is damaged and {@link Damage.Decision#SKIP} was
     *     decided
     * @throws UndecodableElementException if the codec throws for its bytes
     * @throws CorruptQueueException if its bytes are damaged, unless they are to be skipped
     * @throws QueueException if the queue is closed, or the file cannot be read
     */
    @Nullable
    T get(long sequence);

    /**
     * Appends {@code element}, returns without waiting for its durability, and completes the answer with true once it has it, with false
     * where a limit left no room, or with a {@link QueueException}. Elements of one thread keep their order. Many of these share one
     * force. The caller waits where more is under way than fits into four batches, or where the queue is full and blocks.
     *
     * <p>Actions that depend on the answer run on a thread of this queue, or on the caller's where the answer is there at once, unless they are
     * attached by one of the {@code Async} methods: they must not wait for other answers.
     *
     * @param element element to append, never null
     * @return the answer; it completes with false also if the thread was interrupted while it waited for room, and with {@link
     *     QueueClosedException} if the queue is closed
     * @throws IllegalArgumentException if the encoded element is larger than the queue's record limit
     */
    CompletionStage<Boolean> offerAsync(T element);

    /**
     * Appends all elements in their order with one commit, where they fit into a batch, and returns once they have the queue's durability.
     * Elements of other threads may stand between them. Not atomic: a crash or an exception during the call may leave a prefix. O(length of
     * all encoded elements), which are in memory together.
     *
     * @param elements elements to append, none of them null; may be empty, and nothing happens then
     * @return true if all elements are in the queue; false if a limit left no room for all of them, or the thread was interrupted while it
     *     waited for some, and none is in the queue then
     * @throws IllegalArgumentException if an encoded element is larger than the queue's record limit, or all of them than its limits; none is
     *     in the queue then
     * @throws QueueException if not all elements could be stored; a prefix of them may be in the queue
     */
    boolean offerAll(Collection<? extends T> elements);

    /**
     * Appends all elements as {@link #offerAll} does, and throws where that returns false.
     *
     * @param elements elements to append, none of them null
     * @return true if the queue has changed: false only for an empty collection
     * @throws IllegalStateException if a limit left no room for all of them, or the thread was interrupted while it waited for some
     * @throws IllegalArgumentException if {@code elements} is this queue, or as for {@link #offerAll}
     * @throws QueueException as for {@link #offerAll}
     */
    @Override
    boolean addAll(Collection<? extends T> elements);

    @Override
    @Nullable
    T poll();

    @Override
    @Nullable
    T peek();

    /**
     * Iterates from the head over the elements that were in the queue at the call and are not removed meanwhile; weakly consistent,
     * never throws {@link java.util.ConcurrentModificationException}. Each iterator reads for itself and belongs to one thread. In a queue with
     * {@linkplain DiskQueueBuilder#namedCursorsOnly named cursors only} the head is the first element that the slowest cursor has not removed,
     * and the iterator, {@code contains} and {@code stream} take in every element behind it.
     *
     * <p>Its {@code remove} removes the element wherever it stands, as do {@code remove(Object)} and its like, which search for it in O(n); in
     * a queue with {@linkplain DiskQueueBuilder#namedCursorsOnly named cursors only} the iterator's throws {@link
     * UnsupportedOperationException}. Its {@code hasNext} and {@code next} throw {@link UndecodableElementException} once for an element and
     * go on behind it; damage is treated as a {@linkplain QueueCursor cursor} treats it. An iterator that is not used up may keep a file
     * open until it is garbage-collected.
     *
     * @return a new iterator
     * @throws QueueException if the queue is closed, or elements in memory cannot be written so that they can be read
     */
    @Override
    Iterator<T> iterator();

    /**
     * Iterates over all elements from a sequence on that were in the queue at the call and whose records are still on disk, removed or not. The
     * first step reads the file that holds the sequence, up to it. Its {@code remove} throws {@link UnsupportedOperationException};
     * otherwise it is as {@link #iterator()}.
     *
     * @param sequence number of the first element; the oldest that is on disk if it is smaller than that
     * @return a new iterator, without elements if {@code sequence} is larger than the last
     * @throws QueueException as for {@link #iterator()}
     */
    Iterator<T> iterator(long sequence);

    /**
     * Gives the encoded elements that {@link #iterator(long)} would give to {@code visitor}, without copying them, until it returns
     * false.
     *
     * @param sequence number of the first element; the oldest that is on disk if it is smaller than that
     * @param visitor receiver, called by this thread; what it throws is thrown by this method
     * @return the number of elements that it was given, with the one for which it returned false
     * @throws CorruptQueueException if an element is damaged, unless damage is to be skipped
     * @throws QueueException if the queue is closed, or a file cannot be read
     */
    long visit(long sequence, RecordVisitor visitor);

    /**
     * Returns the cursor with this name, made where absent: it begins with the elements that the queue itself has not removed, or with
     * all that are on disk if the queue has {@linkplain DiskQueueBuilder#namedCursorsOnly named cursors only}. Elements that a cursor has not
     * removed are kept for it, also while nobody uses it, until it is {@linkplain #dropCursor dropped}. A new cursor is on the device when
     * this method returns.
     *
     * @param name name of the cursor
     * @return the cursor, the same object every time until it is dropped
     * @throws QueueRefusedException if the disk has no room for another cursor
     * @throws QueueException if the queue is closed or has failed
     * @throws IllegalArgumentException if the name is not 1 to 64 of {@code A-Z a-z 0-9 . _ -}, beginning with a letter or digit, or
     *     there are 63 named cursors
     */
    QueueCursor<T> cursor(String name);

    /**
     * Returns the cursor with this name, as {@link #cursor} does where there is one, and never makes one.
     *
     * @param name name of the cursor; any string is allowed
     * @return the cursor, or null if there is none of this name
     */
    @Nullable
    QueueCursor<T> findCursor(String name);

    /**
     * Forgets a named cursor and the elements that are kept for it alone. The cursor's methods throw {@link QueueClosedException} from then
     * on, also in threads that wait. On the device when this method returns.
     *
     * @param name name of the cursor
     * @return true if this call dropped the cursor, false if there is none of this name
     * @throws QueueException if the queue is closed, or the change cannot be stored
     */
    boolean dropCursor(String name);

    /** {@return the names of the named cursors that there are now, as an immutable set} */
    Set<String> cursorNames();

    /**
     * Returns this queue as a {@link BlockingQueue}: {@code put} and timed offers wait for room, also with {@link WhenFull#REJECT},
     * {@code take} and timed polls wait for elements, and {@code offer} does not wait. Its offers do not tell the {@linkplain
     * DiskQueueBuilder#onRejected handler} of rejected elements. In a queue that {@linkplain WhenFull#DROP_OLDEST drops the oldest}
     * {@code put} throws {@link IllegalStateException} if the oldest is on lease.
     *
     * @return a view, to be used by any number of threads
     */
    BlockingQueue<T> blocking();

    /**
     * Returns {@link #longSize}, but at most {@link Integer#MAX_VALUE}. O(1), or O(number of cursors) if the queue has {@linkplain
     * DiskQueueBuilder#namedCursorsOnly named cursors only}.
     */
    @Override
    int size();

    @Override
    void clear();

    /**
     * Brings every element accepted and every removal made before the call to the device, at each durability. One force a file that has
     * changed; an interrupt does not end it.
     *
     * @throws QueueRefusedException if the disk has no room for elements that are not in a log file yet; the queue goes on
     * @throws QueueException if the queue is closed, or a force failed, which ends the queue
     */
    void flush();

    /**
     * Returns the group that a {@linkplain #replicated replicated} queue is one member of.
     *
     * @return the group, always the same
     * @throws UnsupportedOperationException if the queue is not replicated
     */
    Replication<T> replication();

    /** {@return counters since the queue was opened, also when it is closed} O(number of files); costs the other operations nothing. */
    QueueStats stats();

    /** {@return a summary of what opening the queue found, always the same} */
    RecoveryReport recovery();

    /**
     * Flushes as {@link #flush} does and releases the folder, which may be opened again when this method returns. Later calls throw {@link
     * QueueClosedException}, but for {@code size}, {@code isEmpty}, {@code longSize}, {@code leased}, {@code cursorNames}, {@code
     * findCursor}, {@code stats}, {@code recovery} and {@code blocking}; so do those that wait. A second call returns at once, also while the
     * first one is at it.
     *
     * @throws QueueException if the flush failed; the folder is released all the same
     */
    @Override
    void close();
}
