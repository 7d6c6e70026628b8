package dev.touchstone.messaging.spi;

import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Term;
import org.jspecify.annotations.Nullable;

/**
 * A receiver of all that comes for one mailbox, or for no mailbox, as bytes. Called by the thread that reads the sockets, in the order
 * of each connection: its methods must neither block nor throw.
 */
public interface Receiver {
    /**
     * Takes a message.
     *
     * @param peer the name of the node that it came from, or null where that is this node
     * @param from the sender, or null where the message does not tell
     * @param to the pid, the name or the alias that it was sent to; null where it came from this node
     * @param message a term with its version, as it came; nobody has checked that it can be read
     */
    void message(@Nullable String peer, @Nullable Pid from, @Nullable Term to, byte[] message);

    /**
     * Takes an exit signal.
     *
     * @param from the sender
     * @param reason the reason
     * @param linked whether a link has ended; else somebody sent the signal
     */
    void exit(Pid from, Term reason, boolean linked);
}
