package dev.touchstone.serialization.processor;

import dev.touchstone.serialization.processor.model.ClassRef;
import dev.touchstone.serialization.processor.model.FieldModel;
import dev.touchstone.serialization.processor.model.FieldType.Nested;
import dev.touchstone.serialization.processor.model.TypeModel;
import dev.touchstone.serialization.processor.text.SplitStatements;
import dev.touchstone.serialization.processor.text.TemplateFiller;
import dev.touchstone.serialization.schema.FieldKind;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Makes {@code XCodec}: writes and reads in the order of the declaration, straight where it can, else by index. */
final class CodecEmitter {
    private static final String PACKAGE = "dev.touchstone.serialization";

    private static final String TEMPLATE = """
            %PUBLIC%final class %CODEC% extends %STRAIGHT_CODEC%<%X%> {
                /** The fingerprint of {@link #SCHEMA}. */
                public static final long SCHEMA_ID = %ID%;

                public static final %SCHEMA% SCHEMA = newSchema().requireId(SCHEMA_ID);

                public static final %CODEC% INSTANCE = new %CODEC%();

            %INDEXES%
                private %CODEC%() {
                    super(%X%.class, SCHEMA);
                }

                @{java.lang/Override}
                public void write(%WRITER% fieldWriter, %X% javaValue) {
            %CHECK%%WRITE%    }

                @{java.lang/Override}
                public %X% read(%READER% fieldReader) {
                    return fieldReader.schema().id() == SCHEMA_ID ? whole(fieldReader) : partial(fieldReader);
                }

                /** Reads a record of this schema. */
                private static %X% whole(%READER% fieldReader) {
            %WHOLE%    }

                /** Reads a record of another version, which may lack fields. */
                private static %X% partial(%READER% fieldReader) {
            %PARTIAL%    }
            %STRAIGHT%
                private static %SCHEMA% newSchema() {
                    %SCHEMA%.Builder schemaBuilder = %SCHEMA%.builder(%TYPE_NAME%);
            %FIELDS%        return schemaBuilder.build();
                }
            %METHODS%}
            """;

    private static final String STRAIGHT = """

                @{java.lang/Override}
                protected void write(%X% javaValue, %OUTPUT% toOutput) {
            %CHECK%%WRITES%    }

                @{java.lang/Override}
                protected %X% read(
                        byte[] inBytes, int dataAt, int tableAt, int entryWidth, int atDepth, %LIMITS% withLimits) {
            %READS%    }
            """;

    private final TypeModel model;
    private final Imports imports;
    private final Expressions expressions;

    private CodecEmitter(TypeModel model) {
        this.model = model;
        imports = Imports.of(model, model.codec());
        expressions = new Expressions(new ByIndex(), imports);
    }

    static GeneratedSource emit(TypeModel model, boolean isMarked) {
        CodecEmitter emitter = new CodecEmitter(model);
        String body = emitter.body();
        String javadoc = String.format(
                Locale.ROOT,
                "/** Writes and reads {@link %s} in the Compact format. */\n",
                emitter.imports.name(model.type()));
        return GeneratedSource.of(model.codec(), emitter.imports, isMarked, javadoc, body);
    }

    private String body() {
        SplitStatements split = new SplitStatements();
        ObjectText object = new ObjectText(model, expressions, imports, split, ours("CompactReader"));
        return new TemplateFiller(imports.resolve(TEMPLATE))
                .with("PUBLIC", model.isPublic() ? "public " : "")
                .with("CODEC", model.codec().name())
                .with("STRAIGHT_CODEC", ours("FixedLayoutCodec"))
                .with("WRITER", ours("CompactWriter"))
                .with("READER", ours("CompactReader"))
                .with("SCHEMA", schema())
                .with("X", imports.name(model.type()))
                .with(
                        "ID",
                        String.format(Locale.ROOT, "0x%016xL", model.schema().id()))
                .with("TYPE_NAME", Expressions.quoted(model.schema().typeName()))
                .with("FIELDS", fields(split))
                .with("INDEXES", indexes())
                .with("CHECK", classCheck())
                .with("WRITE", writes(split))
                .with("WHOLE", object.whole())
                .with("PARTIAL", object.partial())
                .with("STRAIGHT", straight())
                .with("METHODS", split.methods())
                .text();
    }

