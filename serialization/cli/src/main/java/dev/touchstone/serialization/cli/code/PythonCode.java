package dev.touchstone.serialization.cli.code;

import dev.touchstone.serialization.schema.FieldKind;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Generator of Python: a dataclass and a serializer for each type. Not thread-safe. */
final class PythonCode {
    private final SourceText out = new SourceText();

    private PythonCode() {}

    static String of(CodeModel model) {
        PythonCode code = new PythonCode();
        code.head(model);
        for (CodeType type : model.types()) {
            type.fields().forEach(field -> field.constants().ifPresent(each -> code.constants(type, field, each)));
            code.dataclass(type);
            code.serializer(type);
        }
        code.list(model);
        return code.out.toString();
    }

    private void head(CodeModel model) {
        List<CodeField> fields =
                model.types().stream().flatMap(type -> type.fields().stream()).toList();
        out.lines(
                "\"\"\"Compact records as dataclasses, and their serializers for hazelcast-python-client.",
                "",
                "Pass COMPACT_SERIALIZERS to the client as compact_serializers.",
                "\"\"\"",
                "",
                "from __future__ import annotations",
                "",
                "import dataclasses as _dataclasses",
                "import datetime as _datetime",
                "import decimal as _decimal",
                "import enum as _enum",
                "import typing as _typing",
                "",
                "from hazelcast.serialization.api import CompactReader as _CompactReader",
                "from hazelcast.serialization.api import CompactSerializer as _CompactSerializer",
                "from hazelcast.serialization.api import CompactWriter as _CompactWriter",
                "from hazelcast.serialization.api import FieldKind as _FieldKind");
        out.lines("", "");
        out.open("def _has(reader: _CompactReader, field: str) -> bool:")
                .line("return reader.get_field_kind(field) != _FieldKind.NOT_AVAILABLE")
                .close();
        if (fields.stream().anyMatch(field -> field.constants().isPresent())) {
            out.lines("", "");
            out.open("def _constant(constants, text):")
                    .line("return None if text is None else constants(text)")
                    .close();
            out.lines("", "");
            out.open("def _text(constant):")
                    .line("return None if constant is None else constant.value")
                    .close();
        }
        if (fields.stream()
                .anyMatch(field -> field.constants().isPresent() && field.kind().isArray())) {
            out.lines("", "");
            out.open("def _each(function, items):")
                    .line("return None if items is None else [function(item) for item in items]")
                    .close();
        }
    }

    private void constants(CodeType type, CodeField field, CodeEnum constants) {
        out.lines("", "");
        out.open("class " + constants.name() + "(_enum.Enum):");
        out.line("\"\"\"The constants of the field " + SourceText.comment(field.name()) + " of the type "
                        + SourceText.comment(type.typeName()) + ".\"\"\"")
                .line("");
        constants.members().forEach((constant, member) -> out.line(member + " = " + PythonValues.string(constant)));
        out.close();
    }

    private void dataclass(CodeType type) {
        out.lines("", "", "@_dataclasses.dataclass");
        out.open("class " + type.className() + ":")
                .line("\"\"\"A value of the type " + SourceText.comment(type.typeName()) + ".\"\"\"");
        if (!type.fields().isEmpty()) {
            out.line("");
        }
        for (CodeField field : type.fields()) {
            out.line(field.attribute() + ": " + annotation(field) + " = " + PythonValues.initial(type, field));
        }
        out.close();
    }

    private void serializer(CodeType type) {
        String value = type.className();
        out.lines("", "");
        out.open("class " + type.serializerName() + "(_CompactSerializer[" + value + "]):")
                .line("\"\"\"Writes and reads values of the type " + SourceText.comment(type.typeName()) + ".\"\"\"")
                .line("");
        out.open("def read(self, reader: _CompactReader) -> " + value + ":").line("value = " + value + "()");
        for (CodeField field : type.fields()) {
            String name = PythonValues.string(field.name());
            out.open("if _has(reader, " + name + "):")
                    .line("value." + field.attribute() + " = "
                            + read(field, "reader.read_" + method(field) + "(" + name + ")"))
                    .close();
        }
        out.line("return value").close().line("");
        out.open("def write(self, writer: _CompactWriter, value: " + value + ") -> None:");
        for (CodeField field : type.fields()) {
            out.line("writer.write_" + method(field) + "(" + PythonValues.string(field.name()) + ", "
                    + written(field, "value." + field.attribute()) + ")");
        }
        if (type.fields().isEmpty()) {
            out.line("pass");
        }
        out.close().line("");
        out.open("def get_type_name(self) -> str:")
                .line("return " + PythonValues.string(type.typeName()))
                .close()
                .line("");
        out.open("def get_class(self) -> _typing.Type[" + value + "]:")
                .line("return " + value)
                .close()
                .close();
    }

    private void list(CodeModel model) {
        out.lines("", "").open("COMPACT_SERIALIZERS: _typing.List[_CompactSerializer] = [");
        model.types().forEach(type -> out.line(type.serializerName() + "(),"));
        out.close("]");
    }

    private static String method(CodeField field) {
        return field.kind().name().toLowerCase(Locale.ROOT);
    }

    private static String read(CodeField field, String text) {
        if (field.constants().isEmpty()) {
            return text;
        }
        String constants = field.constants().get().name();
        return field.kind().isArray()
                ? "_each(lambda text: _constant(" + constants + ", text), " + text + ")"
                : "_constant(" + constants + ", " + text + ")";
    }

    private static String written(CodeField field, String value) {
        if (field.constants().isEmpty()) {
            return value;
        }
        return field.kind().isArray() ? "_each(_text, " + value + ")" : "_text(" + value + ")";
    }

    private static String annotation(CodeField field) {
        String item = item(field);
        boolean mayBeNull = !field.itemKind().isFixed();
        String one = mayBeNull ? "_typing.Optional[" + item + "]" : item;
        return field.kind().isArray() ? "_typing.Optional[_typing.List[" + one + "]]" : one;
    }

    private static String item(CodeField field) {
        FieldKind kind = field.itemKind();
        return switch (kind) {
            case BOOLEAN, NULLABLE_BOOLEAN -> "bool";
            case FLOAT32, FLOAT64, NULLABLE_FLOAT32, NULLABLE_FLOAT64 -> "float";
            case STRING -> field.constants().map(CodeEnum::name).orElse("str");
            case DECIMAL -> "_decimal.Decimal";
            case TIME -> "_datetime.time";
            case DATE -> "_datetime.date";
            case TIMESTAMP, TIMESTAMP_WITH_TIMEZONE -> "_datetime.datetime";
            case COMPACT -> records(field.records());
            default -> "int";
        };
    }

    private static String records(List<String> classes) {
        return switch (classes.size()) {
            case 0 -> "_typing.Any";
            case 1 -> classes.get(0);
            default -> classes.stream().collect(Collectors.joining(", ", "_typing.Union[", "]"));
        };
    }
}
