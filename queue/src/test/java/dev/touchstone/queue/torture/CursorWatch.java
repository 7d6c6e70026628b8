package dev.touchstone.queue.torture;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * Shared knowledge of the workers of one cursor: notes removals in the ledger, and checks that an element is with one worker at a time and
 * never comes after its removal.
 *
 * <p><b>Who calls:</b> the workers of the cursor, and for the queue's own cursor the thread that removes in the middle.
 *
 * <p><b>Invariants:</b> an element is in {@code out} from the return of its lease to before the call that ends it; a removal is in the
 * ledger as begun before the call, and stamped after its return.
 *
 * <p><b>Ordering:</b> the stamp is taken after the call has returned, so every removal with a stamp at most {@code clock} at some time had
 * returned by then.
 *
 * <p><b>Failure:</b> a broken invariant is reported and halts the process.
 */
final class CursorWatch {
    private final Ledger ledger;
    private final int cursor;
    private final AtomicLong clock;
    private final SessionThreads threads;
    private final Set<String> out = ConcurrentHashMap.newKeySet();
    private final Set<String> nacked = ConcurrentHashMap.newKeySet();
    private final Set<String> deleted = ConcurrentHashMap.newKeySet();

    CursorWatch(Ledger ledger, int cursor, AtomicLong clock, SessionThreads threads) {
        this.ledger = ledger;
        this.cursor = cursor;
        this.clock = clock;
        this.threads = threads;
    }

    /** Returns the seed of the elements' bytes. */
    long seed() {
        return ledger.seed();
    }

    /** Returns the time to hand to {@link #leased}, read before the lease is asked for. */
    long now() {
        return clock.get();
    }

    /** Notes that an element was handed out, and returns whether it was never given back in this session. */
    boolean leased(Element element, long asked) {
        long removal = ledger.removal(cursor, element.producer(), element.index());
        if (removal == Ledger.PROMISED || (removal >= Ledger.FIRST_STAMP && removal <= asked)) {
            threads.broken("handed out after its removal: cursor=" + cursor + " " + element);
        }
        if (!out.add(key(element))) {
            threads.broken("handed out twice at once: cursor=" + cursor + " " + element);
        }
        return !nacked.remove(key(element));
    }

    /** Acknowledges by {@code call}, which returns false only where the element was removed in the middle. */
    void acknowledge(Element element, BooleanSupplier call) {
        ledger.beginRemoval(cursor, element.producer(), element.index());
        out.remove(key(element));
        if (call.getAsBoolean()) {
            ledger.endRemoval(cursor, element.producer(), element.index(), clock.incrementAndGet());
        } else {
            ended(element);
        }
    }

    /** Gives back by {@code call}, which returns false only where the element was removed in the middle. */
    void giveBack(Element element, BooleanSupplier call) {
        nacked.add(key(element));
        out.remove(key(element));
        if (!call.getAsBoolean()) {
            ended(element);
        }
    }

    /** Removes in the middle by {@code call}, which returns false only where the element was removed already. */
    void remove(Element element, BooleanSupplier call) {
        deleted.add(key(element));
        ledger.beginRemoval(cursor, element.producer(), element.index());
        if (call.getAsBoolean()) {
            ledger.endRemoval(cursor, element.producer(), element.index(), clock.incrementAndGet());
        }
    }

    private void ended(Element element) {
        if (!deleted.contains(key(element))) {
            threads.broken("lease had ended: cursor=" + cursor + " " + element);
        }
    }

    private static String key(Element element) {
        return element.producer() + ":" + element.index();
    }
}
