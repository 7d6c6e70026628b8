package dev.touchstone.serialization.processor;

import dev.touchstone.serialization.processor.FieldType.Nested;
import dev.touchstone.serialization.schema.FieldKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * The methods by which a codec writes and reads a record straight, at offsets that are known now: see {@code StraightCodec}. There are none
 * for a type that holds one of several types, or more fields than a method can have that is still compiled.
 */
final class StraightText {
    private static final int MAX_FIELDS = 150;
    private static final int BITS = 8;
    private static final String ARRAY = "ARRAY_OF_";
    private static final ClassRef ITEM_WRITER = new ClassRef("dev.touchstone.serialization", "ItemWriter");
    private static final ClassRef OUTPUT = new ClassRef("dev.touchstone.serialization", "Output");
    private static final String INDENT = " ".repeat(8);

    private final TypeModel model;
    private final Expressions expressions;
    private final Imports imports;
    private final List<FieldModel> fixed;
    private final List<FieldModel> variable;
    private final List<FieldModel> booleans;
    /** Offsets in the fixed region, in the order of {@link #fixed}. */
    private final List<Integer> offsets = new ArrayList<>();

    private final int booleansAt;

    StraightText(TypeModel model, Imports imports) {
        this.model = model;
        this.imports = imports;
        expressions = new Expressions(new Local(), imports);
        List<FieldModel> byName = model.fields().stream()
                .sorted(Comparator.comparingInt(FieldModel::index))
                .toList();
        booleans = byName.stream()
                .filter(field -> field.kind() == FieldKind.BOOLEAN)
                .toList();
        fixed = byName.stream()
                .filter(field -> field.kind().isFixed() && field.kind() != FieldKind.BOOLEAN)
                .sorted(Comparator.comparingInt(field -> -size(field.kind())))
                .toList();
        variable = byName.stream().filter(field -> !field.kind().isFixed()).toList();
        int next = 0;
        for (FieldModel field : fixed) {
            offsets.add(next);
            next += size(field.kind());
        }
        booleansAt = next;
    }

    /** Whether there is a straight way for the type. */
    boolean isPossible() {
        return model.fields().size() <= MAX_FIELDS
                && model.fields().stream()
                        .map(field -> field.type().nested())
                        .noneMatch(nested -> nested != null && nested.isSealed());
    }

    private int fixedBytes() {
        return booleansAt + (booleans.size() + BITS - 1) / BITS;
    }

    String writes() {
        StringBuilder text = new StringBuilder();
        line(
                text,
                String.format(
                        Locale.ROOT,
                        "%sout.%s(SCHEMA_ID, %d);",
                        model.fields().isEmpty() ? "" : "int data = ",
                        variable.isEmpty() ? "beginFixed" : "begin",
                        fixedBytes()));
        for (int i = 0; i < fixed.size(); i++) {
            FieldModel field = fixed.get(i);
            line(
                    text,
                    String.format(
                            Locale.ROOT,
                            "out.put%s(%s, %s);",
                            Expressions.suffix(field.kind()),
                            plus("data", offsets.get(i)),
                            expressions.toField(field)));
        }
        for (int first = 0; first < booleans.size(); first += BITS) {
            line(text, octet(first));
        }
        if (variable.isEmpty()) {
            return text.toString();
        }
        for (FieldModel field : declared()) {
            line(text, String.format(Locale.ROOT, "int at%d = out.%s;", variable.indexOf(field), put(field)));
        }
        line(text, String.format(Locale.ROOT, "int table = out.endData(data, %d);", variable.size()));
        line(text, "int shift = " + imports.name(OUTPUT) + ".shift(data, table);");
        for (int entry = 0; entry < variable.size(); entry++) {
            line(text, String.format(Locale.ROOT, "out.putOffset(table, shift, %d, at%d);", entry, entry));
        }
        return text.toString();
    }

    private String put(FieldModel field) {
        FieldKind kind = field.kind();
        String value = expressions.toField(field);
        if (kind == FieldKind.STRING) {
            return "put(data, " + value + ")";
        }
        String name = kind.name().replace("NULLABLE_", "");
        boolean areItems = isItems(kind);
        String writer = imports.name(ITEM_WRITER) + "." + (areItems ? name.substring(ARRAY.length()) : name);
        return String.format(
                Locale.ROOT,
                "%s(data, %s%s)",
                areItems ? "putItems" : "put",
                value,
                field.type().nested() == null ? ", " + writer : codec(field));
    }

