package dev.touchstone.serialization.processor;

import dev.touchstone.serialization.processor.model.ClassRef;
import dev.touchstone.serialization.processor.model.SealedModel;
import dev.touchstone.serialization.processor.model.SealedModel.Subtype;
import dev.touchstone.serialization.processor.text.TemplateFiller;
import java.util.Locale;
import java.util.stream.Collectors;

/** Makes {@code XCodec} of a sealed X: writes with the codec of the object's class, reads with that of the record's type. */
final class SealedCodecEmitter {
    private static final String PACKAGE = "dev.touchstone.serialization";
    private static final String TEMPLATE = """
            %PUBLIC%final class %CODEC% {
                /** The codecs of all that a value can be, for a serialization to know them. */
                public static final %LIST%<%COMPACT_CODEC%<? extends %X%>> CODECS = %LIST%.of(%CODECS%);

                private %CODEC%() {}

                /** Writes a value as a record inside another, by the codec of its class. */
                public static void write(%WRITER% fieldWriter, int fieldIndex, %X% javaValue) {
            %WRITES%        } else if (javaValue == null) {
                        fieldWriter.writeCompact(fieldIndex, null, %FIRST%.INSTANCE);
                    } else {
                        throw new {java.lang/IncompatibleClassChangeError}(javaValue.getClass().getName());
                    }
                }

                /** Reads a record inside another, by the codec of its type. */
                public static %X% read(%READER% fieldReader, int fieldIndex) {
                    %VIEW% recordInside = fieldReader.readView(fieldIndex);
                    if (recordInside == null) {
                        return null;
                    }
                    {java.lang/String} typeName = recordInside.schema().typeName();
                    switch (typeName) {
            %READS%            default:
                            throw %ENCODINGS%.noSubtype(typeName);
                    }
                }
            }
            """;

    private final SealedModel model;
    private final Imports imports;

    private SealedCodecEmitter(SealedModel model) {
        this.model = model;
        imports = new Imports(model.type().packageName());
        imports.reserve(model.type());
        imports.reserve(model.codec());
        for (Subtype subtype : model.subtypes()) {
            if (subtype.type().packageName().equals(model.type().packageName())) {
                imports.reserve(subtype.type());
                imports.reserve(subtype.codec());
            }
        }
    }

    static GeneratedSource emit(SealedModel model, boolean isMarked) {
        SealedCodecEmitter emitter = new SealedCodecEmitter(model);
        String body = emitter.body();
        String javadoc = String.format(
                Locale.ROOT,
                "/** Writes and reads what is permitted as {@link %s}. Has no state. */\n",
                emitter.imports.name(model.type()));
        return GeneratedSource.of(model.codec(), emitter.imports, isMarked, javadoc, body);
    }

    private String body() {
        String codecs = model.subtypes().stream()
                .map(subtype -> "\n            " + imports.name(subtype.codec()) + ".INSTANCE")
                .collect(Collectors.joining(","));
        String writes = model.subtypes().stream().map(this::write).collect(Collectors.joining("        } else "));
        String reads = model.subtypes().stream().map(this::read).collect(Collectors.joining());
        return new TemplateFiller(imports.resolve(TEMPLATE))
                .with("PUBLIC", model.isPublic() ? "public " : "")
                .with("CODEC", model.codec().name())
                .with("COMPACT_CODEC", ours("CompactCodec"))
                .with("WRITER", ours("CompactWriter"))
                .with("READER", ours("CompactReader"))
                .with("VIEW", ours("GenericView"))
                .with("ENCODINGS", ours("Encodings"))
                .with("LIST", imports.name(new ClassRef("java.util", "List")))
                .with("X", imports.name(model.type()))
                .with("FIRST", imports.name(model.subtypes().get(0).codec()))
                .with("CODECS", codecs)
                .with("WRITES", "        " + writes)
                .with("READS", reads)
                .text();
    }

    private String ours(String name) {
        return imports.name(new ClassRef(PACKAGE, name));
    }

    private String write(Subtype subtype) {
        String name = imports.name(subtype.type());
        return String.format(
                Locale.ROOT,
                "if (javaValue instanceof %s) {\n            fieldWriter.writeCompact(fieldIndex, (%s) javaValue, %s.INSTANCE);\n",
                name,
                name,
                imports.name(subtype.codec()));
    }

    private String read(Subtype subtype) {
        return String.format(
                Locale.ROOT,
                "            case %s:\n                return fieldReader.readCompact(fieldIndex, %s.INSTANCE);\n",
                Expressions.quoted(subtype.typeName()),
                imports.name(subtype.codec()));
    }
}
