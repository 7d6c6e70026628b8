package dev.touchstone.benchmarks.index.peer;

import dev.touchstone.index.Price;
import java.io.IOException;
import java.sql.SQLException;

/** An engine that was given prices whose values are their numbers and searches for them. Used by one thread. */
public interface SearchUnderTest extends AutoCloseable {
    /**
     * Searches, from the strings of a request.
     *
     * @return how many match and which is the first, as {@link #answer} packs it
     */
    long search(SearchRequest request) throws IOException, SQLException;

    @Override
    default void close() throws IOException, SQLException {}

    /** Returns an answer of the number of matching prices and the lowest number of a price among them. */
    static long answer(long matches, long first) {
        return matches == 0 ? 0 : matches << Integer.SIZE | first;
    }

    /** Returns the number of matching prices in an answer. */
    static long matches(long answer) {
        return answer >>> Integer.SIZE;
    }

    /** The number of a price, which is its value. */
    static int number(Price price) {
        return price.value().intValueExact();
    }
}