    /** Returns whether the values are arrays whose items may be null, but for strings. */
    private static boolean isItems(FieldKind kind) {
        return switch (kind) {
            case ARRAY_OF_DECIMAL,
                    ARRAY_OF_TIME,
                    ARRAY_OF_DATE,
                    ARRAY_OF_TIMESTAMP,
                    ARRAY_OF_TIMESTAMP_WITH_TIMEZONE,
                    ARRAY_OF_COMPACT -> true;
            default -> kind.name().startsWith("ARRAY_OF_NULLABLE_");
        };
    }

    private String octet(int first) {
        List<String> bits = new ArrayList<>();
        for (int bit = 0; bit < BITS && first + bit < booleans.size(); bit++) {
            bits.add(String.format(
                    Locale.ROOT, "(%s ? %d : 0)", expressions.toField(booleans.get(first + bit)), 1 << bit));
        }
        return String.format(
                Locale.ROOT,
                "out.putInt8(%s, (byte) (%s));",
                plus("data", booleansAt + first / BITS),
                String.join(" | ", bits));
    }

    String reads() {
        StringBuilder text = new StringBuilder();
        if (!variable.isEmpty()) {
            line(text, "int none = none(width);");
            line(text, "int next = " + plus("data", fixedBytes()) + ";");
            line(text, "int offset;");
            declared().forEach(field -> readVariable(text, field));
            line(text, "if (next != table) {");
            line(text, "    return null;");
            line(text, "}");
        }
        return text + new ObjectText(model, expressions, imports).whole();
    }

    private void readVariable(StringBuilder text, FieldModel field) {
        int entry = variable.indexOf(field);
        line(text, String.format(Locale.ROOT, "%s value%d = null;", javaType(field), entry));
        line(
                text,
                String.format(
                        Locale.ROOT,
                        "offset = offset(in, table + %s, none);",
                        entry == 0 ? "width" : (entry + 1) + " * width"));
        line(text, "if (offset == next - data) {");
        line(text, String.format(Locale.ROOT, "    value%d = %s;", entry, read(field)));
        line(text, String.format(Locale.ROOT, "    if (value%d == null) {", entry));
        line(text, "        return null;");
        line(text, "    }");
        line(text, String.format(Locale.ROOT, "    next%s;", advance(field, entry)));
        line(text, "} else if (offset != none) {");
        line(text, "    return null;");
        line(text, "}");
    }

    /** The fields without a fixed size, in the order in which they are written. */
    private List<FieldModel> declared() {
        return model.fields().stream().filter(field -> !field.kind().isFixed()).toList();
    }

    private String codec(FieldModel field) {
        Nested nested = field.type().nested();
        return nested == null ? "" : ", " + imports.name(nested.codec()) + ".INSTANCE";
    }

    private String read(FieldModel field) {
        Nested nested = field.type().nested();
        if (field.kind() == FieldKind.COMPACT) {
            return "record(in, next, table" + codec(field) + ", depth, limits)";
        }
        if (nested != null) {
            return String.format(
                    Locale.ROOT,
                    "records(in, next, table%s, %s[]::new, depth, limits)",
                    codec(field),
                    imports.name(nested.type()));
        }
        String name = field.kind().name();
        boolean isArray = name.startsWith(ARRAY);
        return String.format(
                Locale.ROOT, "%s(in, next, table%s)", isArray ? plural(name) : single(name), isArray ? ", limits" : "");
    }

    private static String single(String kind) {
        String suffix = Expressions.suffix(FieldKind.valueOf(kind));
        return Character.toLowerCase(suffix.charAt(0)) + suffix.substring(1);
    }

    private static String plural(String kind) {
        String item = single(kind.substring(ARRAY.length()));
        return switch (item) {
            case "boolean" -> "bools";
            case "timestampWithTimezone" -> "timestampsWithTimezone";
            default -> item + "s";
        };
    }

    /** What a value that was read moves on by, behind {@code next}. */
    private String advance(FieldModel field, int entry) {
        String length = "value" + entry + ".length";
        return switch (field.kind()) {
            case STRING -> " = endOfBytes(in, next)";
            case DECIMAL -> " = endOfDecimal(in, next)";
            case COMPACT -> " = endOfRecord(in, next" + codec(field) + ")";
            case ARRAY_OF_BOOLEAN -> " += 4 + (" + length + " + 7) / 8";
            case ARRAY_OF_INT8 -> " += 4 + " + length;
            case ARRAY_OF_INT16 -> " += 4 + 2 * " + length;
            case ARRAY_OF_INT32, ARRAY_OF_FLOAT32 -> " += 4 + 4 * " + length;
            case ARRAY_OF_INT64, ARRAY_OF_FLOAT64 -> " += 4 + 8 * " + length;
            default -> field.kind().name().startsWith(ARRAY) ? " = endOfItems(in, next)" : " += " + size(field.kind());
        };
    }

