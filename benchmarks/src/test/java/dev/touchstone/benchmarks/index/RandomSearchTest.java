package dev.touchstone.benchmarks.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.benchmarks.DeclaredSubject;
import dev.touchstone.benchmarks.index.data.PriceData;
import dev.touchstone.benchmarks.index.peer.SearchRequest;
import dev.touchstone.benchmarks.index.peer.SearchRequest.Operator;
import dev.touchstone.benchmarks.index.peer.SearchRequest.Shape;
import dev.touchstone.benchmarks.index.peer.SearchRequest.Term;
import dev.touchstone.benchmarks.index.peer.SearchUnderTest;
import dev.touchstone.index.Field;
import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceIndex;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** All subjects answer random requests as a comparison of each price does. {@code -Dseed} repeats a run. */
@Timeout(120)
final class RandomSearchTest {
    private static final int PRICES = 1500;
    private static final int REQUESTS = 1500;
    private static final String UNKNOWN = "unknown";

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final Map<Shape, Shape> shapes = new HashMap<>();

    @ParameterizedTest
    @EnumSource
    void search_randomConditions_asAComparisonOfEachPrice(PriceData data) throws Exception {
        PriceData.Numbered prices = data.prices(PRICES);
        PriceIndex index = data.index(prices);
        List<Price> all = new ArrayList<>();
        prices.forEach(all::add);
        Map<String, SearchUnderTest> subjects = new TreeMap<>();
        for (String name : SearchParityTest.names()) {
            subjects.put(name, DeclaredSubject.of(name).open(SearchUnderTest.class, index, prices));
        }
        for (int i = 0; i < REQUESTS; i++) {
            SearchRequest request = request(index.fields(), all);
            long expected = ScanModel.answer(request, all);
            for (Map.Entry<String, SearchUnderTest> subject : subjects.entrySet()) {
                assertThat(subject.getValue().search(request))
                        .as("seed=%d data=%s request=%d subject=%s %s", seed, data, i, subject.getKey(), request)
                        .isEqualTo(expected);
            }
        }
        for (SearchUnderTest subject : subjects.values()) {
            subject.close();
        }
    }

    /** Returns a request with up to five conditions, whose values are mostly those of one price. */
    private SearchRequest request(List<Field> fields, List<Price> prices) {
        Price price = prices.get(random.nextInt(prices.size()));
        List<Term> terms = new ArrayList<>();
        List<Object> values = new ArrayList<>();
        for (int left = random.nextInt(6); left > 0; left--) {
            Field field = fields.get(random.nextInt(fields.size()));
            List<Object> some = field.type().isOrdered() ? bounds(field, price, prices) : texts(field, price, prices);
            Operator operator = operator(field, some.size());
            terms.add(new Term(field, operator, some.size()));
            values.add(some.size() == 1 ? some.get(0) : some);
        }
        boolean hasOffering = terms.isEmpty() || random.nextInt(3) > 0;
        if (hasOffering) {
            values.add(random.nextInt(20) == 0 ? UNKNOWN : price.offering());
        }
        Shape shape = new Shape(hasOffering, List.copyOf(terms));
        return new SearchRequest(shapes.computeIfAbsent(shape, same -> same), values.toArray());
    }

    private Operator operator(Field field, int values) {
        if (field.type().isOrdered()) {
            return Operator.BETWEEN;
        }
        boolean isNegative = random.nextInt(3) == 0;
        if (values == 1 && random.nextInt(5) > 0) {
            return isNegative ? Operator.NE : Operator.EQ;
        }
        return isNegative ? Operator.NOT_IN : Operator.IN;
    }

    private List<Object> texts(Field field, Price price, List<Price> prices) {
        Set<String> texts = new TreeSet<>();
        for (int left = random.nextInt(3) == 0 ? 1 + random.nextInt(20) : 1; left > 0; left--) {
            Price from = left == 1 && random.nextInt(4) > 0 ? price : prices.get(random.nextInt(prices.size()));
            Object text = from.conditions().get(field.name());
            texts.add(text instanceof String known && random.nextInt(20) > 0 ? known : UNKNOWN);
        }
        return new ArrayList<>(texts);
    }

    private List<Object> bounds(Field field, Price price, List<Price> prices) {
        Object one = price.conditions().get(field.name());
        Object other = prices.get(random.nextInt(prices.size())).conditions().get(field.name());
        if (one == null || other == null) {
            return bounds(field, prices.get(random.nextInt(prices.size())), prices);
        }
        Object last = random.nextInt(4) == 0 ? one : other;
        return ScanModel.compare(one, last) <= 0 ? List.of(one, last) : List.of(last, one);
    }
}
