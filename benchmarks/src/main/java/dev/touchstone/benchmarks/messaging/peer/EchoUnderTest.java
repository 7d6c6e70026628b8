package dev.touchstone.benchmarks.messaging.peer;

import java.io.Closeable;
import java.io.IOException;

/**
 * A node of clients and one or more nodes of servers, with one TCP connection over loopback from the clients' node to each other. A server
 * has a mailbox and a thread, which answers every pid that it receives with the five bytes of {@link #answer}, and every pair of a pid and
 * another term with that term.
 *
 * <p>A ceiling has sockets in place of nodes and the same bytes on them.
 */
public interface EchoUnderTest extends Closeable {

    /** Returns what the server answers to a pid alone, in an array of its own. */
    static byte[] answer() {
        return new byte[] {1, 2, 3, 4, 5};
    }

    /** Returns the client with this index, from 0 to one less than the number that the subject was opened for; to be called once each. */
    Client client(int index) throws IOException;

    /** Returns what {@link Client#echo} has returned as a value of {@link PlainTerms}. */
    Object plain(Object answer);

    /** Returns the processor time that the subject has used in processes other than this one. */
    default long otherCpuNanos() {
        return 0;
    }

    /** A mailbox of the clients' node. Belongs to one thread. */
    interface Client {

        /** Prepares for the calls of an iteration. */
        default void begin() throws IOException {}

        /** Sends the mailbox's pid to its server, with the body if there is one, blocks until the answer is there and returns it. */
        Object echo() throws IOException, InterruptedException;
    }
}
