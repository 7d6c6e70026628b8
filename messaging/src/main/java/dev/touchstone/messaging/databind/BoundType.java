package dev.touchstone.messaging.databind;

import java.lang.reflect.AnnotatedArrayType;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.TypeVariable;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A type as a component declares it, and the types that its type variables stand for.
 *
 * @param type as declared; may be a type variable
 * @param variables of the declaring class
 */
record BoundType(AnnotatedType type, Map<TypeVariable<?>, BoundType> variables) {
    /** Returns the type that a type variable stands for, or this type if it is none. */
    BoundType resolved() {
        BoundType bound = this;
        while (bound.type.getType() instanceof TypeVariable<?> variable) {
            bound = find(variable, bound.variables);
        }
        return bound;
    }

    private static BoundType find(TypeVariable<?> variable, Map<TypeVariable<?>, BoundType> variables) {
        BoundType bound = variables.get(variable);
        if (bound == null) {
            throw new IllegalArgumentException("type variable=" + variable + " of " + variable.getGenericDeclaration()
                    + " stands for no type: expected=a component that names it");
        }
        return bound;
    }

    /** Returns the class without its arguments; null for wildcards and arrays of type variables. */
    @Nullable
    Class<?> raw() {
        if (type instanceof AnnotatedParameterizedType generic) {
            return (Class<?>) ((ParameterizedType) generic.getType()).getRawType();
        }
        return type.getType() instanceof Class<?> plain ? plain : null;
    }

    /** Returns the type arguments, in the order of the class's type variables. */
    List<BoundType> arguments() {
        return type instanceof AnnotatedParameterizedType generic
                ? Arrays.stream(generic.getAnnotatedActualTypeArguments())
                        .map(argument -> new BoundType(argument, variables).resolved())
                        .toList()
                : List.of();
    }

    /** Returns what the type variables of the class stand for within it. */
    Map<TypeVariable<?>, BoundType> inner(Class<?> raw) {
        List<BoundType> arguments = arguments();
        Map<TypeVariable<?>, BoundType> inner = new HashMap<>();
        for (int i = 0; i < arguments.size(); i++) {
            inner.put(raw.getTypeParameters()[i], arguments.get(i));
        }
        return inner;
    }

    /** Returns a text that is equal for equal types with equal annotations of this package. */
    String key() {
        String marks = (type.isAnnotationPresent(ErlangAtom.class) ? "@atom " : "")
                + (type.isAnnotationPresent(ErlangString.class) ? "@string " : "");
        if (type instanceof AnnotatedArrayType array) {
            return marks
                    + new BoundType(array.getAnnotatedGenericComponentType(), variables)
                            .resolved()
                            .key() + "[]";
        }
        Class<?> raw = raw();
        return marks + (raw == null ? type.getType().getTypeName() : key(raw, arguments()));
    }

    private static String key(Class<?> raw, List<BoundType> arguments) {
        return arguments.isEmpty()
                ? raw.getName()
                : raw.getName() + arguments.stream().map(BoundType::key).collect(Collectors.joining(",", "<", ">"));
    }

    /** Returns the text of {@link #key} for a class whose type variables stand for these types. */
    static String key(Class<?> raw, Map<TypeVariable<?>, BoundType> variables) {
        return key(
                raw,
                Arrays.stream(raw.getTypeParameters())
                        .map(variable -> find(variable, variables))
                        .toList());
    }
}
