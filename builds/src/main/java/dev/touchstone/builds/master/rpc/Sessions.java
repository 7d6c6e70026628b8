package dev.touchstone.builds.master.rpc;

import java.security.SecureRandom;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Knows who is connected, by the number that each connection was given: it is in all its messages, and cannot be guessed. Thread-safe.
 *
 * @param <S> sessions of agents, or of clients
 */
public final class Sessions<S extends GuestSession> {
    /*
     * Who calls:  the dispatcher adds, removes and lists; threads of the transport and of services look up and count.
     * Invariants: a session is here from the welcome until the dispatcher has dealt with the end of its stream, so that its number opens no other
     *             stream before or after.
     */
    private static final long SESSION_BITS = (1L << 59) - 1;

    private final Map<Long, S> sessions = new ConcurrentHashMap<>();
    private final SecureRandom random = new SecureRandom();

    /** Returns a number for a new session. */
    public long newId() {
        return random.nextLong() & SESSION_BITS;
    }

    /** Adds a session, whose number is known from then on. */
    public void add(S session) {
        sessions.put(session.id(), session);
    }

    /** Removes a session. */
    public void remove(S session) {
        sessions.remove(session.id());
    }

    /** Returns the session with a number; null if there is none. */
    public @Nullable S get(long id) {
        return sessions.get(id);
    }

    /** Returns the sessions of now and later. */
    public Collection<S> all() {
        return sessions.values();
    }
}
