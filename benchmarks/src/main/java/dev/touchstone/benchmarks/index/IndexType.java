package dev.touchstone.benchmarks.index;

import dev.touchstone.benchmarks.SubjectWrappers;
import dev.touchstone.benchmarks.index.peer.CeilingSearchAdapter;
import dev.touchstone.benchmarks.index.peer.CqengineSearchAdapter;
import dev.touchstone.benchmarks.index.peer.IndexSearchAdapter;
import dev.touchstone.benchmarks.index.peer.LuceneSearchAdapter;
import dev.touchstone.benchmarks.index.peer.MapSearchAdapter;
import dev.touchstone.benchmarks.index.peer.RoaringSearchAdapter;
import dev.touchstone.benchmarks.index.peer.SearchUnderTest;
import dev.touchstone.benchmarks.index.peer.SqliteSearchAdapter;
import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceIndex;
import java.io.IOException;
import java.sql.SQLException;

/** The subjects of the index benchmarks, by the value of their parameter {@code subject}. */
public enum IndexType {
    OURS("all limits on", (index, prices) -> new IndexSearchAdapter(index)),
    MAP("every operator", (index, prices) -> new MapSearchAdapter(index.fields(), prices, false)),
    MAP_OPTIMIZED("every operator", (index, prices) -> new MapSearchAdapter(index.fields(), prices, true)),
    ROARING("every operator", (index, prices) -> new RoaringSearchAdapter(index.fields(), prices)),
    LUCENE("every operator", (index, prices) -> new LuceneSearchAdapter(index.fields(), prices)),
    CQENGINE("every operator", (index, prices) -> new CqengineSearchAdapter(index.fields(), prices)),
    SQLITE("every operator", (index, prices) -> new SqliteSearchAdapter(index.fields(), prices)),
    CEILING_LOOKUPS("looks strings up only", CeilingSearchAdapter::new);

    private final String level;

    @SuppressWarnings("ImmutableEnumChecker") // functions without state
    private final Factory factory;

    private interface Factory {
        SearchUnderTest make(PriceIndex index, Iterable<Price> prices) throws IOException, SQLException;
    }

    IndexType(String level, Factory factory) {
        this.level = level;
        this.factory = factory;
    }

    /** Returns in words the extent of the subject's work, such as the operators that it supports. */
    public String level() {
        return level;
    }

    /** Returns whether this is a physical limit. */
    public boolean ceiling() {
        return this == CEILING_LOOKUPS;
    }

    SearchUnderTest make(PriceIndex index, Iterable<Price> prices) throws IOException, SQLException {
        return SubjectWrappers.wrapped(this, SearchUnderTest.class, factory.make(index, prices));
    }
}
