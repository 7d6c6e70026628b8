package dev.touchstone.benchmarks.index.peer;

import dev.touchstone.index.Field;
import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceIndex;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.LongField;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.LRUQueryCache;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryCachingPolicy;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.util.BytesRef;

/**
 * Lucene in memory: one segment, a filter clause for each condition, points or columns for ranges, whichever costs less, and a cache of the documents of
 * each string. Whole requests are not cached, since they differ.
 */
public final class LuceneSearchAdapter implements SearchUnderTest {
    private static final String OFFERING = "offering";
    private static final String NUMBER = "number";

    private static final int CACHED_CLAUSES = 100_000; // more than there are strings
    private static final long CACHED_BYTES = 512L << 20;

    private final DirectoryReader reader;
    private final IndexSearcher searcher;
    private final LeafReader leaf;
    private final TopScoreDocCollectorManager firstAndCount =
            new TopScoreDocCollectorManager(1, null, Integer.MAX_VALUE);

    /** Copies the prices into an index in memory of one segment, whose query cache holds every string. */
    public LuceneSearchAdapter(PriceIndex index, Iterable<Price> prices) throws IOException {
        this(index, prices, true);
    }

    /** Copies the prices as the constructor does; nothing is cached. */
    public static LuceneSearchAdapter uncached(PriceIndex index, Iterable<Price> prices) throws IOException {
        return new LuceneSearchAdapter(index, prices, false);
    }

    private LuceneSearchAdapter(PriceIndex index, Iterable<Price> prices, boolean isCached) throws IOException {
        List<Field> fields = index.fields();
        ByteBuffersDirectory directory = new ByteBuffersDirectory();
        try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig(null))) {
            for (Price price : prices) {
                writer.addDocument(document(fields, price));
            }
            writer.forceMerge(1);
        }
        reader = DirectoryReader.open(directory);
        searcher = new IndexSearcher(reader);
        searcher.setQueryCache(
                isCached
                        ? new LRUQueryCache(CACHED_CLAUSES, CACHED_BYTES, leaf -> true, Float.POSITIVE_INFINITY)
                        : null);
        searcher.setQueryCachingPolicy(new QueryCachingPolicy() {
            @Override
            public void onUse(Query query) {
                // all strings are cached at their first use
            }

            @Override
            public boolean shouldCache(Query query) {
                return query instanceof TermQuery;
            }
        });
        leaf = reader.leaves().get(0).reader();
    }

    private static Document document(List<Field> fields, Price price) {
        Document document = new Document();
        document.add(new StringField(OFFERING, price.offering(), Store.NO));
        document.add(new NumericDocValuesField(NUMBER, SearchUnderTest.number(price)));
        for (Field field : fields) {
            Object value = price.conditions().get(field.name());
            if (value instanceof String text) {
                document.add(new StringField(field.name(), text, Store.NO));
            } else if (value != null) {
                document.add(new LongField(field.name(), Stored.number(field, value), Store.NO));
            }
        }
        return document;
    }

    @Override
    public long search(SearchRequest request) throws IOException {
        BooleanQuery.Builder query = new BooleanQuery.Builder();
        boolean isOnlyNegative = request.offering() == null;
        if (!isOnlyNegative) {
            query.add(new TermQuery(new Term(OFFERING, request.offering())), Occur.FILTER);
        }
        var terms = request.shape().terms();
        for (int i = 0; i < terms.size(); i++) {
            SearchRequest.Term term = terms.get(i);
            boolean isNegative =
                    term.operator() == SearchRequest.Operator.NE || term.operator() == SearchRequest.Operator.NOT_IN;
            query.add(clause(term, request.values(i)), isNegative ? Occur.MUST_NOT : Occur.FILTER);
            isOnlyNegative &= isNegative;
        }
        if (isOnlyNegative) {
            query.add(new MatchAllDocsQuery(), Occur.FILTER);
        }
        TopDocs found = searcher.search(query.build(), firstAndCount);
        if (found.scoreDocs.length == 0) {
            return 0;
        }
        NumericDocValues numbers = DocValues.getNumeric(leaf, NUMBER);
        numbers.advanceExact(found.scoreDocs[0].doc);
        return SearchUnderTest.answer(found.totalHits.value, numbers.longValue());
    }

    private static Query clause(SearchRequest.Term term, List<Object> values) {
        String name = term.field().name();
        return switch (term.operator()) {
            case EQ, NE -> new TermQuery(new Term(name, (String) values.get(0)));
            case IN, NOT_IN -> {
                List<BytesRef> texts = new ArrayList<>();
                values.forEach(value -> texts.add(new BytesRef((String) value)));
                yield new TermInSetQuery(name, texts);
            }
            case BETWEEN ->
                LongField.newRangeQuery(
                        name, Stored.number(term.field(), values.get(0)), Stored.number(term.field(), values.get(1)));
        };
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
