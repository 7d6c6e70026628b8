package dev.touchstone.serialization.processor;

import dev.touchstone.serialization.processor.model.ClassRef;
import dev.touchstone.serialization.processor.model.FieldModel;
import dev.touchstone.serialization.processor.model.FieldType.Nested;
import dev.touchstone.serialization.processor.model.TypeModel;
import dev.touchstone.serialization.processor.text.SplitStatements;
import dev.touchstone.serialization.schema.FieldKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * The methods by which a codec writes and reads a record straight, at offsets that are known now: see {@code FixedLayoutCodec}. There are none
 * for a type that holds one of several types, or more fields than a method can have that is still compiled.
 */
final class FixedLayoutText {
    private static final int MAX_FIELDS = 150;
    private static final int BITS = 8;
    private static final String ARRAY = "ARRAY_OF_";
    private static final ClassRef VALUE_FORMAT = new ClassRef("dev.touchstone.serialization", "ValueFormat");
    private static final ClassRef ARRAY_FORMAT = new ClassRef("dev.touchstone.serialization", "ArrayFormat");
    private static final ClassRef INPUT = new ClassRef("dev.touchstone.serialization", "Input");
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

    FixedLayoutText(TypeModel model, Imports imports) {
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

    /** Returns whether there is a straight way for the type. */
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
                        "%stoOutput.%s(SCHEMA_ID, %d);",
                        model.fields().isEmpty() ? "" : "int dataAt = ",
                        variable.isEmpty() ? "beginFixed" : "begin",
                        fixedBytes()));
        for (int i = 0; i < fixed.size(); i++) {
            FieldModel field = fixed.get(i);
            line(
                    text,
                    String.format(
                            Locale.ROOT,
                            "toOutput.put%s(%s, %s);",
                            Expressions.suffix(field.kind()),
                            plus("dataAt", offsets.get(i)),
                            expressions.toField(field)));
        }
        for (int first = 0; first < booleans.size(); first += BITS) {
            line(text, octet(first));
        }
        if (variable.isEmpty()) {
            return text.toString();
        }
        for (FieldModel field : declared()) {
            line(text, String.format(Locale.ROOT, "int valueAt%d = toOutput.%s;", variable.indexOf(field), put(field)));
        }
        line(text, String.format(Locale.ROOT, "int tableAt = toOutput.endData(dataAt, %d);", variable.size()));
        line(text, "int entryShift = " + imports.name(OUTPUT) + ".shift(dataAt, tableAt);");
        for (int entry = 0; entry < variable.size(); entry++) {
            line(
                    text,
                    String.format(
                            Locale.ROOT, "toOutput.putOffset(tableAt, entryShift, %d, valueAt%d);", entry, entry));
        }
        return text.toString();
    }

    private String put(FieldModel field) {
        return String.format(
                Locale.ROOT,
                "%s(dataAt, %s%s)",
                isItems(field.kind()) ? "putItems" : "put",
                expressions.toField(field),
                field.type().nested() == null ? ", " + format(field.kind()) : codec(field));
    }

    /** Returns the format of a kind's values, or of the items of its arrays. */
    private String format(FieldKind kind) {
        String name = kind.name().replace("NULLABLE_", "");
        return isItems(kind)
                ? imports.name(VALUE_FORMAT) + "." + name.substring(ARRAY.length())
                : imports.name(name.startsWith(ARRAY) ? ARRAY_FORMAT : VALUE_FORMAT) + "." + name;
    }

    /** Returns whether the values are arrays whose items may be null. */
    private static boolean isItems(FieldKind kind) {
        return switch (kind) {
            case ARRAY_OF_STRING,
                    ARRAY_OF_DECIMAL,
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
                "toOutput.putInt8(%s, (byte) (%s));",
                plus("dataAt", booleansAt + first / BITS),
                String.join(" | ", bits));
    }

    String reads() {
        StringBuilder text = new StringBuilder();
        if (!variable.isEmpty()) {
            line(text, "int noOffset = " + input() + ".none(entryWidth);");
            line(text, "int nextAt = " + plus("dataAt", fixedBytes()) + ";");
            line(text, "int entryOffset;");
            declared().forEach(field -> readVariable(text, field));
            line(text, "if (nextAt != tableAt) {");
            line(text, "    return null;");
            line(text, "}");
        }
        return text
                + new ObjectText(model, expressions, imports, new SplitStatements(), "")
                        .whole(); // has too few fields to be split
    }

    private void readVariable(StringBuilder text, FieldModel field) {
        int entry = variable.indexOf(field);
        line(text, String.format(Locale.ROOT, "%s fieldValue%d = null;", javaType(field), entry));
        line(
                text,
                String.format(
                        Locale.ROOT,
                        "entryOffset = %s.offset(inBytes, tableAt + %s, noOffset);",
                        input(),
                        entry == 0 ? "entryWidth" : (entry + 1) + " * entryWidth"));
        line(text, "if (entryOffset == nextAt - dataAt) {");
        line(text, String.format(Locale.ROOT, "    fieldValue%d = %s;", entry, read(field)));
        line(text, String.format(Locale.ROOT, "    if (fieldValue%d == null) {", entry));
        line(text, "        return null;");
        line(text, "    }");
        line(text, String.format(Locale.ROOT, "    nextAt = %s;", end(field)));
        line(text, "} else if (entryOffset != noOffset) {");
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
            return input() + ".record(inBytes, nextAt, tableAt" + codec(field) + ", atDepth, withLimits)";
        }
        if (!isItems(field.kind())) {
            return format(field.kind()) + ".read(inBytes, nextAt, tableAt, withLimits)";
        }
        String array = javaType(field).replace("[]", "[]::new");
        return nested != null
                ? String.format(
                        Locale.ROOT,
                        "%s.records(inBytes, nextAt, tableAt%s, %s, atDepth, withLimits)",
                        input(),
                        codec(field),
                        array)
                : String.format(
                        Locale.ROOT,
                        "%s.items(inBytes, nextAt, tableAt, %s, %s, withLimits)",
                        input(),
                        format(field.kind()),
                        array);
    }

    /** Returns where a value ends that was read. */
    private String end(FieldModel field) {
        if (field.kind() == FieldKind.COMPACT) {
            return input() + ".endOfRecord(inBytes, nextAt" + codec(field) + ")";
        }
        return isItems(field.kind())
                ? input() + ".endOfItems(inBytes, nextAt)"
                : format(field.kind()) + ".end(inBytes, nextAt)";
    }

    private String input() {
        return imports.name(INPUT);
    }

    /** Returns the bytes of a field's value in the fixed region, but for booleans. */
    private static int size(FieldKind kind) {
        return switch (kind) {
            case INT8 -> Byte.BYTES;
            case INT16 -> Short.BYTES;
            case INT32, FLOAT32 -> Integer.BYTES;
            case INT64, FLOAT64 -> Long.BYTES;
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

    /** Reads from the variables, and from the fixed region. */
    private final class Local implements AccessorSyntax {
        @Override
        public String read(FieldModel field) {
            int entry = variable.indexOf(field);
            if (entry >= 0) {
                return "fieldValue" + entry;
            }
            int bit = booleans.indexOf(field);
            if (bit >= 0) {
                return String.format(
                        Locale.ROOT,
                        "(inBytes[%s] & %d) != 0",
                        plus("dataAt", booleansAt + bit / BITS),
                        1 << bit % BITS);
            }
            String from = plus("dataAt", offsets.get(fixed.indexOf(field)));
            String name = field.kind().name().toLowerCase(Locale.ROOT);
            return String.format(Locale.ROOT, "%s.%s(inBytes, %s)", input(), name, from);
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
