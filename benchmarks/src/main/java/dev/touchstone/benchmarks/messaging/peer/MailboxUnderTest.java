package dev.touchstone.benchmarks.messaging.peer;

import java.io.Closeable;
import java.io.IOException;

/** Two mailboxes of one node. All calls come from one thread. */
public interface MailboxUnderTest extends Closeable {

    /** Sends five bytes from the first mailbox to the second, receives them there, sends that back and returns what the first receives. */
    Object thereAndBack() throws IOException, InterruptedException;

    /** Sends bytes from a mailbox of its own to the second mailbox, so that a check sees whether {@link #thereAndBack} goes through that. */
    void plant(byte[] bytes) throws IOException;

    /** Returns the bytes of what {@link #thereAndBack} has returned. */
    byte[] bytes(Object message);
}
