package dev.touchstone.builds.master;

import dev.touchstone.builds.master.rpc.Reception;
import java.lang.System.Logger;
import java.security.SecureRandom;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Knows who is connected, by the number that each connection was given: it is in all its messages, and cannot be guessed. Thread-safe. */
final class Sessions implements Reception.Complaints {
    /*
     * Who calls:  the dispatcher adds, removes and lists; threads of the transport and of services look up and count.
     * Invariants: a session is here from the welcome until the dispatcher has dealt with the end of its stream, so that its number opens no other
     *             stream before or after.
     */
    private static final Logger LOG = System.getLogger(Sessions.class.getName());
    private static final long SESSION_BITS = (1L << 59) - 1;

    private final Map<Long, AgentSession> agents = new ConcurrentHashMap<>();
    private final Map<Long, ClientSession> clients = new ConcurrentHashMap<>();
    private final SecureRandom random = new SecureRandom();
    private final AtomicLong stale = new AtomicLong();
    private final AtomicLong malformed = new AtomicLong();
    private final Map<String, AtomicLong> refused = new ConcurrentHashMap<>(); // by reason
    private final long life;

    Sessions(long life) {
        this.life = life;
    }

    long newId() {
        return random.nextLong() & SESSION_BITS;
    }

    /** Returns whether an epoch was made by an earlier life of the master. */
    boolean isEarlierLife(long epoch) {
        return epoch >> 32 < life;
    }

    void add(AgentSession session) {
        agents.put(session.id, session);
    }

    void remove(AgentSession session) {
        agents.remove(session.id);
    }

    @Nullable
    AgentSession agent(long id) {
        return agents.get(id);
    }

    void add(ClientSession session) {
        clients.put(session.id, session);
    }

    void remove(ClientSession session) {
        clients.remove(session.id);
    }

    @Nullable
    ClientSession client(long id) {
        return clients.get(id);
    }

    Iterable<ClientSession> clients() {
        return clients.values();
    }

    int clientCount() {
        return clients.size();
    }

    /** Counts something that an agent said of a lease that is over. */
    void countStale() {
        stale.incrementAndGet();
    }

    long stale() {
        return stale.get();
    }

    /** Counts a message that may not be so; the log has the first, the second, the fourth and so on, since whoever sends one may send many. */
    @Override
    public void malformed(@Nullable String reason) {
        long count = malformed.incrementAndGet();
        if (Long.bitCount(count) == 1) {
            LOG.log(Logger.Level.WARNING, "stream is ended by a message: so far=" + count + " reason=" + reason);
        }
    }

    /** Counts a call or a connection that is not let in; the log has the first, the second, the fourth and so on of each reason. */
    @Override
    public void refused(String reason) {
        long count = refused.computeIfAbsent(reason, unused -> new AtomicLong()).incrementAndGet();
        if (Long.bitCount(count) == 1) {
            LOG.log(Logger.Level.WARNING, "guest is refused: so far=" + count + " reason=" + reason);
        }
    }

    /** Returns how many calls and connections were not let in. */
    long refused() {
        long all = 0;
        for (AtomicLong count : refused.values()) {
            all += count.get();
        }
        return all;
    }

    long malformed() {
        return malformed.get();
    }
}
