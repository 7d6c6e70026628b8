package dev.touchstone.builds.web;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.builds.access.Caller;
import java.util.HashMap;
import java.util.Map;

/** Counts requests that keep a thread, of all callers and of each, so that no token takes the places of all others. Thread-safe. */
final class Places {
    /*
     * Who calls:  threads of requests; each `enter` that returns has one `leave`.
     * Invariants: `all` is the sum of `byCaller`, which has no zeros.
     */
    private final int most;
    private final int mostOfToken;

    @GuardedBy("this")
    private final Map<Caller, Integer> byCaller = new HashMap<>();

    @GuardedBy("this")
    private int all;

    Places(int most, int mostOfToken) {
        this.most = most;
        this.mostOfToken = mostOfToken;
    }

    /**
     * Takes a place.
     *
     * @param what names those who want places, in the message
     * @throws Problem if there is none
     */
    synchronized void enter(Reply reply, Caller caller, String what) throws Problem {
        int own = byCaller.getOrDefault(caller, 0);
        if (all >= most || own >= mostOfToken) {
            reply.set("Retry-After", "1");
            throw Problem.of(503, "too many " + what + " at once: most=" + most + " of one token=" + mostOfToken);
        }
        all++;
        byCaller.put(caller, own + 1);
    }

    /** Gives a place back. */
    synchronized void leave(Caller caller) {
        all--;
        byCaller.computeIfPresent(caller, (unused, own) -> own == 1 ? null : own - 1);
    }
}
