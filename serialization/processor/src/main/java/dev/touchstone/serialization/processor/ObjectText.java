package dev.touchstone.serialization.processor;

import dev.touchstone.serialization.processor.model.MemberModel;
import dev.touchstone.serialization.processor.model.TypeModel;
import dev.touchstone.serialization.processor.model.TypeModel.BuilderRef;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The statements that make an object of what is read. */
final class ObjectText {
    private static final String INDENT = " ".repeat(8);

    private final TypeModel model;
    private final Expressions expressions;
    private final Imports imports;

    ObjectText(TypeModel model, Expressions expressions, Imports imports) {
        this.model = model;
        this.expressions = expressions;
        this.imports = imports;
    }

    /** Returns the statements for a record that has all fields. */
    String whole() {
        return switch (model.form()) {
            case CONSTRUCTED -> constructed(expressions::read);
            case FILLED -> filled(member -> setter(member, expressions.read(member), INDENT));
            case BUILT -> built(member -> setter(member, expressions.read(member), INDENT));
            case ENUM -> constant();
        };
    }

    /** Returns the statements for a record that may lack some fields. */
    String partial() {
        return switch (model.form()) {
            case CONSTRUCTED -> constructed(expressions::readOrMissing);
            case FILLED -> filled(this::ifPresent);
            case BUILT -> built(this::ifPresent);
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

    private String filled(Function<MemberModel, String> statement) {
        String name = imports.name(model.type());
        return INDENT + name + " value = new " + name + "();\n"
                + model.members().stream().map(statement).collect(Collectors.joining())
                + INDENT + "return value;\n";
    }

    private String built(Function<MemberModel, String> statement) {
        BuilderRef builder = model.builder().orElseThrow();
        return INDENT + imports.resolve(builder.type()) + " builder = " + imports.resolve(builder.start()) + ";\n"
                + model.members().stream().map(statement).collect(Collectors.joining())
                + INDENT + "return builder.build();\n";
    }

    private static String setter(MemberModel member, String expression, String indent) {
        return indent + member.setter().replace("$v", expression) + "\n";
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
