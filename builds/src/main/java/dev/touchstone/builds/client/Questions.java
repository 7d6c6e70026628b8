package dev.touchstone.builds.client;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.builds.BuildException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Questions that the master has not answered. Thread-safe. */
final class Questions {
    /*
     * Who calls:  any thread `add`; the receiver `take`, `all` and `failAll`; whoever finds the client closed `failAll`.
     * Invariants: a question is in `open`, with one number in all sessions, until it is taken out, by whoever then answers or fails it: once.
     * Ordering:   questions are answered and failed without the lock.
     */
    @GuardedBy("this")
    private final Map<Long, Question> open = new TreeMap<>(); // in the order in which they are asked

    @GuardedBy("this")
    private long last; // number of a question

    /** A question and its number. */
    record Numbered(long ask, Question question) {}

    synchronized long add(Question question) {
        open.put(++last, question);
        return last;
    }

    synchronized @Nullable Question take(long ask) {
        return open.remove(ask);
    }

    synchronized List<Numbered> all() {
        List<Numbered> all = new ArrayList<>();
        open.forEach((ask, question) -> all.add(new Numbered(ask, question)));
        return all;
    }

    void failAll(BuildException cause) {
        List<Question> all;
        synchronized (this) {
            all = List.copyOf(open.values());
            open.clear();
        }
        all.forEach(question -> question.fail(cause));
    }
}
