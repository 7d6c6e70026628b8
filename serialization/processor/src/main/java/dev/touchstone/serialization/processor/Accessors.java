package dev.touchstone.serialization.processor;

import java.util.ArrayList;
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

    /** Returns whether a method or constructor of the class takes values of these types. */
    boolean takes(ExecutableElement method, List<? extends TypeMirror> values) {
        List<? extends TypeMirror> parameters = typeOf(method).getParameterTypes();
        boolean takes = parameters.size() == values.size();
        for (int i = 0; takes && i < parameters.size(); i++) {
            takes = accepts(parameters.get(i), values.get(i));
        }
        return takes;
    }

    /** Returns whether a parameter takes values of a type as they are, neither boxed nor widened to another number. */
    boolean accepts(TypeMirror parameter, TypeMirror value) {
        return types.isSameType(parameter, value)
                || (parameter.getKind() == TypeKind.DECLARED
                        && value.getKind() == TypeKind.DECLARED
                        && types.isAssignable(value, parameter));
    }

    /** Returns the types of the parameters that a method of another type has. */
    List<? extends TypeMirror> parameters(DeclaredType owner, ExecutableElement method) {
        return ((ExecutableType) types.asMemberOf(owner, method)).getParameterTypes();
    }

    /** Returns the type that a method of another type returns, with the arguments which that gives to its superclasses. */
    TypeMirror result(DeclaredType owner, ExecutableElement method) {
        return ((ExecutableType) types.asMemberOf(owner, method)).getReturnType();
    }

    private ExecutableType typeOf(ExecutableElement method) {
        return (ExecutableType) types.asMemberOf(type, method);
    }

    /** Returns the expression that reads a field of {@code javaValue}. */
    String getter(VariableElement field) throws Problem {
        String name = field.getSimpleName().toString();
        if (!isHidden(field)) {
            return "javaValue." + name;
        }
        TypeMirror value = type(field);
        boolean isBoolean = value.getKind() == TypeKind.BOOLEAN;
        List<String> candidates =
                isBoolean ? List.of("get" + upper(name), "is" + upper(name), name) : List.of("get" + upper(name), name);
        for (String candidate : candidates) {
            for (ExecutableElement method : methods) {
                if (method.getSimpleName().contentEquals(candidate)
                        && method.getParameters().isEmpty()
                        && types.isSameType(typeOf(method).getReturnType(), value)) {
                    return "javaValue." + candidate + "()";
                }
            }
        }
        throw new Problem(
                field,
                "private field has no getter: field=" + name + " type=" + JavaTypes.shown(value) + "; it is get"
                        + upper(name) + ", is" + upper(name) + " or " + name);
    }

    /** Returns the statement that sets a field of {@code javaValue} to {@code #v}. */
    String setter(VariableElement field) throws Problem {
        String name = field.getSimpleName().toString();
        if (!isHidden(field) && !field.getModifiers().contains(Modifier.FINAL)) {
            return "javaValue." + name + " = #v;";
        }
        for (String candidate : setters(field, type(field))) {
            for (ExecutableElement method : methods) {
                if (method.getSimpleName().contentEquals(candidate) && takes(method, List.of(type(field)))) {
                    return "javaValue." + candidate + "(#v);";
                }
            }
        }
        throw new Problem(
                field,
                "field cannot be set: field=" + name + " type=" + JavaTypes.shown(type(field)) + "; its setter is set"
                        + upper(name) + " or " + name);
    }

    /** Returns the names that a setter of a field may have; a boolean {@code isA} may be set by {@code setA}, as bean properties are. */
    static List<String> setters(VariableElement field, TypeMirror value) {
        String name = field.getSimpleName().toString();
        return isFlag(field, value)
                ? List.of("set" + upper(name), name, "set" + name.substring(2))
                : List.of("set" + upper(name), name);
    }

    /** Returns the names that the setter of a field may have in a builder. */
    static List<String> buildersSetters(VariableElement field, TypeMirror value) {
        String name = field.getSimpleName().toString();
        List<String> names = new ArrayList<>(setters(field, value));
        names.add("with" + upper(name));
        if (isFlag(field, value)) {
            names.add(Character.toLowerCase(name.charAt(2)) + name.substring(3));
        }
        return names;
    }

    private static boolean isFlag(VariableElement field, TypeMirror value) {
        return value.getKind() == TypeKind.BOOLEAN
                && field.getSimpleName().toString().matches("is\\p{Lu}.*");
    }

    private static String upper(String name) {
        return Character.toUpperCase(name.charAt(0)) + name.substring(1);
    }
}
