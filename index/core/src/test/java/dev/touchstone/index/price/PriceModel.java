package dev.touchstone.index.price;

import dev.touchstone.index.Price;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;

/**
 * What an index holds, as maps in order: a price that is put again with another value keeps its place, a new or otherwise
 * changed one goes to the end of its offering, and an offering
 * whose last price is removed is forgotten.
 */
public final class PriceModel {
    private final Map<String, Map<String, Price>> byOffering = new LinkedHashMap<>();

    /** Returns a model of some prices, which were put by one update. */
    public static PriceModel of(List<Price> prices) {
        PriceModel model = new PriceModel();
        Update first = new Update();
        prices.forEach(first::put);
        model.apply(first);
        return model;
    }

    /** What one update does, to an index and to a model. */
    public record Update(PriceBatch batch, List<Change> changes) {
        public Update() {
            this(new PriceBatch(), new ArrayList<>());
        }

        public void put(Price price) {
            batch.put(price);
            changes.add(new Change(price.offering(), price.id(), List.of(price)));
        }

        public void remove(String offering, String id) {
            batch.remove(offering, id);
            changes.add(new Change(offering, id, List.of()));
        }
    }

    /** One change; no price to remove. */
    record Change(String offering, String id, List<Price> price) {}

    public void apply(Update update) {
        // an offering is known from its first price on; those of one batch in the order in which it names them
        Set<String> put = new HashSet<>();
        update.changes.forEach(change -> change.price.forEach(price -> put.add(price.offering())));
        for (Change change : update.changes) {
            if (put.contains(change.offering)) {
                byOffering.computeIfAbsent(change.offering, key -> new LinkedHashMap<>());
            }
        }
        for (Change change : update.changes) {
            Map<String, Price> prices = byOffering.getOrDefault(change.offering, new LinkedHashMap<>());
            prices.remove(change.price.isEmpty() ? change.id : "");
            change.price.forEach(price -> put(price, prices));
        }
        byOffering.values().removeIf(Map::isEmpty);
    }

    static void put(Price price, Map<String, Price> prices) {
        Price before = prices.get(price.id());
        if (before != null && !isSameButValue(before, price)) {
            prices.remove(price.id());
        }
        prices.put(price.id(), price);
    }

    private static boolean isSameButValue(Price one, Price other) {
        return one.conditions().equals(other.conditions())
                && one.value().scale() == other.value().scale()
                && one.currency().equals(other.currency())
                && one.isDefault() == other.isDefault()
                && Objects.equals(one.payload(), other.payload());
    }

    public List<String> offerings() {
        return List.copyOf(byOffering.keySet());
    }

    public List<Price> prices(String offering) {
        return List.copyOf(byOffering.getOrDefault(offering, Map.of()).values());
    }

    /** All prices, in the order in which an index finds them. */
    public List<Price> all() {
        List<Price> all = new ArrayList<>();
        byOffering.values().forEach(prices -> all.addAll(prices.values()));
        return all;
    }

    /** Puts and removals, of prices that there are and of others, several of some. */
    public Update random(RandomPrices prices, int most) {
        Update update = new Update();
        Random random = prices.random;
        List<Price> known = all();
        for (int left = random.nextInt(most + 1); left > 0; left--) {
            Price some = known.isEmpty() || random.nextInt(3) == 0
                    ? prices.price("new" + random.nextInt(1000))
                    : known.get(random.nextInt(known.size()));
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> update.remove(some.offering(), some.id());
                case 3 -> {
                    update.remove(some.offering(), some.id());
                    update.put(some);
                }
                case 4 -> {
                    update.put(some);
                    update.remove(some.offering(), some.id());
                }
                default -> update.put(again(some, prices.price("again")));
            }
        }
        return update;
    }

    /** A price of the same id and offering that is like another one. */
    private static Price again(Price price, Price like) {
        return new Price(
                price.id(),
                price.offering(),
                like.conditions(),
                like.value(),
                like.currency(),
                like.isDefault(),
                like.payload());
    }
}
