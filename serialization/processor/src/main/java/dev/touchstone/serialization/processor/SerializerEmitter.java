package dev.touchstone.serialization.processor;

import dev.touchstone.serialization.processor.model.ClassRef;
import dev.touchstone.serialization.processor.model.FieldModel;
import dev.touchstone.serialization.processor.model.FieldType.Nested;
import dev.touchstone.serialization.processor.model.TypeModel;
import dev.touchstone.serialization.processor.text.SplitStatements;
import dev.touchstone.serialization.processor.text.TemplateFiller;
import dev.touchstone.serialization.schema.FieldKind;
import java.util.Locale;

/** Makes {@code XCompactSerializer}, which Hazelcast calls: the same fields in the same order as the codec, by name. */
final class SerializerEmitter {
    static final String SERIALIZER = "com.hazelcast.nio.serialization.compact.CompactSerializer";

    private static final String PACKAGE = "com.hazelcast.nio.serialization.compact";
    private static final String TEMPLATE = """
            %PUBLIC%final class %SERIALIZER% implements %COMPACT_SERIALIZER%<%X%> {
                public %SERIALIZER%() {}

                @{java.lang/Override}
                public {java.lang/String} getTypeName() {
                    return %TYPE_NAME%;
                }

                @{java.lang/Override}
                public {java.lang/Class}<%X%> getCompactClass() {
                    return %X%.class;
                }

                @{java.lang/Override}
                public void write(%WRITER% fieldWriter, %X% javaValue) {
            %WRITE%    }

                @{java.lang/Override}
                public %X% read(%READER% fieldReader) {
            %READ%    }
            %HAS%%METHODS%}
            """;
    private static final String HAS = """

                private static boolean has(%READER% fieldReader, {java.lang/String} field) {
                    return fieldReader.getFieldKind(field) != %KIND%.NOT_AVAILABLE;
                }
            """;

    private final TypeModel model;
    private final Imports imports;
    private final Expressions expressions;

    private SerializerEmitter(TypeModel model) {
        this.model = model;
        imports = Imports.of(model, model.serializer(), model.codec());
        expressions = new Expressions(new ByName(), imports);
    }

    static GeneratedSource emit(TypeModel model, boolean isMarked) {
        SerializerEmitter emitter = new SerializerEmitter(model);
        String body = emitter.body();
        String javadoc = String.format(
                Locale.ROOT, "/** Writes and reads {@link %s} in Hazelcast. */\n", emitter.imports.name(model.type()));
        return GeneratedSource.of(model.serializer(), emitter.imports, isMarked, javadoc, body);
    }

    private String body() {
        String reader = imports.name(new ClassRef(PACKAGE, "CompactReader"));
        String writer = imports.name(new ClassRef(PACKAGE, "CompactWriter"));
        SplitStatements split = new SplitStatements();
        String writes = split.split(
                model.fields().stream().map(this::write).toList(),
                "write",
                writer + " fieldWriter, " + imports.name(model.type()) + " javaValue",
                "fieldWriter, javaValue");
        String reads = new ObjectText(model, expressions, imports, split, reader).partial();
        boolean asks = model.form() != TypeModel.Form.ENUM && !model.members().isEmpty();
        String has = new TemplateFiller(imports.resolve(HAS))
                .with("READER", reader)
                .with("KIND", asks ? imports.name(new ClassRef("com.hazelcast.nio.serialization", "FieldKind")) : "")
                .text();
        return new TemplateFiller(imports.resolve(TEMPLATE))
                .with("PUBLIC", model.isPublic() ? "public " : "")
                .with("SERIALIZER", model.serializer().name())
                .with("COMPACT_SERIALIZER", imports.name(new ClassRef(PACKAGE, "CompactSerializer")))
                .with("WRITER", writer)
                .with("READER", reader)
                .with("X", imports.name(model.type()))
                .with("TYPE_NAME", Expressions.quoted(model.schema().typeName()))
                .with("WRITE", writes)
                .with("READ", reads)
                .with("HAS", asks ? has : "")
                .with("METHODS", split.methods())
                .text();
    }

    private String write(FieldModel field) {
        return String.format(
                Locale.ROOT,
                "        fieldWriter.write%s(%s, %s);\n",
                Expressions.suffix(field.kind()),
                Expressions.quoted(field.name()),
                expressions.toField(field));
    }

    /** Reads by name, from Hazelcast's reader. */
    private final class ByName implements AccessorSyntax {
        @Override
        public String read(FieldModel field) {
            Nested nested = field.type().nested();
            String name = Expressions.quoted(field.name());
            return nested != null && field.kind() == FieldKind.ARRAY_OF_COMPACT
                    ? String.format(
                            Locale.ROOT,
                            "fieldReader.readArrayOfCompact(%s, %s.class)",
                            name,
                            imports.name(nested.type()))
                    : String.format(Locale.ROOT, "fieldReader.read%s(%s)", Expressions.suffix(field.kind()), name);
        }

        @Override
        public String has(FieldModel field) {
            return "has(fieldReader, " + Expressions.quoted(field.name()) + ")";
        }

        @Override
        public String context(FieldModel field) {
            String codec = imports.name(model.codec());
            return codec + ".SCHEMA, " + codec + "." + field.constant();
        }
    }
}
