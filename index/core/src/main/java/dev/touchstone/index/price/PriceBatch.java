package dev.touchstone.index.price;

import dev.touchstone.index.InvalidValueException;
import dev.touchstone.index.Price;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Changes of an index that become visible together. Not thread-safe. */
public final class PriceBatch {
    /**
     * A change of one price.
     *
     * @param price new price, or null to remove the price with the id
     */
    private record Change(String id, @Nullable Price price) {}

    /** A receiver of the changes of a batch; see {@link #visit}. */
    public interface Visitor {
        /**
         * Takes a price that is added, or that replaces the one with the same id and offering.
         *
         * @param price new price
         */
        void put(Price price);

        /**
         * Takes the removal of a price.
         *
         * @param offering key of the offering
         * @param id id of the price
         */
        void remove(String offering, String id);
    }

    private final Map<String, List<Change>> byOffering = new LinkedHashMap<>();
    private int size;

    /** Creates a batch without changes. */
    public PriceBatch() {}

    /**
     * Adds a price, or replaces the price with the same id and offering. A new price is the last one of its offering. A price that replaces another one
     * keeps the place of that one if nothing but the digits of the value differs; otherwise it becomes the last one, too.
     *
     * @param price new price
     * @return this batch
     */
    public PriceBatch put(Price price) {
        return add(price.offering(), new Change(price.id(), price));
    }

    /**
     * Removes a price, if there is one with the id. An offering without prices is forgotten; when it comes back, it is the last offering.
     *
     * @param offering key of the offering
     * @param id id of the price
     * @return this batch
     * @throws InvalidValueException if offering or id cannot be encoded in UTF-8, so that no price can have them
     */
    public PriceBatch remove(String offering, String id) {
        InvalidValueException.requireText(offering, "offering");
        InvalidValueException.requireText(id, "id");
        return add(offering, new Change(Objects.requireNonNull(id, "id"), null));
    }

    private PriceBatch add(String offering, Change change) {
        byOffering.computeIfAbsent(offering, key -> new ArrayList<>()).add(change);
        size++;
        return this;
    }

    /**
     * Returns the number of changes.
     *
     * @return number of changes
     */
    public int size() {
        return size;
    }

    /**
     * Gives all changes to a visitor, offering by offering; those of one offering in the order in which they were added. A batch of the same
     * changes in this order has the same effect.
     *
     * @param visitor receiver, called by this thread
     */
    public void visit(Visitor visitor) {
        forEach(visitor::put, visitor::remove);
    }

    /** Passes on all changes in the order of {@link #visit}: the prices that are put, and the offerings and ids of those that are removed. */
    void forEach(Consumer<Price> put, BiConsumer<String, String> remove) {
        byOffering.forEach((offering, changes) -> {
            for (Change change : changes) {
                Price price = change.price();
                if (price == null) {
                    remove.accept(offering, change.id());
                } else {
                    put.accept(price);
                }
            }
        });
    }
}
