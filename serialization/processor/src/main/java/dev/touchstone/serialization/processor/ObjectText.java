package dev.touchstone.serialization.processor;

import dev.touchstone.serialization.processor.model.MemberModel;
import dev.touchstone.serialization.processor.model.TypeModel;
import dev.touchstone.serialization.processor.model.TypeModel.BuilderRef;
import dev.touchstone.serialization.processor.text.SplitStatements;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The statements that make an object of what is read. */
final class ObjectText {
    private static final String INDENT = " ".repeat(8);

    private final TypeModel model;
    private final Expressions expressions;
    private final Imports imports;
    private final SplitStatements split;
    private final String reader;

    /**
     * Makes a writer of such statements.
     *
     * @param split receives the methods of statements that are too many for one
     * @param reader type of the variable {@code fieldReader} that the expressions use
     */
    ObjectText(TypeModel model, Expressions expressions, Imports imports, SplitStatements split, String reader) {
        this.model = model;
        this.expressions = expressions;
        this.imports = imports;
        this.split = split;
        this.reader = reader;
    }

    /** Returns the statements for a record that has all fields. */
    String whole() {
        return switch (model.form()) {
            case CONSTRUCTED -> constructed(expressions::read);
            case FILLED -> filled("whole", member -> setter(member, expressions.read(member), INDENT));
            case BUILT -> built("whole", member -> setter(member, expressions.read(member), INDENT));
            case ENUM -> constant();
        };
    }

    /** Returns the statements for a record that may lack some fields. */
    String partial() {
        return switch (model.form()) {
            case CONSTRUCTED -> constructed(expressions::readOrMissing);
            case FILLED -> filled("partial", this::ifPresent);
            case BUILT -> built("partial", this::ifPresent);
            case ENUM -> constant();
        };
    }

    private String constant() {
        return INDENT + "return " + expressions.read(model.members().get(0)) + ";\n";
    }

    private String constructed(Function<MemberModel, String> argument) {
        String arguments = model.members().stream()
                .map(member -> "\n" + INDENT + " ".repeat(8) + argument.apply(member))
                .collect(Collectors.joining(","));
        return INDENT + "return new " + imports.name(model.type()) + "(" + arguments + ");\n";
    }

    private String filled(String method, Function<MemberModel, String> statement) {
        String name = imports.name(model.type());
        return INDENT + name + " javaValue = new " + name + "();\n"
                + statements(method, name, "javaValue", statement)
                + INDENT + "return javaValue;\n";
    }

    private String built(String method, Function<MemberModel, String> statement) {
        BuilderRef builder = model.builder().orElseThrow();
        String type = imports.resolve(builder.type());
        return INDENT + type + " objectBuilder = " + imports.resolve(builder.start()) + ";\n"
                + statements(method, type, "objectBuilder", statement)
                + INDENT + "return objectBuilder.build();\n";
    }

    private String statements(String method, String type, String variable, Function<MemberModel, String> statement) {
        return split.split(
                model.members().stream().map(statement).toList(),
                method,
                reader + " fieldReader, " + type + " " + variable,
                "fieldReader, " + variable,
                type,
                variable);
    }

    private static String setter(MemberModel member, String expression, String indent) {
        return indent + member.setter().replace("#v", expression) + "\n";
    }

    private String ifPresent(MemberModel member) {
        String inner = INDENT + "    ";
        String present = INDENT + "if (" + expressions.has(member) + ") {\n"
                + setter(member, expressions.read(member), inner) + INDENT + "}";
        if (member.missing().stated().isEmpty()) {
            return present + "\n";
        }
        return present + " else {\n" + setter(member, member.missing().expression(imports::resolve), inner) + INDENT
                + "}\n";
    }
}
