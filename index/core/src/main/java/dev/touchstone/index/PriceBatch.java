package dev.touchstone.index;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Changes that become visible together. Not thread-safe. */
public final class PriceBatch {
    /**
     * One change.
     *
     * @param price null to remove
     */
    record Change(String id, @Nullable Price price) {}

    final Map<String, List<Change>> byOffering = new LinkedHashMap<>();
    private int size;

    /** A batch without changes. */
    public PriceBatch() {}

    /** Adds a price, or puts it in the place of that with the same id and offering. */
    public PriceBatch put(Price price) {
        return add(price.offering(), new Change(price.id(), price));
    }

    /** Removes a price; nothing happens if there is none. */
    public PriceBatch remove(String offering, String id) {
        return add(offering, new Change(Objects.requireNonNull(id, "id"), null));
    }

    private PriceBatch add(String offering, Change change) {
        byOffering.computeIfAbsent(offering, key -> new ArrayList<>()).add(change);
        size++;
        return this;
    }

    /** How many changes there are. */
    public int size() {
        return size;
    }
}
