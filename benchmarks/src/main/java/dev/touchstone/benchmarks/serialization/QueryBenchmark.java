package dev.touchstone.benchmarks.serialization;

import dev.touchstone.benchmarks.DeclaredSubject;
import dev.touchstone.benchmarks.serialization.records.RecordSize;
import java.io.IOException;
import java.util.List;
import org.openjdk.jmh.annotations.Param;

/** The common part of the benchmarks of queries: records of which some match, and a check of the number found. */
@SuppressWarnings("NullAway.Init") // JMH sets the parameters
public abstract class QueryBenchmark extends MapBenchmark {

    private static final int RECORDS = 1000;

    @Param
    public Matches matches;

    /** Gives the map an index on the field. */
    @Param({"false", "true"})
    public boolean indexed;

    final void openQueried(DeclaredSubject subject) throws IOException {
        List<Object> records = size.random(RECORDS);
        open(subject, key -> {
            Object record = records.get(key % RECORDS);
            return RecordSize.withString(record, Matches.string(key, RecordSize.string(record)));
        });
        if (indexed) {
            addIndex();
        }
        // Entries are old then, in the order they were moved to, and young collections leave them where they are.
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
