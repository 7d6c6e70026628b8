package dev.touchstone.index.loader;

import dev.touchstone.index.Field;
import dev.touchstone.index.FieldType;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.price.PriceIndexBuilder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a source of prices, and the types of its fields. Immutable and thread-safe.
 *
 * <p>The columns of the key and of the fields have the names of the key and the fields. The other columns are {@code id}, {@code value}, {@code
 * currency}, {@code default} and {@code payload}, unless the builder sets other names.
 */
public final class PriceSchema {
    static final int ID = 0;
    static final int KEY = 1;
    static final int VALUE = 2;
    static final int CURRENCY = 3;
    static final int DEFAULT = 4;
    static final int PAYLOAD = 5;
    static final int FIRST_FIELD = 6;

    /** Separator of the values of a cell, unless another one is given. */
    private static final char SEPARATOR = '|';

    private final List<Field> fields;
    private final Map<String, Character> separators; // by field, for those of which a cell may have several values
    private final List<String> columns;
    private final Map<String, Integer> byName = new HashMap<>();

    private PriceSchema(List<Field> fields, Map<String, Character> separators, List<String> columns) {
        this.fields = List.copyOf(fields);
        this.separators = Map.copyOf(separators);
        this.columns = List.copyOf(columns);
        for (String column : columns) {
            if (byName.put(column, byName.size()) != null) {
                throw new IllegalArgumentException("two columns have the same name: name=" + column);
            }
        }
    }

    /**
     * Returns a builder of a schema.
     *
     * @return a new builder without fields
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns the schema with the key and the fields of an index.
     *
     * @param index index whose key and fields are taken
     * @return schema
     */
    public static PriceSchema of(PriceIndex index) {
        Builder builder = builder().keyField(index.keyField());
        index.fields().forEach(field -> builder.field(field.name(), field.type(), field.scale()));
        return builder.build();
    }

    /**
     * Returns the name of the key, which is also that of its column.
     *
     * @return name of the key
     */
    public String keyField() {
        return columns.get(KEY);
    }

    /**
     * Returns the fields in the order of their declaration.
     *
     * @return unmodifiable list
     */
    public List<Field> fields() {
        return fields;
    }

    /**
     * Returns the names of all columns: id, key, value, currency, default, payload, and then those of the fields.
     *
     * @return unmodifiable list
     */
    public List<String> columns() {
        return columns;
    }

    /**
     * Declares the key and the fields of this schema in a builder of an index.
     *
     * @param builder builder of an index
     * @return the same builder
     */
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

    /** Returns the number of a column, or -1 if there is none with the name. */
    int column(String name) {
        return byName.getOrDefault(name, -1);
    }

    /** Returns the field of a column, which must be {@link #FIRST_FIELD} or higher. */
    Field field(int column) {
        return fields.get(column - FIRST_FIELD);
    }

    /** Returns the separator of the values in the text of a field, or null if such a text is one value. */
    @Nullable
    Character separator(Field field) {
        return separators.get(field.name());
    }

    /** A builder that collects the columns and fields of a schema. Not thread-safe. */
    public static final class Builder {
        private final List<Field> fields = new ArrayList<>();
        private final Map<String, Character> separators = new HashMap<>();
        private final String[] names = {"id", "offering", "value", "currency", "default", "payload"};

        private Builder() {}

        /**
         * Sets the name of the key and its column; {@code offering} if not set.
         *
         * @param name name, not null
         * @return this builder
         */
        public Builder keyField(String name) {
            return name(KEY, name);
        }

        /**
         * Sets the name of the column of the id; {@code id} if not set.
         *
         * @param name name, not null
         * @return this builder
         */
        public Builder idColumn(String name) {
            return name(ID, name);
        }

        /**
         * Sets the name of the column of the value; {@code value} if not set.
         *
         * @param name name, not null
         * @return this builder
         */
        public Builder valueColumn(String name) {
            return name(VALUE, name);
        }

        /**
         * Sets the name of the column of the currency; {@code currency} if not set.
         *
         * @param name name, not null
         * @return this builder
         */
        public Builder currencyColumn(String name) {
            return name(CURRENCY, name);
        }

        /**
         * Sets the name of the column that tells whether a price is a default one; {@code default} if not set.
         *
         * @param name name, not null
         * @return this builder
         */
        public Builder defaultColumn(String name) {
            return name(DEFAULT, name);
        }

