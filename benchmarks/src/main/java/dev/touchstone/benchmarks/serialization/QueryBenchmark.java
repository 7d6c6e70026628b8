package dev.touchstone.benchmarks.serialization;

import dev.touchstone.benchmarks.serialization.records.RecordSize;
import java.io.IOException;
import java.util.List;
import org.openjdk.jmh.annotations.Param;

/** What the benchmarks of queries share: records of which some can be found, and a look at what was found. */
@SuppressWarnings("NullAway.Init") // JMH sets the parameters
public abstract class QueryBenchmark extends MapBenchmark {

    private static final int RECORDS = 1000;

    @Param
    public Matches matches;

    /** Whether the map has an index on the field. */
    @Param({"false", "true"})
    public boolean indexed;

    final void openQueried(SerializationType type) throws IOException {
        List<Object> records = size.random(RECORDS);
        open(type, key -> {
            Object record = records.get(key % RECORDS);
            return RecordSize.withString(record, Matches.string(key, RecordSize.string(record)));
        });
        if (indexed) {
            addIndex();
        }
        // A scan takes half the time where a young collection happened to leave the entries in the table's order: all
        // subjects' are settled here.
        System.gc();
    }

    /** Refuses the figures of a query that found something else. */
    final int found(int rows, boolean anything) {
        int expected = anything ? matches.rows(entries) : 0;
        if (rows != expected) {
            throw new IllegalStateException("expected rows=" + expected + ", got " + rows);
        }
        return rows;
    }
}
