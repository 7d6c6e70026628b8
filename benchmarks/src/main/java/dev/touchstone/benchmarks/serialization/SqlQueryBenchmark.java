package dev.touchstone.benchmarks.serialization;

import com.hazelcast.sql.SqlResult;
import com.hazelcast.sql.SqlRow;
import dev.touchstone.benchmarks.DeclaredSubject;
import java.io.IOException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.infra.Blackhole;

/** Looks for the entries with a string by SQL, takes every row, and closes the result. */
@SuppressWarnings("NullAway.Init") // JMH sets the parameters and calls the set-up
public class SqlQueryBenchmark extends QueryBenchmark {

    static final String QUERY = "SELECT __key, stringField FROM records WHERE stringField = ?";

    @Param("OURS")
    public String subject;

    /** Fills the map, and maps it to a table of SQL. */
    @Setup(Level.Trial)
    public void open() throws IOException {
        openQueried(DeclaredSubject.of(subject));
        String mapping =
                "CREATE OR REPLACE MAPPING records (__key INT, stringField VARCHAR) TYPE IMap OPTIONS ('keyFormat'='int', "
                        + subject().sqlFormat() + ")";
        try (SqlResult result = hazelcast().getSql().execute(mapping)) {
            if (result.isRowSet()) {
                throw new IllegalStateException("expected no rows of " + mapping);
            }
        }
    }

    /** Queries the table; returns the checked number of rows. */
    @Benchmark
    public int query(Caller caller, Blackhole blackhole) {
        Client client = caller.of(this);
        int rows = 0;
        try (SqlResult result = client.hazelcast().getSql().execute(QUERY, matches.wanted())) {
            for (SqlRow row : result) {
                blackhole.consume(row.<Object>getObject(1));
                rows++;
            }
        }
        return found(rows, true);
    }
}