        /**
         * Sets the name of the column of the payload; {@code payload} if not set.
         *
         * @param name name, not null
         * @return this builder
         */
        public Builder payloadColumn(String name) {
            return name(PAYLOAD, name);
        }

        private Builder name(int column, String name) {
            names[column] = Objects.requireNonNull(name, "name");
            return this;
        }

        /**
         * Declares fields of strings.
         *
         * @param fieldNames names of the fields
         * @return this builder
         * @throws IllegalArgumentException if a name is empty
         */
        public Builder string(String... fieldNames) {
            for (String name : fieldNames) {
                field(name, FieldType.STRING, 0);
            }
            return this;
        }

        /**
         * Declares a field of strings of which a text may have several values: in CSV, in a text of a database and in a string of JSON, {@code
         * north|west} stands for both with {@code '|'} as the separator. A value cannot contain the separator, and text between separators must not be
         * empty. Without a separator a text is one value. Arrays of JSON and of a database are several values of any field of strings.
         *
         * @param name name of the field
         * @param separator character between the values
         * @return this builder
         * @throws IllegalArgumentException if the name is empty, or the separator is half of a character
         */
        public Builder strings(String name, char separator) {
            if (Character.isSurrogate(separator)) {
                throw new IllegalArgumentException(
                        "separator is half of a character: field=" + name + " code=" + Integer.toHexString(separator));
            }
            separators.put(name, separator);
            return string(name);
        }

        /**
         * Declares fields of integers.
         *
         * @param fieldNames names of the fields
         * @return this builder
         * @throws IllegalArgumentException if a name is empty
         */
        public Builder integer(String... fieldNames) {
            for (String name : fieldNames) {
                field(name, FieldType.INTEGER, 0);
            }
            return this;
        }

        /**
         * Declares a field of decimal numbers.
         *
         * @param name name of the field
         * @param scale maximum number of digits behind the decimal point, from 0 to 18
         * @return this builder
         * @throws IllegalArgumentException if the name is empty or the scale is outside its range
         */
        public Builder decimal(String name, int scale) {
            return field(name, FieldType.DECIMAL, scale);
        }

        /**
         * Declares fields of points in time.
         *
         * @param fieldNames names of the fields
         * @return this builder
         * @throws IllegalArgumentException if a name is empty
         */
        public Builder dateTime(String... fieldNames) {
            for (String name : fieldNames) {
                field(name, FieldType.DATE_TIME, 0);
            }
            return this;
        }

        /**
         * Declares a field whose type is given as text.
         *
         * @param name name of the field
         * @param type {@code string}, {@code string[]} or {@code string[c]} for {@link #strings} with the separator {@code |} or {@code c},
         *     {@code integer}, {@code decimal(digits)} or {@code date-time}
         * @return this builder
         * @throws IllegalArgumentException if there is no such type
         */
        public Builder field(String name, String type) {
            if (type.startsWith("decimal(") && type.endsWith(")")) {
                String digits = type.substring("decimal(".length(), type.length() - 1);
                if (!digits.matches("[0-9]{1,9}")) {
                    throw new IllegalArgumentException("not a number of digits: field=" + name + " type=" + type);
                }
                return decimal(name, Integer.parseInt(digits));
            }
            if (type.length() == "string[c]".length() && type.startsWith("string[") && type.endsWith("]")) {
                return strings(name, type.charAt("string[".length()));
            }
            return switch (type) {
                case "string" -> string(name);
                case "string[]" -> strings(name, SEPARATOR);
                case "integer" -> integer(name);
                case "date-time" -> dateTime(name);
                default ->
                    throw new IllegalArgumentException("no such type: field=" + name + " type=" + type
                            + " types=string, string[], string[separator], integer, decimal(digits), date-time");
            };
        }

        Builder field(String name, FieldType type, int scale) {
            fields.add(new Field(name, type, scale, fields.size()));
            return this;
        }

        /**
         * Builds the schema.
         *
         * @return schema
         * @throws IllegalArgumentException if two columns have the same name
         */
        public PriceSchema build() {
            List<String> columns = new ArrayList<>(List.of(names));
            fields.forEach(field -> columns.add(field.name()));
            return new PriceSchema(fields, separators, columns);
        }
    }
}
