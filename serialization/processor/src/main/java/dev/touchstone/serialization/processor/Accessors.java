package dev.touchstone.serialization.processor;

import java.util.List;
import java.util.Set;
import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.ExecutableType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;
import javax.lang.model.util.Elements;
import javax.lang.model.util.Types;

/** Expressions by which code beside a class reads its fields, and statements by which it sets them. */
final class Accessors {
    private final DeclaredType type;
    private final Elements elements;
    private final Types types;
    private final List<ExecutableElement> methods;

    Accessors(TypeElement type, Elements elements, Types types) {
        this.type = (DeclaredType) type.asType();
        this.elements = elements;
        this.types = types;
        methods = ElementFilter.methodsIn(elements.getAllMembers(type)).stream()
                .filter(method -> !isHidden(method)
                        && !isOfObject(method)
                        && !method.getModifiers().contains(Modifier.STATIC)
                        && method.getThrownTypes().isEmpty())
                .toList();
    }

    private static boolean isOfObject(ExecutableElement method) {
        return method.getEnclosingElement() instanceof TypeElement type
                && type.getQualifiedName().contentEquals("java.lang.Object");
    }

    /** Returns whether code beside the class cannot use one of its members. */
    boolean isHidden(Element member) {
        Set<Modifier> modifiers = member.getModifiers();
        boolean isNear = elements.getPackageOf(member).equals(elements.getPackageOf(type.asElement()));
        return modifiers.contains(Modifier.PRIVATE) || (!isNear && !modifiers.contains(Modifier.PUBLIC));
    }

    /** Returns the type of a field, with the arguments that the class gives to its superclasses. */
    TypeMirror type(VariableElement field) {
        return types.asMemberOf(type, field);
    }

    /** Returns whether a method or constructor takes values of these types. */
    boolean takes(ExecutableElement method, List<? extends TypeMirror> values) {
        List<? extends TypeMirror> parameters = typeOf(method).getParameterTypes();
        boolean takes = parameters.size() == values.size();
        for (int i = 0; takes && i < parameters.size(); i++) {
            takes = types.isSameType(parameters.get(i), values.get(i));
        }
        return takes;
    }

    private ExecutableType typeOf(ExecutableElement method) {
        return (ExecutableType) types.asMemberOf(type, method);
    }

    /** Returns the expression that reads a field of {@code value}. */
    String getter(VariableElement field) throws Problem {
        String name = field.getSimpleName().toString();
        if (!isHidden(field)) {
            return "value." + name;
        }
        TypeMirror value = type(field);
        boolean isBoolean = value.getKind() == TypeKind.BOOLEAN;
        for (String candidate : List.of("get" + upper(name), isBoolean ? "is" + upper(name) : name, name)) {
            for (ExecutableElement method : methods) {
                if (method.getSimpleName().contentEquals(candidate)
                        && method.getParameters().isEmpty()
                        && types.isSameType(typeOf(method).getReturnType(), value)) {
                    return "value." + candidate + "()";
                }
            }
        }
        throw new Problem(
                field,
                "private field has no getter: field=" + name + " type=" + JavaTypes.shown(value) + "; it is get"
                        + upper(name) + ", is" + upper(name) + " or " + name);
    }

    /** Returns the statement that sets a field of {@code value} to {@code $v}. */
    String setter(VariableElement field) throws Problem {
        String name = field.getSimpleName().toString();
        if (!isHidden(field) && !field.getModifiers().contains(Modifier.FINAL)) {
            return "value." + name + " = $v;";
        }
        for (String candidate : List.of("set" + upper(name), name)) {
            for (ExecutableElement method : methods) {
                if (method.getSimpleName().contentEquals(candidate) && takes(method, List.of(type(field)))) {
                    return "value." + candidate + "($v);";
                }
            }
        }
        throw new Problem(
                field,
                "field cannot be set: field=" + name + " type=" + JavaTypes.shown(type(field)) + "; its setter is set"
                        + upper(name) + " or " + name);
    }

    private static String upper(String name) {
        return Character.toUpperCase(name.charAt(0)) + name.substring(1);
    }
}
