package dev.touchstone.messaging.engine;

import dev.touchstone.messaging.term.Term;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The items that selective receives of an {@link Inbox} have passed over, oldest first. */
final class PassedItems {
    /*
     * Who calls:      the consumer of the inbox; count, seen: any thread.
     * Invariants:     `count` is the number of items. `added` only grows. Items added after a Seen was made are the newest of all,
     *                 and at most as many as `added` has grown by.
     * Ordering:       an Inbox tells other threads of `added` late, or with the turn: whoever reads an old number looks at more items.
     * Failure:        no memory for an item: the item is lost with the message of the error, and nothing else has changed.
     */
    private final ArrayDeque<Object> items = new ArrayDeque<>();
    private volatile int count;
    private int added; // modulo 2^32

    /** The place up to which a caller knows the items. For one thread. */
    static final class Seen {
        private int added;

        private Seen(int added) {
            this.added = added;
        }
    }

    boolean isEmpty() {
        return items.isEmpty();
    }

    int count() {
        return count;
    }

    void add(Object item) {
        items.add(item);
        added++;
        count = items.size();
    }

    @Nullable
    Object poll() {
        Object item = items.poll();
        count = items.size();
        return item;
    }

    /** Removes and returns the oldest item that holds a wanted message and was not seen before. */
    @Nullable
    Object take(Predicate<? super Term> wanted, @Nullable Seen seen) {
        int unseen = seen == null ? items.size() : added - seen.added;
        if (unseen == 0) {
            return null;
        }
        int older = items.size() - unseen;
        for (Iterator<Object> each = items.iterator(); each.hasNext(); older--) {
            Object item = each.next();
            if (older <= 0 && Inbox.isWanted(item, wanted)) {
                each.remove();
                count = items.size();
                return item;
            }
        }
        return null;
    }

    /** Returns the place behind all items that were added until now. */
    Seen seen() {
        return new Seen(added);
    }

    /** Moves a place behind all items. */
    void saw(Seen seen) {
        seen.added = added;
    }
}
