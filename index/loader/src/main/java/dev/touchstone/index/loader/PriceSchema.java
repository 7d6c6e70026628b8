package dev.touchstone.index.loader;

import dev.touchstone.index.Field;
import dev.touchstone.index.FieldType;
import dev.touchstone.index.PriceIndex;
import dev.touchstone.index.PriceIndexBuilder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Which columns a source of prices has, and of which types its fields are. Immutable and thread-safe.
 *
 * <p>The columns of the key and of the fields have their names; the others are {@code id}, {@code value}, {@code currency}, {@code default} and
 * {@code payload}, unless the builder says otherwise.
 */
public final class PriceSchema {
    static final int ID = 0;
    static final int KEY = 1;
    static final int VALUE = 2;
    static final int CURRENCY = 3;
    static final int DEFAULT = 4;
    static final int PAYLOAD = 5;
    static final int FIRST_FIELD = 6;

    private final List<Field> fields;
    private final List<String> columns;
    private final Map<String, Integer> byName = new HashMap<>();

    private PriceSchema(List<Field> fields, List<String> columns) {
        this.fields = List.copyOf(fields);
        this.columns = List.copyOf(columns);
        for (String column : columns) {
            if (byName.put(column, byName.size()) != null) {
                throw new IllegalArgumentException("two columns have the same name: name=" + column);
            }
        }
    }

    /** Begins a schema. */
    public static Builder builder() {
        return new Builder();
    }

    /** The schema of an index that is there. */
    public static PriceSchema of(PriceIndex index) {
        Builder builder = builder().keyField(index.keyField());
        index.fields().forEach(field -> builder.field(field.name(), field.type(), field.scale()));
        return builder.build();
    }

    /** The name of the key, and of its column. */
    public String keyField() {
        return columns.get(KEY);
    }

    /** The fields, in the order of their declaration. */
    public List<Field> fields() {
        return fields;
    }

    /** Names of all columns: id, key, value, currency, default, payload, and then those of the fields. */
    public List<String> columns() {
        return columns;
    }

    /** Declares key and fields. */
    public PriceIndexBuilder declare(PriceIndexBuilder builder) {
        builder.keyField(keyField());
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

    String column(int number) {
        return columns.get(number);
    }

    /** The number of a column, or -1. */
    int column(String name) {
        return byName.getOrDefault(name, -1);
    }

    /** The field of a column from {@link #FIRST_FIELD} on. */
    Field field(int column) {
        return fields.get(column - FIRST_FIELD);
    }

    /** Collects what a schema has. Not thread-safe. */
    public static final class Builder {
        private final List<Field> fields = new ArrayList<>();
        private final String[] names = {"id", "offering", "value", "currency", "default", "payload"};

        private Builder() {}

        /** The name of the key; at first {@code offering}. */
        public Builder keyField(String name) {
            return name(KEY, name);
        }

        /** The column of the id; at first {@code id}. */
        public Builder idColumn(String name) {
            return name(ID, name);
        }

        /** The column of the value; at first {@code value}. */
        public Builder valueColumn(String name) {
            return name(VALUE, name);
        }

        /** The column of the currency; at first {@code currency}. */
        public Builder currencyColumn(String name) {
            return name(CURRENCY, name);
        }

        /** The column that says whether the price is a default one; at first {@code default}. */
        public Builder defaultColumn(String name) {
            return name(DEFAULT, name);
        }

        /** The column of the payload; at first {@code payload}. */
        public Builder payloadColumn(String name) {
            return name(PAYLOAD, name);
        }

        private Builder name(int column, String name) {
            names[column] = Objects.requireNonNull(name, "name");
            return this;
        }

        /** Declares fields of strings. */
        public Builder string(String... fieldNames) {
            for (String name : fieldNames) {
                field(name, FieldType.STRING, 0);
            }
            return this;
        }

        /** Declares fields of integers. */
        public Builder integer(String... fieldNames) {
            for (String name : fieldNames) {
                field(name, FieldType.INTEGER, 0);
            }
            return this;
        }

        /** Declares a field of decimal numbers with up to {@code scale} digits behind the point. */
        public Builder decimal(String name, int scale) {
            return field(name, FieldType.DECIMAL, scale);
        }

        /** Declares fields of points in time. */
        public Builder dateTime(String... fieldNames) {
            for (String name : fieldNames) {
                field(name, FieldType.DATE_TIME, 0);
            }
            return this;
        }

        /**
         * Declares a field of a type that is given as text.
         *
         * @param type {@code string}, {@code integer}, {@code decimal(digits)} or {@code date-time}
         * @throws IllegalArgumentException if there is no such type
         */
        public Builder field(String name, String type) {
            if (type.startsWith("decimal(") && type.endsWith(")")) {
                try {
                    return decimal(name, Integer.parseInt(type, "decimal(".length(), type.length() - 1, 10));
                } catch (NumberFormatException e) {
                    throw new IllegalArgumentException("not a number of digits: field=" + name + " type=" + type, e);
                }
            }
            return switch (type) {
                case "string" -> string(name);
                case "integer" -> integer(name);
                case "date-time" -> dateTime(name);
                default ->
                    throw new IllegalArgumentException("no such type: field=" + name + " type=" + type
                            + " types=string, integer, decimal(digits), date-time");
            };
        }

        Builder field(String name, FieldType type, int scale) {
            fields.add(new Field(name, type, scale, fields.size()));
            return this;
        }

        /**
         * Makes the schema.
         *
         * @throws IllegalArgumentException if two columns have the same name
         */
        public PriceSchema build() {
            List<String> columns = new ArrayList<>(List.of(names));
            fields.forEach(field -> columns.add(field.name()));
            return new PriceSchema(fields, columns);
        }
    }
}