    private String straight() {
        FixedLayoutText straight = new FixedLayoutText(model, imports);
        return straight.isPossible()
                ? new TemplateFiller(imports.resolve(STRAIGHT))
                        .with("X", imports.name(model.type()))
                        .with("OUTPUT", ours("Output"))
                        .with("LIMITS", ours("Limits"))
                        .with("CHECK", classCheck())
                        .with("WRITES", straight.writes())
                        .with("READS", straight.reads())
                        .text()
                : "";
    }

    /** Returns the statement that refuses an object of a subclass, or nothing for a type that has none. */
    private String classCheck() {
        return model.isExtensible()
                ? String.format(
                        Locale.ROOT,
                        "        if (javaValue.getClass() != %s.class) {\n            throw %s.subclass(SCHEMA, javaValue);\n        }\n",
                        imports.name(model.type()),
                        ours("Encodings"))
                : "";
    }

    private String ours(String name) {
        return imports.name(new ClassRef(PACKAGE, name));
    }

    private String schema() {
        return imports.name(new ClassRef(PACKAGE + ".schema", "Schema"));
    }

    /** Returns the statements that add the fields to a schema. Calls that were chained would take a frame of the compiler's stack each. */
    private String fields(SplitStatements split) {
        String kinds = imports.name(new ClassRef(PACKAGE + ".schema", "FieldKind"));
        List<String> fields = model.schema().fields().stream()
                .map(field -> String.format(
                        Locale.ROOT,
                        "        schemaBuilder = schemaBuilder.field(%s, %s.%s);\n",
                        Expressions.quoted(field.name()),
                        kinds,
                        field.kind()))
                .toList();
        String builder = schema() + ".Builder";
        return split.split(fields, "newSchema", builder + " schemaBuilder", "schemaBuilder", builder, "schemaBuilder");
    }

    private String indexes() {
        return model.fields().stream()
                .map(field -> String.format(
                        Locale.ROOT, "    public static final int %s = %d;\n", field.constant(), field.index()))
                .collect(Collectors.joining());
    }

    private String writes(SplitStatements split) {
        return split.split(
                model.fields().stream().map(this::write).toList(),
                "write",
                ours("CompactWriter") + " fieldWriter, " + imports.name(model.type()) + " javaValue",
                "fieldWriter, javaValue");
    }

    private String write(FieldModel field) {
        String value = expressions.toField(field);
        Nested nested = field.type().nested();
        if (nested == null) {
            return String.format(
                    Locale.ROOT,
                    "        fieldWriter.write%s(%s, %s);\n",
                    Expressions.suffix(field.kind()),
                    field.constant(),
                    value);
        }
        String codec = imports.name(nested.codec());
        return nested.isSealed()
                ? String.format(Locale.ROOT, "        %s.write(fieldWriter, %s, %s);\n", codec, field.constant(), value)
                : String.format(
                        Locale.ROOT,
                        "        fieldWriter.write%s(%s, %s, %s.INSTANCE);\n",
                        Expressions.suffix(field.kind()),
                        field.constant(),
                        value,
                        codec);
    }

    /** Reads by index, from a reader. */
    private final class ByIndex implements AccessorSyntax {
        @Override
        public String read(FieldModel field) {
            Nested nested = field.type().nested();
            return nested == null
                    ? String.format(
                            Locale.ROOT, "fieldReader.read%s(%s)", Expressions.suffix(field.kind()), field.constant())
                    : record("fieldReader", field.constant(), field.kind(), nested, imports);
        }

        @Override
        public String has(FieldModel field) {
            return "fieldReader.has(" + field.constant() + ")";
        }

        @Override
        public String context(FieldModel field) {
            return "SCHEMA, " + field.constant();
        }
    }

    /** Returns the expression that reads a record, or an array of such, by an index. */
    static String record(String reader, String index, FieldKind kind, Nested nested, Imports imports) {
        String codec = imports.name(nested.codec());
        if (nested.isSealed()) {
            return String.format(Locale.ROOT, "%s.read(%s, %s)", codec, reader, index);
        }
        return kind == FieldKind.COMPACT
                ? String.format(Locale.ROOT, "%s.readCompact(%s, %s.INSTANCE)", reader, index, codec)
                : String.format(
                        Locale.ROOT,
                        "%s.readArrayOfCompact(%s, %s.INSTANCE, %s[]::new)",
                        reader,
                        index,
                        codec,
                        imports.name(nested.type()));
    }
}
