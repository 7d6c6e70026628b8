package dev.touchstone.index.engine;

import dev.touchstone.index.Field;
import dev.touchstone.index.UnknownFieldException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The fields of an index, by ordinal and by name, and the sizes of its blocks. Immutable and thread-safe. */
public final class Fields {
    /** Maximum number of fields: a query holds a set of fields in the bits of a {@code long}. */
    public static final int MAX_FIELDS = 63;

    /** Number of rows up to which blocks of an offering are merged whatever their sizes are. */
    private static final int SMALL_ROWS = 1024;

    /** Maximum number of rows of a block, which bounds what one update can cost beside its changes. */
    private static final int MAX_ROWS = 1 << 17;

    public final List<Field> list;
    final int smallRows; // SMALL_ROWS, but lower in tests, which need many blocks of few rows
    final int maxRows; // MAX_ROWS, but lower in tests
    private final Map<String, Field> byName = new HashMap<>();

    /**
     * Creates fields with blocks of the usual sizes.
     *
     * @throws IllegalArgumentException if there are more than {@link #MAX_FIELDS} fields, or two have the same name
     */
    public Fields(List<Field> fields) {
        this(fields, SMALL_ROWS, MAX_ROWS);
    }

    /**
     * Creates fields with blocks of given sizes.
     *
     * @throws IllegalArgumentException if there are more than {@link #MAX_FIELDS} fields, or two have the same name
     */
    public Fields(List<Field> fields, int smallRows, int maxRows) {
        this.smallRows = smallRows;
        this.maxRows = maxRows;
        list = List.copyOf(fields);
        if (list.size() > MAX_FIELDS) {
            throw new IllegalArgumentException("more than " + MAX_FIELDS + " fields: fields=" + list.size());
        }
        for (Field field : list) {
            if (byName.put(field.name(), field) != null) {
                throw new IllegalArgumentException("field is there twice: name=" + field.name());
            }
        }
    }

    /**
     * Checks that a field is one of these.
     *
     * @throws IllegalArgumentException if it is one of another index
     */
    @SuppressWarnings("ReferenceEquality") // most fields are the same objects, which is found faster
    public void requireOwn(Field where) {
        int at = where.ordinal();
        if (at >= list.size() || (list.get(at) != where && !list.get(at).equals(where))) {
            throw new IllegalArgumentException("field of another index: name=" + where.name());
        }
    }

    /**
     * Returns the field with a name.
     *
     * @throws UnknownFieldException if there is no such field
     */
    public Field named(String name) {
        Field field = byName.get(name);
        if (field == null) {
            throw new UnknownFieldException(name, list.stream().map(Field::name).toList());
        }
        return field;
    }
}
