package dev.touchstone.benchmarks.index.cluster;

import com.hazelcast.sql.SqlResult;
import com.hazelcast.sql.SqlRow;
import com.hazelcast.sql.SqlService;
import dev.touchstone.benchmarks.index.peer.SearchRequest;
import dev.touchstone.benchmarks.index.peer.SearchUnderTest;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** A search by an SQL statement with parameters, whose plan Hazelcast keeps. Thread-safe. */
final class SqlSearch implements BlockingSearches.Search {
    private static final String MAPPING = "CREATE OR REPLACE MAPPING " + QueriedMapAdapter.MAP
            + " TYPE IMap OPTIONS ('keyFormat'='bigint', 'valueFormat'='java', 'valueJavaClass'='"
            + HazelcastPrice.class.getName() + "')";
    private static final String QUERY = "SELECT " + HazelcastPrice.NUMBER + " FROM " + QueriedMapAdapter.MAP + " WHERE "
            + HazelcastPrice.attributes().stream()
                    .map(attribute -> attribute + " = ?")
                    .collect(Collectors.joining(" AND "));

    private final SqlService sql;

    /** Declares the map as a table. */
    SqlSearch(SqlService sql) {
        this.sql = sql;
        try (SqlResult result = sql.execute(MAPPING)) {
            if (result.isRowSet()) {
                throw new IllegalStateException("mapping has rows: statement=" + MAPPING);
            }
        }
    }

    @Override
    public long search(SearchRequest request) {
        List<SearchRequest.Term> terms = request.shape().terms();
        Object[] values = new Object[terms.size() + 1];
        values[0] = Objects.requireNonNull(request.offering(), "offering");
        for (int i = 0; i < terms.size(); i++) {
            values[terms.get(i).field().ordinal() + 1] = Conditions.string(request, i);
        }
        long matches = 0;
        long first = Long.MAX_VALUE;
        try (SqlResult result = sql.execute(QUERY, values)) {
            for (SqlRow row : result) {
                first = Math.min(first, row.<Long>getObject(0));
                matches++;
            }
        }
        return SearchUnderTest.answer(matches, first);
    }
}
