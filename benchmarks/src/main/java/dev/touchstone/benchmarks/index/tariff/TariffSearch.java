package dev.touchstone.benchmarks.index.tariff;

import java.io.IOException;
import java.sql.SQLException;

/** An engine that was given a tariff list and searches it. Used by one thread. */
interface TariffSearch extends AutoCloseable {
    /** Number of no price. */
    int NONE = -1;

    /**
     * Searches, from the strings of a request.
     *
     * @return the number of the most specific price that the request meets, or {@link #NONE}
     */
    int search(TariffRequest request) throws IOException, SQLException;

    @Override
    default void close() throws IOException, SQLException {}
}
