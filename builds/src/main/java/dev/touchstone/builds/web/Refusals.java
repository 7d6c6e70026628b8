package dev.touchstone.builds.web;

import java.lang.System.Logger;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts requests that are refused. The log has the first, the second, the fourth and so on of each reason, since whoever sends one may send many.
 * Thread-safe.
 */
final class Refusals {
    private static final Logger LOG = System.getLogger(Refusals.class.getName());
    private static final Set<Integer> LOGGED = Set.of(401, 403, 422, 503);
    private static final int MAX_REASONS = 100; // there are fewer, unless one has a value in it
    private static final String OTHERS = "others";

    private final Map<String, AtomicLong> byReason = new ConcurrentHashMap<>();
    private final AtomicLong notLetIn = new AtomicLong();

    /** Counts a refusal; its reason is the status and the detail up to the values behind a colon. */
    void add(Reply reply, Problem problem) {
        int status = problem.status();
        if (status == 401 || status == 403) {
            notLetIn.incrementAndGet();
        }
        if (!LOGGED.contains(status)) {
            return;
        }
        String detail = String.valueOf(problem.getMessage());
        long count = counter(status + " " + detail.split(": ", 2)[0]).incrementAndGet();
        if (Long.bitCount(count) == 1) {
            LOG.log(
                    Logger.Level.WARNING,
                    "request is refused: so far=" + count + " status=" + status + " method="
                            + Problem.shown(reply.method()) + " path=" + Problem.shown(reply.path()) + " reason="
                            + Problem.printable(detail));
        }
    }

    private AtomicLong counter(String reason) {
        boolean isCounted = byReason.containsKey(reason) || byReason.size() < MAX_REASONS;
        return byReason.computeIfAbsent(isCounted ? reason : OTHERS, unused -> new AtomicLong());
    }

    /** Returns how many requests were refused for who sent them. */
    long notLetIn() {
        return notLetIn.get();
    }
}
