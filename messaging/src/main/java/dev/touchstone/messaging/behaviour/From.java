package dev.touchstone.messaging.behaviour;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.MessagingException;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;

/**
 * A caller that waits for the reply of a {@link GenServer}. Thread-safe: the reply may be sent later, by any thread, also once the server
 * has ended.
 */
public final class From {
    private final Mailbox server;
    private final Tuple caller; // {Pid, Tag}
    private final boolean waits;

    private From(Mailbox server, Tuple caller, boolean waits) {
        this.server = server;
        this.caller = caller;
        this.waits = waits;
    }

    /** Returns whether a term names a caller, as {@code {Pid, Tag}}. */
    static boolean isCaller(Term term) {
        return term instanceof Tuple pair && pair.size() == 2 && pair.get(0) instanceof Pid;
    }

    /**
     * Makes a caller.
     *
     * @param waits whether a reply waits for room, and for a connection; else it is dropped where it would have to
     */
    static From of(Mailbox server, Term caller, boolean waits) {
        return new From(server, (Tuple) caller, waits);
    }

    /**
     * Returns the process that called. A call through a middleman, as {@code gen_server:multi_call} has one, names the middleman.
     *
     * @return the caller's pid
     */
    public Pid pid() {
        return (Pid) caller.get(0);
    }

    /**
     * Sends the reply. A reply to a caller that has given up, or whose node cannot be reached, is dropped.
     *
     * @param answer the reply
     */
    public void reply(Term answer) {
        try {
            if (waits) {
                server.reply(caller, answer);
            } else {
                boolean unused = server.tryReply(caller, answer);
            }
        } catch (MessagingException.Unreachable callerIsGone) {
            // its monitor has told the caller
        }
    }

    @Override
    public String toString() {
        return "caller " + pid();
    }
}
