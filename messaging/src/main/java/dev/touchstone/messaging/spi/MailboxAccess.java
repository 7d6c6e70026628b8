package dev.touchstone.messaging.spi;

import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Term;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A mailbox whose messages a {@link Receiver} takes. It has a queue for objects of the front end. Thread-safe. */
public interface MailboxAccess {
    /**
     * Returns the pid.
     *
     * @return the pid
     */
    Pid pid();

    /**
     * Adds a message to the queue, as the limits of the node's mailboxes say: it may be dropped, or its sender may have to wait.
     *
     * @param item the message
     * @param bytes the number of bytes that it counts with
     */
    void put(Object item, int bytes);

    /**
     * Adds a signal to the queue, which is never dropped.
     *
     * @param item the signal
     */
    void signal(Object item);

    /**
     * Returns the number of objects in the queue.
     *
     * @return the number; messages and signals alike
     */
    long count();

    /**
     * Takes the oldest object of the queue. A thread that waits reads the node's sockets itself.
     *
     * @param nanos how long to wait at most
     * @return the object, or null where none came in time or the mailbox is closed
     * @throws InterruptedException if the thread was interrupted
     */
    @Nullable
    Object take(long nanos) throws InterruptedException;

    /**
     * Sends a message to a process of another node, and connects to that where needed.
     *
     * @param to the process
     * @param message an array with the term, without a version
     * @param length the number of bytes of the term
     * @throws IOException if there is no connection and none can be made
     */
    void send(Pid to, byte[] message, int length) throws IOException;

    /**
     * Sends a message to a name at another node, and connects to that where needed.
     *
     * @param to the name
     * @param at the name of the node
     * @param message an array with the term, without a version
     * @param length the number of bytes of the term
     * @throws IOException if there is no connection and none can be made
     */
    void send(Atom to, Atom at, byte[] message, int length) throws IOException;

    /**
     * Registers a further name.
     *
     * @param name the name
     * @return whether it was free
     */
    boolean register(Atom name);

    /**
     * Gives up a name of this mailbox.
     *
     * @param name the name
     */
    void unregister(Atom name);

    /**
     * Links with a process; where it is not there, or not any more, an exit follows.
     *
     * @param other the process
     */
    void link(Pid other);

    /**
     * Ends a link.
     *
     * @param other the process
     */
    void unlink(Pid other);

    /**
     * Returns the processes that it is linked with.
     *
     * @return their pids, in no order
     */
    List<Pid> links();

    /**
     * Sends an exit signal.
     *
     * @param to the process
     * @param reason the reason
     */
    void exit(Pid to, Term reason);

    /**
     * Closes the mailbox and tells the processes that are linked with it or watch it. Objects in the queue can still be taken.
     *
     * @param reason the reason
     */
    void close(Term reason);
}
