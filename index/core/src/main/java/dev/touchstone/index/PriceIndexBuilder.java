package dev.touchstone.index;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Collects fields, and then prices, of a {@link PriceIndex}. Not thread-safe. Arguments are not null. */
public final class PriceIndexBuilder {
    private final List<Field> declared = new ArrayList<>();
    private String key = "offering";
    private EngineType engine = EngineType.OURS;

    PriceIndexBuilder() {}

    /** The name under which the key appears outside, in files and requests; at first {@code offering}. */
    public PriceIndexBuilder keyField(String name) {
        key = Objects.requireNonNull(name, "name");
        return this;
    }

    /** How the index searches; at first {@link EngineType#OURS}. */
    public PriceIndexBuilder engine(EngineType type) {
        engine = Objects.requireNonNull(type, "type");
        return this;
    }

    /** Declares fields of strings. */
    public PriceIndexBuilder string(String... names) {
        return fields(FieldType.STRING, 0, names);
    }

    /** Declares fields of integers. */
    public PriceIndexBuilder integer(String... names) {
        return fields(FieldType.INTEGER, 0, names);
    }

    /** Declares a field of decimal numbers with up to {@code scale} digits behind the point. */
    public PriceIndexBuilder decimal(String name, int scale) {
        return fields(FieldType.DECIMAL, scale, name);
    }

    /** Declares fields of points in time. */
    public PriceIndexBuilder dateTime(String... names) {
        return fields(FieldType.DATE_TIME, 0, names);
    }

    private PriceIndexBuilder fields(FieldType type, int scale, String... names) {
        for (String name : names) {
            declared.add(new Field(name, type, scale, declared.size()));
        }
        return this;
    }

    /**
     * Makes an index of some prices, each of which is looked at once and not kept.
     *
     * @throws InvalidValueException if two prices of an offering have the same id, or a value isn't of its field's type
     * @throws UnknownFieldException if a price has a condition on a field that was not declared
     * @throws IllegalArgumentException if two fields have the same name, or one the key's
     */
    public PriceIndex build(Iterable<Price> prices) {
        for (Field field : declared) {
            if (field.name().equals(key)) {
                throw new IllegalArgumentException("field has the key's name: name=" + key);
            }
        }
        Fields fields = new Fields(declared);
        SnapshotDraft draft = new SnapshotDraft(fields, null);
        prices.forEach(draft::add);
        return new PriceIndex(key, fields, engine, draft.build(), new PayloadCache(0));
    }
}
