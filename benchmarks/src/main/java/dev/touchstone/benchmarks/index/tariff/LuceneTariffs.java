package dev.touchstone.benchmarks.index.tariff;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.CollectionTerminatedException;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.LRUQueryCache;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryCachingPolicy;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.SimpleCollector;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.util.BytesRef;

/**
 * Lucene in memory: one segment that is sorted by falling specificity, a term for "left out", a clause for each field, and a collector that ends at
 * the first document. The documents of each clause, a value or none, are cached.
 */
public final class LuceneTariffs implements TariffSearch {
    private static final String OFFERING = "offering";
    private static final String NUMBER = "number";
    private static final String SPECIFICITY = "specificity";
    private static final BytesRef ABSENT = new BytesRef("-");
    private static final int CACHED_CLAUSES = 100_000; // more than there are values
    private static final long CACHED_BYTES = 512L << 20;

    private final DirectoryReader reader;
    private final IndexSearcher searcher;
    private final LeafReader leaf;
    private final FirstManager first = new FirstManager();

    /** Collects the first document. */
    private static final class FirstManager implements CollectorManager<First, Integer> {
        @Override
        public First newCollector() {
            return new First();
        }

        @Override
        public Integer reduce(Collection<First> collectors) {
            return collectors.stream().mapToInt(first -> first.document).max().orElse(NONE);
        }
    }

    private static final class First extends SimpleCollector {
        private int document = NONE;

        @Override
        public void collect(int found) {
            document = found;
            throw new CollectionTerminatedException();
        }

        @Override
        protected void doSetNextReader(LeafReaderContext context) {
            // there is one leaf only
        }

        @Override
        public ScoreMode scoreMode() {
            return ScoreMode.COMPLETE_NO_SCORES;
        }
    }

    /** Copies a tariff list into an index in memory of one segment. */
    public LuceneTariffs(List<Tariff> prices) throws IOException {
        ByteBuffersDirectory directory = new ByteBuffersDirectory();
        IndexWriterConfig config = new IndexWriterConfig(null);
        config.setIndexSort(new Sort(new SortField(SPECIFICITY, SortField.Type.INT, true)));
        try (IndexWriter writer = new IndexWriter(directory, config)) {
            for (Tariff price : prices) {
                writer.addDocument(document(price));
            }
            writer.forceMerge(1);
        }
        reader = DirectoryReader.open(directory);
        searcher = new IndexSearcher(reader);
        searcher.setQueryCache(new LRUQueryCache(CACHED_CLAUSES, CACHED_BYTES, some -> true, Float.POSITIVE_INFINITY));
        searcher.setQueryCachingPolicy(new QueryCachingPolicy() {
            @Override
            public void onUse(Query query) {
                // clauses are cached at their first use
            }

            @Override
            public boolean shouldCache(Query query) {
                return !(query instanceof BooleanQuery);
            }
        });
        leaf = reader.leaves().get(0).reader();
    }

    private static Document document(Tariff price) {
        Document document = new Document();
        document.add(new StringField(OFFERING, price.offering(), Store.NO));
        document.add(new NumericDocValuesField(NUMBER, price.number()));
        document.add(new NumericDocValuesField(SPECIFICITY, price.specificity()));
        for (int i = 0; i < TariffList.FIELDS; i++) {
            String value = price.values()[i];
            document.add(new StringField(TariffList.field(i), value == null ? ABSENT : new BytesRef(value), Store.NO));
        }
        return document;
    }

    @Override
    public int search(TariffRequest request) throws IOException {
        BooleanQuery.Builder query = new BooleanQuery.Builder();
        query.add(new TermQuery(new Term(OFFERING, request.offering())), Occur.FILTER);
        for (int i = 0; i < TariffList.FIELDS; i++) {
            List<BytesRef> either = List.of(new BytesRef(request.values()[i]), ABSENT);
            query.add(new TermInSetQuery(TariffList.field(i), either), Occur.FILTER);
        }
        int document = searcher.search(query.build(), first);
        if (document == NONE) {
            return NONE;
        }
        NumericDocValues numbers = leaf.getNumericDocValues(NUMBER);
        numbers.advanceExact(document);
        return (int) numbers.longValue();
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
