package dev.touchstone.builds.master.rpc;

import dev.touchstone.builds.access.Caller;
import java.lang.System.Logger;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Counts what guests say that is stale, malformed or not allowed, and has the log tell of it. Thread-safe. */
public final class GuestCounts implements Reception.Complaints {
    /*
     * Who calls:  any thread.
     * Invariants: `refused` has at most MAX_REASONS reasons and one for all others, since some of them name what a guest has chosen.
     */
    private static final int MAX_REASONS = 1_000;

    private static final Logger LOG = System.getLogger(GuestCounts.class.getName());

    private final AtomicLong stale = new AtomicLong();
    private final AtomicLong malformed = new AtomicLong();
    private final Map<String, AtomicLong> refused = new ConcurrentHashMap<>(); // by reason

    /** Counts something that an agent said of a lease that is over. */
    public void countStale() {
        stale.incrementAndGet();
    }

    /** Returns how many of these there were. */
    public long stale() {
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
        String counted = refused.containsKey(reason) || refused.size() < MAX_REASONS ? reason : "others";
        long count =
                refused.computeIfAbsent(counted, unused -> new AtomicLong()).incrementAndGet();
        if (Long.bitCount(count) == 1) {
            LOG.log(Logger.Level.WARNING, "guest is refused: so far=" + count + " reason=" + reason);
        }
    }

    /** Counts a hello that is refused; its reason is what stands before the values. */
    public void refusedHello(Caller caller, String problem) {
        refused("hello: " + problem.split(": ", 2)[0] + ": token=" + caller);
    }

    /** Returns how many calls and connections were not let in. */
    public long refused() {
        long all = 0;
        for (AtomicLong count : refused.values()) {
            all += count.get();
        }
        return all;
    }

    /** Returns how many messages were malformed. */
    public long malformed() {
        return malformed.get();
    }
}
