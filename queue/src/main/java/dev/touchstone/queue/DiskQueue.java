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
 * <p><b>Nulls.</b> {@code null} is not an element: methods throw {@link NullPointerException} for it.
 *
 * <p><b>Memory consistency.</b> Actions in a thread before it offers an element <i>happen-before</i> actions after another thread
 * has been given it, by whichever method. Actions before an acknowledgement happen-before the return of an {@code offer} that was
 * waiting for the room it made.
 *
 * <p><b>Durability.</b> See {@link Durability}. An element is visible to consumers no earlier than it has the queue's durability; a
 * batched queue that a consumer has emptied hands its open batch to the page cache, so that consumers never wait for it to fill.
 *
 * <p><b>Consumers.</b> The queue is its own {@link QueueCursor}: {@code poll}, {@code peek}, {@code lease} and {@code clear} move it.
 * {@linkplain #cursor Named cursors} each get every element besides.
 *
 * <p><b>Cost.</b> One system call for each batch of elements that are written together, and in a written or synced queue for each removal,
 * delivery and element that is given back. A synced queue waits for one force a batch, shared by all threads that wait at that time.
 *
 * <p><b>Exceptions.</b> Everything that fails for a reason outside the caller's arguments throws a {@link QueueException}: {@link
 * QueueRefusedException} where the queue goes on as soon as the cause is gone (disk full, too many open files), {@link
 * QueueFailedException} where it has to be opened again, {@link CorruptQueueException} for damage. Interrupts end waiting, not the
 * queue.
 *
 * @param <T> element type
 */
public interface DiskQueue<T> extends Queue<T>, QueueCursor<T>, AutoCloseable {

    /** Starts a queue whose {@code offer} returns when the element is on the device. */
    static DiskQueueBuilder<byte[]> synced() {
        return DiskQueueBuilder.of(Durability.SYNCED);
    }

    /** Starts a queue whose {@code offer} returns when the element is in memory, and which writes in bounded batches. */
    static DiskQueueBuilder<byte[]> batched() {
        return DiskQueueBuilder.of(Durability.BATCHED);
    }

    /** Starts a queue whose {@code offer} returns when the element is in the page cache. */
    static DiskQueueBuilder<byte[]> written() {
        return DiskQueueBuilder.of(Durability.WRITTEN);
    }

    /**
     * Appends {@code element} and returns true once it has the queue's durability; what happens where a limit leaves no room is {@link
     * WhenFull}'s. O(length of the encoded element).
     *
     * @throws IllegalArgumentException if the encoded element is larger than the queue's record limit
     * @throws QueueException if the element could not be stored; it is then not in the queue, or (after a failed write) may be found
     *     later
     */
    @Override
    boolean offer(T element);

    /**
     * Appends {@code element} as {@link #offer} does and returns its number: from 1, in the order of appending.
     *
     * @throws IllegalStateException if a limit left no room, or the thread was interrupted while it waited for some
     * @throws IllegalArgumentException if the encoded element is larger than the queue's record limit
     * @throws QueueException if the element could not be stored
     */
    long append(T element);

    /**
     * Appends {@code element} as {@link #offer(Object)} does, to be handed out at the end of {@code delay} at the earliest: until then
     * polls and leases pass it over, while iterators and {@link #size} count it in. The delay is stored as a time of the system's
     * clock, so it goes on while the queue is closed, and shifts with a clock that is set. A consumer that has passed a delayed element keeps
     * about 200 bytes of heap for it.
     *
     * @throws IllegalArgumentException if {@code delay} is negative, or the encoded element is larger than the queue's record limit
     * @throws QueueException as for {@link #offer(Object)}
     */
    boolean offer(T element, Duration delay);

    /**
     * Returns the element with this number, or null where there is none: not appended yet, removed, or no longer on disk. O(length of
     * the log file that holds it).
     *
     * @throws UndecodableElementException if the codec throws for its bytes
     */
    @Nullable
    T get(long sequence);

    /**
     * Appends {@code element}, returns without waiting for its durability, and completes the answer with true once it has it, with false
     * where a limit left no room, or with a {@link QueueException}. Elements of one thread keep their order. Many of these share one
     * force. The caller waits where more is under way than fits into four batches, or where the queue is full and blocks.
     *
     * <p>What depends on the answer runs on the queue's committing thread, unless it is attached by one of the {@code Async} methods: it
     * must not wait for other answers.
     *
     * @throws IllegalArgumentException if the encoded element is larger than the queue's record limit
     */
    CompletionStage<Boolean> offerAsync(T element);

    /**
     * Appends all elements in their order with one commit, where they fit into a batch, and returns true once they have the queue's
     * durability; false where a limit leaves no room for all of them, and then none is in the queue. Not atomic: a crash during the call
     * may leave a prefix.
     *
     * @throws IllegalArgumentException if an encoded element is larger than the queue's record limit, or all of them than its limits
     */
    boolean offerAll(Collection<? extends T> elements);

    /** As {@link #offerAll}, and throws {@link IllegalStateException} where there is no room. */
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
     * never throws {@link java.util.ConcurrentModificationException}. Each iterator reads for itself and belongs to one thread.
     *
     * <p>Its {@code remove} removes the element wherever it stands, as do {@code remove(Object)} and its like, which search for it in O(n).
     */
    @Override
    Iterator<T> iterator();

    /**
     * Iterates over all elements from a sequence on whose records are still on disk, removed or not; from the oldest where {@code
     * sequence} is smaller. Does not remove. The first step reads the file that holds the sequence, up to it.
     */
    Iterator<T> iterator(long sequence);

    /**
     * Gives the encoded elements that {@link #iterator(long)} would give to {@code visitor}, without copying them, until it returns
     * false; returns how many it was given.
     */
    long visit(long sequence, RecordVisitor visitor);

    /**
     * Returns the cursor with this name, made where absent: it begins with the elements that the queue itself has not removed, or, where
     * {@linkplain DiskQueueBuilder#namedCursorsOnly only named cursors} consume, with all that are on disk. A cursor that was made is on
     * the device. What it has not removed is kept for it, also while nobody uses it, until it is {@linkplain #dropCursor dropped}. The same
     * object every time.
     *
     * @throws IllegalArgumentException if the name is not 1 to 64 of {@code A-Z a-z 0-9 . _ -}, beginning with a letter or digit, or
     *     there are 63 named cursors
     */
    QueueCursor<T> cursor(String name);

    /** Forgets a named cursor and what is kept for it alone, also on the device; returns false where there is none. */
    boolean dropCursor(String name);

    /** The named cursors there are. */
    Set<String> cursorNames();

    /** This queue as a {@link BlockingQueue}: {@code put} and timed offers wait for room, {@code take} and timed polls for elements. */
    BlockingQueue<T> blocking();

    /** Number of elements, at most {@link Integer#MAX_VALUE}. O(1). */
    @Override
    int size();

    @Override
    void clear();

    /** Returns once every element accepted and every removal made before the call is on the device. One force a file. */
    void flush();

    /** Counters since the queue was opened. O(number of files); costs the other operations nothing. */
    QueueStats stats();

    /** What opening the queue found. */
    RecoveryReport recovery();

    /**
     * Flushes and releases the folder. Later calls throw {@link QueueClosedException}, but for {@code size}, {@code stats} and
     * {@code close}; so do those that wait.
     */
    @Override
    void close();
}
