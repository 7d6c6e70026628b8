package dev.touchstone.benchmarks.index.peer;

import dev.touchstone.index.Field;
import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceIndex;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A map from offerings to lists of prices, which are scanned: what a program without an index does. */
public final class MapSearchAdapter implements SearchUnderTest {
    private final Map<String, Offering> byOffering = new HashMap<>();
    private final List<Offering> all = new ArrayList<>();
    private final Map<String, String> texts = new HashMap<>(); // one object for equal strings
    private final int fields;
    private final boolean endsEarly;

    /** The prices of one offering. */
    private static final class Offering {
        private final List<Conditions> prices = new ArrayList<>();
        private final Set<List<@Nullable Object>> conditions = new HashSet<>();
        private boolean isDistinct = true; // whether no two prices have the same conditions
    }

    /** The number of a price and its values by field: strings, numbers, or null. */
    private static final class Conditions {
        private final int number;
        private final @Nullable Object[] values;

        Conditions(int number, @Nullable Object[] values) {
            this.number = number;
            this.values = values;
        }
    }

    /** Lists prices, all of which are scanned. */
    public static MapSearchAdapter scanning(PriceIndex index, Iterable<Price> prices) {
        return new MapSearchAdapter(index.fields(), prices, false);
    }

    /** Lists prices; a search that names all fields ends at its first match, where no other price can match. */
    public static MapSearchAdapter endingEarly(PriceIndex index, Iterable<Price> prices) {
        return new MapSearchAdapter(index.fields(), prices, true);
    }

    private MapSearchAdapter(List<Field> fields, Iterable<Price> prices, boolean endsEarly) {
        this.fields = fields.size();
        this.endsEarly = endsEarly;
        for (Price price : prices) {
            Offering offering = byOffering.computeIfAbsent(price.offering(), key -> {
                Offering added = new Offering();
                all.add(added);
                return added;
            });
            @Nullable Object[] values = new Object[fields.size()];
            for (Field field : fields) {
                Object value = Stored.value(field, price.conditions().get(field.name()));
                values[field.ordinal()] =
                        value instanceof String text ? texts.computeIfAbsent(text, same -> same) : value;
            }
            offering.prices.add(new Conditions(SearchUnderTest.number(price), values));
            if (endsEarly) {
                offering.isDistinct &= offering.conditions.add(Arrays.asList(values));
            }
        }
        all.forEach(offering -> offering.conditions.clear());
    }

    @Override
    public long search(SearchRequest request) {
        List<SearchRequest.Term> terms = request.shape().terms();
        Object[] wanted = wanted(request, terms);
        String offering = request.offering();
        if (offering == null) {
            return search(terms, wanted, all, false);
        }
        Offering listed = byOffering.get(offering);
        if (listed == null) {
            return 0;
        }
        return search(terms, wanted, List.of(listed), endsEarly && listed.isDistinct && namesAll(terms));
    }

    /** Returns whether terms name one value for each field. */
    private boolean namesAll(List<SearchRequest.Term> terms) {
        return terms.size() == fields
                && terms.stream().allMatch(term -> term.operator() == SearchRequest.Operator.EQ)
                && terms.stream().map(SearchRequest.Term::field).distinct().count() == fields;
    }

    /** Returns what each term compares with: one value, or a list. */
    private static Object[] wanted(SearchRequest request, List<SearchRequest.Term> terms) {
        Object[] wanted = new Object[terms.size()];
        for (int i = 0; i < wanted.length; i++) {
            Field field = terms.get(i).field();
            if (terms.get(i).count() == 1) {
                wanted[i] = Objects.requireNonNull(Stored.value(field, request.value(i)), "value");
            } else if (field.type().isOrdered()) {
                List<Object> numbers = new ArrayList<>();
                request.values(i).forEach(value -> numbers.add(Stored.number(field, value)));
                wanted[i] = numbers;
            } else {
                wanted[i] = request.values(i);
            }
        }
        return wanted;
    }

    private static long search(
            List<SearchRequest.Term> terms, Object[] wanted, Collection<Offering> offerings, boolean isFirstEnough) {
        long matches = 0;
        int first = 0;
        for (Offering offering : offerings) {
            for (Conditions price : offering.prices) {
                if (holds(terms, wanted, price.values)) {
                    first = matches == 0 ? price.number : first;
                    matches++;
                    if (isFirstEnough) {
                        return SearchUnderTest.answer(matches, first);
                    }
                }
            }
        }
        return SearchUnderTest.answer(matches, first);
    }

    private static boolean holds(List<SearchRequest.Term> terms, Object[] wanted, @Nullable Object[] values) {
        for (int i = 0; i < wanted.length; i++) {
            SearchRequest.Term term = terms.get(i);
            Object value = values[term.field().ordinal()];
            boolean holds = switch (term.operator()) {
                case EQ -> wanted[i].equals(value);
                case NE -> !wanted[i].equals(value);
                case IN -> isAmong(wanted[i], value);
                case NOT_IN -> !isAmong(wanted[i], value);
                case BETWEEN -> value instanceof Long number && isBetween((List<?>) wanted[i], number);
            };
            if (!holds) {
                return false;
            }
        }
        return true;
    }

    private static boolean isAmong(Object wanted, @Nullable Object value) {
        return value != null && (wanted instanceof List<?> list ? list.contains(value) : wanted.equals(value));
    }

    private static boolean isBetween(List<?> bounds, long number) {
        return (Long) bounds.get(0) <= number && number <= (Long) bounds.get(1);
    }
}
