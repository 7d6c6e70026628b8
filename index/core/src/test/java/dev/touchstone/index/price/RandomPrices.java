package dev.touchstone.index.price;

import dev.touchstone.index.Field;
import dev.touchstone.index.FieldType;
import dev.touchstone.index.Price;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;

/** Prices and queries from a seed: all field types, missing and several values, overlaps, defaults, skewed offerings, ids of both kinds. */
public final class RandomPrices {
    public final Random random;
    final List<Field> fields = new ArrayList<>();
    private final int distinct;
    private final int offerings;

    /** With up to {@code distinct} values for each field. */
    public RandomPrices(long seed, int fieldCount, int distinct, int offerings) {
        random = new Random(seed);
        this.distinct = distinct;
        this.offerings = offerings;
        for (int i = 0; i < fieldCount; i++) {
            FieldType type = List.of(FieldType.values()).get(i % 4);
            fields.add(new Field("field" + i, type, type == FieldType.DECIMAL ? 2 : 0, i));
        }
    }

    public PriceIndexBuilder builder() {
        PriceIndexBuilder builder = PriceIndex.builder();
        for (Field field : fields) {
            switch (field.type()) {
                case STRING -> builder.string(field.name());
                case INTEGER -> builder.integer(field.name());
                case DECIMAL -> builder.decimal(field.name(), field.scale());
                case DATE_TIME -> builder.dateTime(field.name());
            }
        }
        return builder;
    }

    public List<Price> prices(int count) {
        List<Price> prices = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            prices.add(price("p" + i));
        }
        return prices;
    }

    /** One with an id of which the given one is the whole, or that is a UUID made of it. */
    Price price(String id) {
        Map<String, Object> conditions = new HashMap<>();
        for (Field field : fields) {
            if (random.nextInt(6) > 0) {
                conditions.put(field.name(), random.nextInt(3) == 0 ? oneOrSeveral(field) : value(field));
            }
        }
        return new Price(
                random.nextBoolean() ? id : new UUID(id.hashCode(), id.length()).toString(),
                offering(),
                conditions,
                BigDecimal.valueOf(random.nextInt(100_000), random.nextInt(3)),
                random.nextInt(4) == 0 ? "EUR" : "",
                random.nextInt(20) == 0,
                random.nextInt(10) == 0 ? "{\"note\":\"" + id + "\"}" : null);
    }

    public String offering() {
        return "offering" + (int) (offerings * Math.pow(random.nextDouble(), 2));
    }

    Object value(Field field) {
        int number = (int) (distinct * Math.pow(random.nextDouble(), 2));
        return switch (field.type()) {
            case STRING -> "wert-" + number % 3 + "-ü".repeat(number % 2) + number;
            case INTEGER -> (long) number * number - 50;
            case DECIMAL -> BigDecimal.valueOf(number * 25L - 100, 2);
            case DATE_TIME -> Instant.ofEpochSecond(1_557_464_400L + number * 86_400L, number % 3 * 1000L);
        };
    }

    /** A set of one to five values of a field of strings, or a value of another field. */
    private Object oneOrSeveral(Field field) {
        Set<Object> values = new HashSet<>();
        for (int left = field.type().isOrdered() ? 1 : 1 + random.nextInt(5); left > 0; left--) {
            values.add(value(field));
        }
        return field.type().isOrdered() ? values.iterator().next() : values;
    }

    /** Up to {@code most} conditions, some on the same field. */
    public List<Condition> conditions(int most) {
        List<Condition> conditions = new ArrayList<>();
        int count = fields.isEmpty() ? 0 : random.nextInt(most + 1);
        for (int i = 0; i < count; i++) {
            conditions.add(condition(fields.get(random.nextInt(fields.size()))));
        }
        return conditions;
    }

    /** That a price meets, one for each field that it has a value for. */
    public List<Condition> whole(Price price) {
        List<Condition> conditions = new ArrayList<>();
        for (Field field : fields) {
            Object value = price.conditions().get(field.name());
            if (value != null) {
                Object one = value instanceof Set<?> several
                        ? List.copyOf(several).get(random.nextInt(several.size()))
                        : value;
                conditions.add(new Condition(field, Condition.Kind.EQ, List.of(one)));
            }
        }
        return conditions;
    }

    private Condition condition(Field field) {
        Condition.Kind[] kinds = Condition.Kind.values();
        Condition.Kind kind = kinds[random.nextInt(field.type().isOrdered() ? kinds.length : 4)];
        int operands = switch (kind) {
            case IN, NOT_IN -> random.nextInt(5);
            case BETWEEN -> 2;
            default -> 1;
        };
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < operands; i++) {
            values.add(operand(field));
        }
        return new Condition(field, kind, values);
    }

    /** A value that prices may have, or one that none has. */
    private Object operand(Field field) {
        if (random.nextInt(12) > 0) {
            return value(field);
        }
        return switch (field.type()) {
            case STRING -> "nobody has this";
            case INTEGER -> random.nextBoolean() ? Long.MAX_VALUE : Long.MIN_VALUE;
            case DECIMAL -> new BigDecimal("1.2345");
            case DATE_TIME -> Instant.ofEpochSecond(random.nextInt(), 999);
        };
    }
}
