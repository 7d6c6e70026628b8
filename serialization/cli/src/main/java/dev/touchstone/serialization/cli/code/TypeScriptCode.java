package dev.touchstone.serialization.cli.code;

import dev.touchstone.serialization.schema.FieldKind;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** Generator of TypeScript: a class and a serializer for each type. Not thread-safe. */
final class TypeScriptCode {
    private final SourceText out = new SourceText();

    private TypeScriptCode() {}

    static String of(CodeModel model) {
        TypeScriptCode code = new TypeScriptCode();
        code.head(model);
        for (CodeType type : model.types()) {
            type.fields().forEach(field -> field.constants().ifPresent(each -> code.constants(type, field, each)));
            code.valueClass(type);
            code.serializer(type);
        }
        code.list(model);
        return code.out.toString();
    }

    private void head(CodeModel model) {
        List<CodeField> fields =
                model.types().stream().flatMap(type -> type.fields().stream()).toList();
        out.lines(
                "// Compact records as classes, and their serializers for the package hazelcast-client.",
                "// Pass compactSerializers to the client as serialization.compact.serializers.",
                "/* eslint-disable */");
        if (fields.stream().anyMatch(TypeScriptCode::isInt64)) {
            out.line("import Long from 'long';");
        }
        Set<String> values = new TreeSet<>();
        fields.forEach(field -> values.addAll(imports(field)));
        if (!values.isEmpty()) {
            out.line("import { " + String.join(", ", values) + " } from 'hazelcast-client';");
        }
        out.line("import type { CompactReader, CompactSerializer, CompactWriter } from 'hazelcast-client';");
        if (!fields.isEmpty()) {
            out.line("").open("function has(reader: CompactReader, field: string): boolean {");
            out.line("return reader.getFieldKind(field) !== FieldKind.NOT_AVAILABLE;")
                    .close("}");
        }
        boolean hasConstants =
                fields.stream().anyMatch(field -> field.constants().isPresent());
        if (hasConstants) {
            constantFunction();
        }
        if (hasConstants
                && fields.stream()
                        .anyMatch(field ->
                                field.constants().isPresent() && field.kind().isArray())) {
            constantsFunction();
        }
    }

    private void constantFunction() {
        out.line("").open("function constant<T extends string>(known: readonly T[], text: string | null): T | null {");
        out.line("const found = known.find((each) => each === text);");
        out.open("if (text !== null && found === undefined) {")
                .line("throw new RangeError(`no such constant: ${text}, expected one of ${known.join(', ')}`);")
                .close("}");
        out.line("return found === undefined ? null : found;").close("}");
    }

    private void constantsFunction() {
        out.line("");
        out.open(
                "function constants<T extends string>(known: readonly T[], texts: (string | null)[] | null): (T | null)[] | null {");
        out.line("return texts === null ? null : texts.map((each) => constant(known, each));")
                .close("}");
    }

    private static boolean isInt64(CodeField field) {
        return field.itemKind() == FieldKind.INT64 || field.itemKind() == FieldKind.NULLABLE_INT64;
    }

    private static Set<String> imports(CodeField field) {
        return switch (field.itemKind()) {
            case DECIMAL -> Set.of("BigDecimal", "FieldKind");
            case TIME -> Set.of("FieldKind", "LocalTime");
            case DATE -> Set.of("FieldKind", "LocalDate");
            case TIMESTAMP -> stated(field, "LocalDateTime", Set.of("LocalDate", "LocalTime"));
            case TIMESTAMP_WITH_TIMEZONE ->
                stated(field, "OffsetDateTime", Set.of("LocalDate", "LocalDateTime", "LocalTime"));
            default -> Set.of("FieldKind");
        };
    }

    private static Set<String> stated(CodeField field, String type, Set<String> parts) {
        Set<String> all = new TreeSet<>(Set.of("FieldKind", type));
        if (field.meaning().missing().isPresent()) {
            all.addAll(parts);
        }
        return all;
    }

    private void constants(CodeType type, CodeField field, CodeEnum constants) {
        out.line("");
        out.line("/** The constants of the field " + SourceText.comment(field.name()) + " of the type "
                + SourceText.comment(type.typeName()) + ". */");
        List<String> values = constants.members().keySet().stream()
                .map(TypeScriptValues::string)
                .toList();
        out.line("export const " + constants.name() + " = [" + String.join(", ", values) + "] as const;");
        out.line("export type " + constants.name() + " = (typeof " + constants.name() + ")[number];");
    }

