package dev.touchstone.index.price;

import dev.touchstone.index.Field;
import dev.touchstone.index.FieldType;
import dev.touchstone.index.InvalidValueException;
import dev.touchstone.index.Price;
import dev.touchstone.index.UnknownFieldException;
import dev.touchstone.index.engine.Fields;
import dev.touchstone.index.engine.PayloadCache;
import dev.touchstone.index.engine.SnapshotBuilder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A builder that collects the fields of a {@link PriceIndex}, and then its prices. Not thread-safe. Arguments must not be null. */
public final class PriceIndexBuilder {
    private final List<Field> declared = new ArrayList<>();
    private String key = "offering";
    private @Nullable Blocks blocks; // null for the sizes of Fields

    /** Sizes of blocks, which tests choose. */
    private record Blocks(int smallRows, int maxRows) {}

    PriceIndexBuilder() {}

    /** Sets the sizes of the blocks of an offering; see {@link Fields}. */
    PriceIndexBuilder blocks(int smallRows, int maxRows) {
        blocks = new Blocks(smallRows, maxRows);
        return this;
    }

    /**
     * Sets the name of the key in files and requests; {@code offering} if not set.
     *
     * @param name name of the key
     * @return this builder
     * @throws IllegalArgumentException if the name is empty
     */
    public PriceIndexBuilder keyField(String name) {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("name of the key is empty");
        }
        InvalidValueException.requireText(name, "name of the key");
        key = name;
        return this;
    }

    /**
     * Lets the index hold entries, for {@link dev.touchstone.index.entry.EntryIndex}. Its key has no name, by which its files are told from files of prices.
     *
     * @return this builder
     */
    public PriceIndexBuilder ofEntries() {
        key = "";
        return this;
    }

    /**
     * Declares fields of strings.
     *
     * @param names names of the fields
     * @return this builder
     * @throws IllegalArgumentException if a name is empty
     */
    public PriceIndexBuilder string(String... names) {
        return fields(FieldType.STRING, 0, names);
    }

    /**
     * Declares fields of integers.
     *
     * @param names names of the fields
     * @return this builder
     * @throws IllegalArgumentException if a name is empty
     */
    public PriceIndexBuilder integer(String... names) {
        return fields(FieldType.INTEGER, 0, names);
    }

    /**
     * Declares a field of decimal numbers.
     *
     * @param name name of the field
     * @param scale maximum number of digits behind the decimal point, from 0 to 18
     * @return this builder
     * @throws IllegalArgumentException if the name is empty or the scale is outside its range
     */
    public PriceIndexBuilder decimal(String name, int scale) {
        return fields(FieldType.DECIMAL, scale, name);
    }

    /**
     * Declares fields of points in time.
     *
     * @param names names of the fields
     * @return this builder
     * @throws IllegalArgumentException if a name is empty
     */
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
     * Builds an index of some prices. Each price is read once, and the objects are not kept.
     *
     * @param prices prices of all offerings, in any order
     * @return index at version 1
     * @throws InvalidValueException if two prices of an offering have the same id, or a value is not of the type of its field
     * @throws UnknownFieldException if a price has a condition on a field that was not declared
     * @throws IllegalArgumentException if two fields have the same name, a field has the name of the key, or there are more than 63 fields
     */
    public PriceIndex build(Iterable<Price> prices) {
        for (Field field : declared) {
            if (field.name().equals(key)) {
                throw new IllegalArgumentException("field has the key's name: name=" + key);
            }
        }
        Fields fields = blocks == null ? new Fields(declared) : new Fields(declared, blocks.smallRows, blocks.maxRows);
        SnapshotBuilder draft = new SnapshotBuilder(fields, null);
        prices.forEach(draft::add);
        return new PriceIndex(key, fields, draft.build(), new PayloadCache(0));
    }
}
