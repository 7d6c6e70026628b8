package dev.touchstone.builds.master.rpc;

import dev.touchstone.builds.access.Caller;
import java.util.concurrent.atomic.AtomicBoolean;

/** A connection of a guest, whose number opens its streams of logs and of artefacts, one of each. Thread-safe, but for what a subclass adds. */
public abstract class GuestSession {
    /*
     * Who calls:  threads of the transport, which open streams, and services `openLogs` and `openArtefacts`; any thread what is final.
     * Invariants: the first caller of either who is the session's guest gets the stream, and nobody after it.
     */
    private final long id;
    private final AtomicBoolean hasLogs = new AtomicBoolean();
    private final AtomicBoolean hasArtefacts = new AtomicBoolean();

    /** Creates the session with a number of {@link Sessions#newId}. */
    protected GuestSession(long id) {
        this.id = id;
    }

    /** Returns the number of the session. */
    public long id() {
        return id;
    }

    /** Returns the identity of the agent, or the name of the client's token. */
    public abstract String name();

    /** Returns whether a caller is the guest of this session. */
    protected abstract boolean isOf(Caller caller);

    /** Returns whether a caller may open the stream of logs; true once. */
    public boolean openLogs(Caller caller) {
        return isOf(caller) && !hasLogs.getAndSet(true);
    }

    /** Returns whether a caller may open the stream of artefacts; true once. */
    public boolean openArtefacts(Caller caller) {
        return isOf(caller) && !hasArtefacts.getAndSet(true);
    }
}