    private void valueClass(CodeType type) {
        out.lines("", "/** A value of the type " + SourceText.comment(type.typeName()) + ". */");
        out.open("export class " + type.className() + " {");
        type.fields().forEach(field -> out.line(field.attribute() + ": " + annotation(field) + ";"));
        if (!type.fields().isEmpty()) {
            out.line("").open("constructor(values: Partial<" + type.className() + "> = {}) {");
            for (CodeField field : type.fields()) {
                String given = "values." + field.attribute();
                out.line("this." + field.attribute() + " = " + given + " !== undefined ? " + given + " : "
                        + TypeScriptValues.initial(type, field) + ";");
            }
            out.close("}");
        }
        out.close("}");
    }

    private void serializer(CodeType type) {
        String value = type.className();
        out.lines("", "/** Writes and reads values of the type " + SourceText.comment(type.typeName()) + ". */");
        out.open("export class " + type.serializerName() + " implements CompactSerializer<" + value + "> {");
        out.open("getClass(): Function {")
                .line("return " + value + ";")
                .close("}")
                .line("");
        out.open("getTypeName(): string {")
                .line("return " + TypeScriptValues.string(type.typeName()) + ";")
                .close("}")
                .line("");
        boolean isEmpty = type.fields().isEmpty();
        out.open("read(" + (isEmpty ? "_" : "") + "reader: CompactReader): " + value + " {")
                .line("const value = new " + value + "();");
        for (CodeField field : type.fields()) {
            String name = TypeScriptValues.string(field.name());
            out.open("if (has(reader, " + name + ")) {")
                    .line("value." + field.attribute() + " = " + read(field, name) + ";")
                    .close("}");
        }
        out.line("return value;").close("}").line("");
        String sign = isEmpty ? "_" : "";
        out.open("write(" + sign + "writer: CompactWriter, " + sign + "value: " + value + "): void {");
        for (CodeField field : type.fields()) {
            out.line("writer.write" + method(field.kind()) + "(" + TypeScriptValues.string(field.name()) + ", value."
                    + field.attribute() + ");");
        }
        out.close("}").close("}");
    }

    private void list(CodeModel model) {
        out.line("").open("export const compactSerializers: CompactSerializer<any>[] = [");
        model.types().forEach(type -> out.line("new " + type.serializerName() + "(),"));
        out.close("];");
    }

    private static String read(CodeField field, String name) {
        String types = field.itemKind() == FieldKind.COMPACT ? "<" + item(field) + ">" : "";
        String text = "reader.read" + method(field.kind()) + types + "(" + name + ")";
        return field.constants()
                .map(constants ->
                        (field.kind().isArray() ? "constants(" : "constant(") + constants.name() + ", " + text + ")")
                .orElse(text);
    }

    /** Returns the part of a method's name that tells the kind, such as ArrayOfInt8. */
    private static String method(FieldKind kind) {
        StringBuilder name = new StringBuilder();
        for (String word : kind.name().split("_", -1)) {
            name.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
        }
        return name.toString();
    }

    private static String annotation(CodeField field) {
        if (field.kind() == FieldKind.ARRAY_OF_INT8) {
            return "Buffer | null";
        }
        boolean mayBeNull = !field.itemKind().isFixed();
        String one = mayBeNull ? item(field) + " | null" : item(field);
        if (!field.kind().isArray()) {
            return one;
        }
        return (mayBeNull ? "(" + one + ")" : one) + "[] | null";
    }

    private static String item(CodeField field) {
        return switch (field.itemKind()) {
            case BOOLEAN, NULLABLE_BOOLEAN -> "boolean";
            case INT64, NULLABLE_INT64 -> "Long";
            case STRING -> field.constants().map(CodeEnum::name).orElse("string");
            case DECIMAL -> "BigDecimal";
            case TIME -> "LocalTime";
            case DATE -> "LocalDate";
            case TIMESTAMP -> "LocalDateTime";
            case TIMESTAMP_WITH_TIMEZONE -> "OffsetDateTime";
            case COMPACT -> field.records().isEmpty() ? "object" : String.join(" | ", field.records());
            default -> "number";
        };
    }
}
