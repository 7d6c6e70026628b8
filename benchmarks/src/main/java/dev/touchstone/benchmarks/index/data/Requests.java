package dev.touchstone.benchmarks.index.data;

import dev.touchstone.benchmarks.index.peer.SearchRequest;
import dev.touchstone.benchmarks.index.peer.SearchRequest.Operator;
import dev.touchstone.benchmarks.index.peer.SearchRequest.Shape;
import dev.touchstone.benchmarks.index.peer.SearchRequest.Term;
import dev.touchstone.index.Field;
import dev.touchstone.index.FieldType;
import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceIndex;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/**
 * Kinds of searches. Each makes requests that a price of the data meets, of which the strings are objects of their own; the seed is fixed, so
 * that all subjects are asked the same.
 */
public enum Requests {
    /** The offering and all conditions. */
    FULL,
    MISSING_1,
    MISSING_2,
    MISSING_3,
    MISSING_4,
    MISSING_5,
    MISSING_6,
    /** The offering only. */
    MISSING_ALL,
    /** All conditions but one, which is a choice of 2. */
    IN_2,
    /** The field with the most values is asked for a choice of 20, another one is not asked for. */
    IN_20,
    /** Searches with one condition negated and another one left out. */
    NOT_EQUAL,
    NOT_IN_2,
    /** All conditions, but no offering. */
    NO_OFFERING,
    /** Three conditions are missing, and the offering. */
    NO_OFFERING_MISSING_3,
    /** The offering, one string and a range of 1 % of the amounts. */
    BETWEEN_1,
    BETWEEN_10,
    BETWEEN_50,
    BETWEEN_90,
    /** A range of 10 %, and no offering. */
    BETWEEN_10_NO_OFFERING;

    private static final long SEED = 3197;
    private static final int AMOUNTS = 1_000_000;

    /** Makes requests. */
    public List<SearchRequest> make(PriceIndex index, PriceData.Numbered prices, int count) {
        Random random = new Random(SEED);
        Map<Shape, Shape> shapes = new HashMap<>();
        List<SearchRequest> made = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            Price price = prices.get(random.nextInt(prices.size()));
            made.add(make(conditions(index, price, random), price, shapes));
        }
        return made;
    }

    private SearchRequest make(List<Asked> asked, Price price, Map<Shape, Shape> shapes) {
        boolean hasOffering = !name().contains("NO_OFFERING");
        Object[] values = new Object[asked.size() + (hasOffering ? 1 : 0)];
        List<Term> terms = new ArrayList<>();
        for (int i = 0; i < asked.size(); i++) {
            Asked one = asked.get(i);
            terms.add(new Term(one.field, one.operator, one.values.size()));
            values[i] = one.values.size() == 1 ? one.values.get(0) : one.values;
        }
        if (hasOffering) {
            values[asked.size()] = fresh(price.offering());
        }
        Shape shape = new Shape(hasOffering, terms);
        return new SearchRequest(shapes.computeIfAbsent(shape, same -> same), values);
    }

    /** A condition with its values. */
    private record Asked(Field field, Operator operator, List<Object> values) {}

    private List<Asked> conditions(PriceIndex index, Price price, Random random) {
        List<Field> strings = new ArrayList<>(index.fields().stream()
                .filter(field -> field.type() == FieldType.STRING)
                .filter(field -> price.conditions().containsKey(field.name()))
                .toList());
        return terms(index, price, strings, random);
    }

    private List<Asked> terms(PriceIndex index, Price price, List<Field> strings, Random random) {
        if (name().startsWith("BETWEEN")) {
            Collections.shuffle(strings, random);
            List<Asked> terms = terms(price, strings, Math.max(0, strings.size() - 1));
            terms.add(between(index.field("amount"), percent(), random));
            return terms;
        }
        return switch (this) {
            case MISSING_1, MISSING_2, MISSING_3, MISSING_4, MISSING_5, MISSING_6, NO_OFFERING_MISSING_3 -> {
                int missing = name().charAt(name().length() - 1) - '0';
                Set<Integer> left = new TreeSet<>();
                while (left.size() < Math.min(missing, strings.size())) {
                    left.add(random.nextInt(strings.size()));
                }
                List<Field> some = new ArrayList<>(strings);
                List<Integer> descending = new ArrayList<>(left);
                Collections.reverse(descending);
                descending.forEach(at -> some.remove(at.intValue()));
                yield terms(price, some, 0);
            }
            case MISSING_ALL -> List.of();
            case IN_2 -> changed(price, strings, Operator.IN, 2, random);
            case IN_20 -> changed(price, strings, Operator.IN, 20, random);
            case NOT_EQUAL -> changed(price, strings, Operator.NE, 1, random);
            case NOT_IN_2 -> changed(price, strings, Operator.NOT_IN, 2, random);
            default -> terms(price, strings, 0);
        };
    }

    private double percent() {
        return switch (this) {
            case BETWEEN_1 -> 0.01;
            case BETWEEN_50 -> 0.5;
            case BETWEEN_90 -> 0.9;
            default -> 0.1;
        };
    }

    private static Asked between(Field field, double part, Random random) {
        int width = (int) (AMOUNTS * part);
        int from = random.nextInt(AMOUNTS - width + 1);
        return new Asked(
                field,
                Operator.BETWEEN,
                List.of(BigDecimal.valueOf(from, field.scale()), BigDecimal.valueOf(from + width, field.scale())));
    }

    private static List<Asked> terms(Price price, List<Field> fields, int without) {
        List<Asked> terms = new ArrayList<>();
        for (Field field : fields.subList(without, fields.size())) {
            terms.add(new Asked(field, Operator.EQ, List.of(fresh(price, field))));
        }
        return terms;
    }

    /** The field with the most values gets another operator, with values of other prices beside it; the first one isn't asked for. */
    private static List<Asked> changed(Price price, List<Field> strings, Operator operator, int values, Random random) {
        if (strings.size() < 2) {
            return terms(price, strings, 0);
        }
        Field widest = strings.get(Math.min(3, strings.size() - 1));
        List<Asked> terms = new ArrayList<>();
        for (Field field : strings.subList(1, strings.size())) {
            if (!field.equals(widest)) {
                terms.add(new Asked(field, Operator.EQ, List.of(fresh(price, field))));
            }
        }
        Set<String> chosen = new TreeSet<>(Set.of(fresh(price, widest)));
        List<String> all = PriceValues.of(widest.name());
        while (chosen.size() < Math.min(values, all.size())) {
            chosen.add(fresh(all.get(random.nextInt(all.size()))));
        }
        terms.add(new Asked(widest, operator, new ArrayList<>(chosen)));
        return terms;
    }

    private static String fresh(Price price, Field field) {
        return fresh(String.valueOf(price.conditions().get(field.name())));
    }

    /** Another object than that which was indexed, without the hash that it may know. */
    @SuppressWarnings("StringCopy")
    private static String fresh(String text) {
        return new String(text.toCharArray());
    }
}
