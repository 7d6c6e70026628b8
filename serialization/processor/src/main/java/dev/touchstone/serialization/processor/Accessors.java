package dev.touchstone.serialization.processor;

import java.util.List;
import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;
import javax.lang.model.util.Types;

/** How code beside a class reads and sets its fields. */
final class Accessors {
    private final Types types;
    private final List<ExecutableElement> methods;

    Accessors(TypeElement type, Types types) {
        this.types = types;
        methods = ElementFilter.methodsIn(type.getEnclosedElements()).stream()
                .filter(method -> !isHidden(method)
                        && !method.getModifiers().contains(Modifier.STATIC)
                        && method.getThrownTypes().isEmpty())
                .toList();
    }

    static boolean isHidden(Element element) {
        return element.getModifiers().contains(Modifier.PRIVATE);
    }

    /** The expression that reads a field of {@code value}. */
    String getter(VariableElement field) throws Problem {
        String name = field.getSimpleName().toString();
        if (!isHidden(field)) {
            return "value." + name;
        }
        TypeMirror type = field.asType();
        boolean isBoolean = type.getKind() == TypeKind.BOOLEAN;
        for (String candidate : List.of("get" + upper(name), isBoolean ? "is" + upper(name) : name, name)) {
            for (ExecutableElement method : methods) {
                if (method.getSimpleName().contentEquals(candidate)
                        && method.getParameters().isEmpty()
                        && types.isSameType(method.getReturnType(), type)) {
                    return "value." + candidate + "()";
                }
            }
        }
        throw new Problem(
                field,
                "private field has no getter: field=" + name + " type=" + JavaTypes.shown(type) + "; it is get"
                        + upper(name) + ", is" + upper(name) + " or " + name);
    }

    /** The statement that sets a field of {@code value} to {@code $v}. */
    String setter(VariableElement field) throws Problem {
        String name = field.getSimpleName().toString();
        if (!isHidden(field) && !field.getModifiers().contains(Modifier.FINAL)) {
            return "value." + name + " = $v;";
        }
        for (String candidate : List.of("set" + upper(name), name)) {
            for (ExecutableElement method : methods) {
                if (method.getSimpleName().contentEquals(candidate)
                        && method.getParameters().size() == 1
                        && types.isSameType(method.getParameters().get(0).asType(), field.asType())) {
                    return "value." + candidate + "($v);";
                }
            }
        }
        throw new Problem(
                field,
                "field cannot be set: field=" + name + " type=" + JavaTypes.shown(field.asType())
                        + "; its setter is set" + upper(name) + " or " + name);
    }

    private static String upper(String name) {
        return Character.toUpperCase(name.charAt(0)) + name.substring(1);
    }
}