    /** Bytes of a value, or of an item of an array, where they are always as many. */
    private static int size(FieldKind kind) {
        return switch (kind) {
            case INT8, NULLABLE_INT8, NULLABLE_BOOLEAN, ARRAY_OF_NULLABLE_INT8, ARRAY_OF_NULLABLE_BOOLEAN -> 1;
            case INT16, NULLABLE_INT16, ARRAY_OF_NULLABLE_INT16 -> 2;
            case INT32, FLOAT32, NULLABLE_INT32, NULLABLE_FLOAT32, ARRAY_OF_NULLABLE_INT32, ARRAY_OF_NULLABLE_FLOAT32 ->
                4;
            case INT64, FLOAT64, NULLABLE_INT64, NULLABLE_FLOAT64, ARRAY_OF_NULLABLE_INT64, ARRAY_OF_NULLABLE_FLOAT64 ->
                8;
            case DATE, ARRAY_OF_DATE -> 6;
            case TIME, ARRAY_OF_TIME -> 7;
            case TIMESTAMP, ARRAY_OF_TIMESTAMP -> 13;
            case TIMESTAMP_WITH_TIMEZONE, ARRAY_OF_TIMESTAMP_WITH_TIMEZONE -> 17;
            default -> throw new IllegalArgumentException("no fixed size: kind=" + kind);
        };
    }

    /** The Java type of a field's value, which is an object. */
    private String javaType(FieldModel field) {
        Nested nested = field.type().nested();
        String name = field.kind().name();
        boolean isArray = name.startsWith(ARRAY);
        String item = nested != null
                ? imports.name(nested.type())
                : itemType(isArray ? name.substring(ARRAY.length()) : name);
        return isArray ? item + "[]" : item;
    }

    private String itemType(String kind) {
        return switch (kind) {
            case "BOOLEAN" -> "boolean";
            case "INT8" -> "byte";
            case "INT16" -> "short";
            case "INT32" -> "int";
            case "INT64" -> "long";
            case "FLOAT32" -> "float";
            case "FLOAT64" -> "double";
            case "NULLABLE_BOOLEAN" -> imports.name(new ClassRef("java.lang", "Boolean"));
            case "NULLABLE_INT8" -> imports.name(new ClassRef("java.lang", "Byte"));
            case "NULLABLE_INT16" -> imports.name(new ClassRef("java.lang", "Short"));
            case "NULLABLE_INT32" -> imports.name(new ClassRef("java.lang", "Integer"));
            case "NULLABLE_INT64" -> imports.name(new ClassRef("java.lang", "Long"));
            case "NULLABLE_FLOAT32" -> imports.name(new ClassRef("java.lang", "Float"));
            case "NULLABLE_FLOAT64" -> imports.name(new ClassRef("java.lang", "Double"));
            case "STRING" -> imports.name(new ClassRef("java.lang", "String"));
            case "DECIMAL" -> imports.name(new ClassRef("java.math", "BigDecimal"));
            case "TIME" -> imports.name(new ClassRef("java.time", "LocalTime"));
            case "DATE" -> imports.name(new ClassRef("java.time", "LocalDate"));
            case "TIMESTAMP" -> imports.name(new ClassRef("java.time", "LocalDateTime"));
            case "TIMESTAMP_WITH_TIMEZONE" -> imports.name(new ClassRef("java.time", "OffsetDateTime"));
            default -> throw new IllegalArgumentException("no type: kind=" + kind);
        };
    }

    private static String plus(String base, int offset) {
        return offset == 0 ? base : base + " + " + offset;
    }

    private static void line(StringBuilder text, String line) {
        text.append(INDENT).append(line).append('\n');
    }

    /** From the variables, and from the fixed region. */
    private final class Local implements Dialect {
        @Override
        public String read(FieldModel field) {
            int entry = variable.indexOf(field);
            if (entry >= 0) {
                return "value" + entry;
            }
            int bit = booleans.indexOf(field);
            if (bit >= 0) {
                return String.format(
                        Locale.ROOT, "(in[%s] & %d) != 0", plus("data", booleansAt + bit / BITS), 1 << bit % BITS);
            }
            String from = plus("data", offsets.get(fixed.indexOf(field)));
            return field.kind() == FieldKind.INT8
                    ? "in[" + from + "]"
                    : String.format(
                            Locale.ROOT, "%s(in, %s)", single(field.kind().name()), from);
        }

        @Override
        public String has(FieldModel field) {
            return "true";
        }

        @Override
        public String context(FieldModel field) {
            return "SCHEMA, " + Objects.requireNonNull(field.constant());
        }
    }
}
