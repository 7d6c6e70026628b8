package dev.touchstone.serialization.processor;

import dev.touchstone.serialization.processor.model.ClassRef;
import dev.touchstone.serialization.processor.model.FieldModel;
import dev.touchstone.serialization.processor.model.FieldType.Nested;
import dev.touchstone.serialization.processor.model.MemberModel;
import dev.touchstone.serialization.processor.model.TypeModel;
import dev.touchstone.serialization.processor.text.TemplateFiller;
import dev.touchstone.serialization.schema.FieldKind;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** Makes {@code XView}: one accessor for each member, over the bytes of one record after the other. */
final class ViewEmitter {
    private static final String PACKAGE = "dev.touchstone.serialization";
    /** The kinds that a view reads without a reader. */
    private static final Set<FieldKind> DIRECT = EnumSet.of(
            FieldKind.BOOLEAN,
            FieldKind.INT8,
            FieldKind.INT16,
            FieldKind.INT32,
            FieldKind.INT64,
            FieldKind.FLOAT32,
            FieldKind.FLOAT64,
            FieldKind.STRING);

    /** Methods without parameters that the class has anyway. */
    private static final Set<String> TAKEN =
            Set.of("hashCode", "toString", "getClass", "notify", "notifyAll", "wait", "clone", "finalize", "record");

    private static final String TEMPLATE = """
            %PUBLIC%final class %VIEW% {
                private final %RECORD_VIEW% recordView;

                /** A view over nothing yet. */
                public %VIEW%(%SERIALIZATION% serialization) {
                    recordView = serialization.newRecordView(%CODEC%.SCHEMA);
                }

                /** Lays this view over a record. */
                public %VIEW% wrap(byte[] bytes) {
                    recordView.wrap(bytes);
                    return this;
                }

                /** The view by indexes, those of the codec. */
                public %RECORD_VIEW% record() {
                    return recordView;
                }
            %ACCESSORS%}
            """;

    private final TypeModel model;
    private final Imports imports;
    private final Expressions expressions;

    private ViewEmitter(TypeModel model) {
        this.model = model;
        imports = Imports.of(model, model.view(), model.codec());
        expressions = new Expressions(new OverBytes(), imports);
    }

    static GeneratedSource emit(TypeModel model, boolean isMarked) {
        ViewEmitter emitter = new ViewEmitter(model);
        String body = emitter.body();
        String javadoc = String.format(
                Locale.ROOT,
                "/** Reads single fields of records of {@link %s}. Not thread-safe. */\n",
                emitter.imports.name(model.type()));
        return GeneratedSource.of(model.view(), emitter.imports, isMarked, javadoc, body);
    }

    private String body() {
        StringBuilder accessors = new StringBuilder();
        for (MemberModel member : model.members()) {
            accessor(accessors, member);
        }
        return new TemplateFiller(imports.resolve(TEMPLATE))
                .with("PUBLIC", model.isPublic() ? "public " : "")
                .with("VIEW", model.view().name())
                .with("CODEC", model.codec().name())
                .with("RECORD_VIEW", imports.name(new ClassRef(PACKAGE, "RecordView")))
                .with("SERIALIZATION", imports.name(new ClassRef(PACKAGE, "CompactSerialization")))
                .with("ACCESSORS", accessors.toString())
                .text();
    }

    private void accessor(StringBuilder text, MemberModel member) {
        String name = accessorName(member.name());
        String expression =
                model.form() == TypeModel.Form.ENUM ? expressions.read(member) : expressions.readOrMissing(member);
        text.append(String.format(
                Locale.ROOT,
                "\n    public %s %s() {\n        return %s;\n    }\n",
                imports.resolve(member.javaType()),
                name,
                expression));
        FieldModel first = member.fields().get(0);
        if (member.fields().size() == 1 && first.kind() == FieldKind.STRING) {
            text.append(String.format(
                    Locale.ROOT, """

                        /** Whether the string is this one, found without making it. */
                        public boolean %sEquals(%s text) {
                            return recordView.has(%s) && recordView.stringEquals(%s, text);
                        }
                    """, name, imports.resolve("{java.lang/String}"), index(first), index(first)));
        }
    }

    /** Returns the name of a member's accessor: that of the member, unless the class has such a method anyway. */
    private String accessorName(String member) {
        String name = member;
        while (TAKEN.contains(name) || (!name.equals(member) && isMember(name))) {
            name += "Field";
        }
        return name;
    }

    private boolean isMember(String name) {
        return model.members().stream().anyMatch(member -> member.name().equals(name));
    }

    private String index(FieldModel field) {
        return model.codec().name() + "." + field.constant();
    }

    /** Reads by the codec's indexes, from a view. */
    private final class OverBytes implements AccessorSyntax {
        @Override
        public String read(FieldModel field) {
            Nested nested = field.type().nested();
            if (nested != null) {
                return CodecEmitter.record("recordView.reader()", index(field), field.kind(), nested, imports);
            }
            String reader = DIRECT.contains(field.kind()) ? "recordView" : "recordView.reader()";
            return String.format(Locale.ROOT, "%s.read%s(%s)", reader, Expressions.suffix(field.kind()), index(field));
        }

        @Override
        public String has(FieldModel field) {
            return "recordView.has(" + index(field) + ")";
        }

        @Override
        public String context(FieldModel field) {
            return model.codec().name() + ".SCHEMA, " + index(field);
        }
    }
}
