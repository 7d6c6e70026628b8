package dev.touchstone.benchmarks.serialization;

import com.hazelcast.query.Predicate;
import com.hazelcast.query.Predicates;
import dev.touchstone.benchmarks.DeclaredSubject;
import java.io.IOException;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * A benchmark that looks for the entries with a string in the older query engine, by a predicate that members apply to each entry where
 * there is no index, and takes all entries found. Ours is {@link dev.touchstone.serialization.hazelcast.FieldPredicate}; with an index it
 * is Hazelcast's predicate, as the values are Compact records.
 */
@SuppressWarnings("NullAway.Init") // JMH sets the parameters and calls the set-up
public class PredicateQueryBenchmark extends QueryBenchmark {

    @Param("OURS")
    public String subject;

    private Predicate<Integer, Object> predicate;
    private boolean findsNothing;

    /** Fills the map and creates the predicate; only without an index does the subject bring one of its own. */
    @Setup(Level.Trial)
    public void open() throws IOException {
        DeclaredSubject declared = DeclaredSubject.of(subject);
        openQueried(declared);
        findsNothing = declared.ceiling();
        predicate = indexed && !findsNothing
                ? Predicates.equal("stringField", matches.wanted())
                : subject().equalTo(matches.wanted());
    }

    /** Returns the predicate of the query; for the checks. */
    Predicate<Integer, Object> predicate() {
        return predicate;
    }

    /** Queries the map by the predicate; returns the checked number of rows. */
    @Benchmark
    public int query(Caller caller, Blackhole blackhole) {
        Client client = caller.of(this);
        int rows = 0;
        for (Map.Entry<Integer, Object> entry : client.map().entrySet(predicate)) {
            blackhole.consume(entry.getValue());
            rows++;
        }
        return found(rows, !findsNothing);
    }
}
