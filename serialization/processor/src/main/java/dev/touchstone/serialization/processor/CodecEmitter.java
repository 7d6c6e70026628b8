package dev.touchstone.serialization.processor;

import dev.touchstone.serialization.processor.model.ClassRef;
import dev.touchstone.serialization.processor.model.FieldModel;
import dev.touchstone.serialization.processor.model.FieldType.Nested;
import dev.touchstone.serialization.processor.model.TypeModel;
import dev.touchstone.serialization.schema.FieldDescriptor;
import dev.touchstone.serialization.schema.FieldKind;
import java.util.Locale;
import java.util.stream.Collectors;

/** Makes {@code XCodec}: writes and reads in the order of the declaration, straight where it can, else by index. */
final class CodecEmitter {
    private static final String PACKAGE = "dev.touchstone.serialization";

    private static final String TEMPLATE = """
            %PUBLIC%final class %CODEC% extends %STRAIGHT_CODEC%<%X%> {
                /** The fingerprint of {@link #SCHEMA}. */
                public static final long SCHEMA_ID = %ID%;

                public static final %SCHEMA% SCHEMA = %SCHEMA%.builder(%TYPE_NAME%)
            %FIELDS%            .build()
                        .requireId(SCHEMA_ID);

                public static final %CODEC% INSTANCE = new %CODEC%();

            %INDEXES%
                private %CODEC%() {
                    super(%X%.class, SCHEMA);
                }

                @{java.lang/Override}
                public void write(%WRITER% writer, %X% value) {
            %CHECK%%WRITE%    }

                @{java.lang/Override}
                public %X% read(%READER% reader) {
                    return reader.schema().id() == SCHEMA_ID ? whole(reader) : partial(reader);
                }

                /** Reads a record of this schema. */
                private static %X% whole(%READER% reader) {
            %WHOLE%    }

                /** Reads a record of another version, which may lack fields. */
                private static %X% partial(%READER% reader) {
            %PARTIAL%    }
            %STRAIGHT%}
            """;

    private static final String STRAIGHT = """

                @{java.lang/Override}
                protected void write(%X% value, %OUTPUT% out) {
            %CHECK%%WRITES%    }

                @{java.lang/Override}
                protected %X% read(byte[] in, int data, int table, int width, int depth, %LIMITS% limits) {
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
        ObjectText object = new ObjectText(model, expressions, imports);
        return new TemplateFiller(imports.resolve(TEMPLATE))
                .with("PUBLIC", model.isPublic() ? "public " : "")
                .with("CODEC", model.codec().name())
                .with("STRAIGHT_CODEC", ours("FixedLayoutCodec"))
                .with("WRITER", ours("CompactWriter"))
                .with("READER", ours("CompactReader"))
                .with("SCHEMA", imports.name(new ClassRef(PACKAGE + ".schema", "Schema")))
                .with("X", imports.name(model.type()))
                .with(
                        "ID",
                        String.format(Locale.ROOT, "0x%016xL", model.schema().id()))
                .with("TYPE_NAME", Expressions.quoted(model.schema().typeName()))
                .with("FIELDS", fields())
                .with("INDEXES", indexes())
                .with("CHECK", classCheck())
                .with("WRITE", writes())
                .with("WHOLE", object.whole())
                .with("PARTIAL", object.partial())
                .with("STRAIGHT", straight())
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
                        "        if (value.getClass() != %s.class) {\n            throw %s.subclass(SCHEMA, value);\n        }\n",
                        imports.name(model.type()),
                        ours("Encodings"))
                : "";
    }

    private String ours(String name) {
        return imports.name(new ClassRef(PACKAGE, name));
    }

    private String fields() {
        String kinds = imports.name(new ClassRef(PACKAGE + ".schema", "FieldKind"));
        StringBuilder fields = new StringBuilder();
        for (FieldDescriptor field : model.schema().fields()) {
            fields.append(String.format(
                    Locale.ROOT,
                    "            .field(%s, %s.%s)\n",
                    Expressions.quoted(field.name()),
                    kinds,
                    field.kind()));
        }
        return fields.toString();
    }

    private String indexes() {
        return model.fields().stream()
                .map(field -> String.format(
                        Locale.ROOT, "    public static final int %s = %d;\n", field.constant(), field.index()))
                .collect(Collectors.joining());
    }

    private String writes() {
        return model.fields().stream().map(this::write).collect(Collectors.joining());
    }

    private String write(FieldModel field) {
        String value = expressions.toField(field);
        Nested nested = field.type().nested();
        if (nested == null) {
            return String.format(
                    Locale.ROOT,
                    "        writer.write%s(%s, %s);\n",
                    Expressions.suffix(field.kind()),
                    field.constant(),
                    value);
        }
        String codec = imports.name(nested.codec());
        return nested.isSealed()
                ? String.format(Locale.ROOT, "        %s.write(writer, %s, %s);\n", codec, field.constant(), value)
                : String.format(
                        Locale.ROOT,
                        "        writer.write%s(%s, %s, %s.INSTANCE);\n",
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
                            Locale.ROOT, "reader.read%s(%s)", Expressions.suffix(field.kind()), field.constant())
                    : record("reader", field.constant(), field.kind(), nested, imports);
        }

        @Override
        public String has(FieldModel field) {
            return "reader.has(" + field.constant() + ")";
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
