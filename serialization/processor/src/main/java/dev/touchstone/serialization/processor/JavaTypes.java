package dev.touchstone.serialization.processor;

import dev.touchstone.serialization.processor.model.ClassRef;
import java.util.Locale;
import java.util.stream.Collectors;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.type.WildcardType;
import org.jspecify.annotations.Nullable;

/** Types as sources name them, without annotations. */
final class JavaTypes {
    private JavaTypes() {}

    /** A type as a text with {@link ClassRef#token}s. */
    static String token(TypeMirror type) {
        if (type instanceof ArrayType array) {
            return token(array.getComponentType()) + "[]";
        }
        if (type instanceof WildcardType wildcard) {
            return "?" + bound(" extends ", wildcard.getExtendsBound()) + bound(" super ", wildcard.getSuperBound());
        }
        if (!(type instanceof DeclaredType declared)) {
            return type.getKind().name().toLowerCase(Locale.ROOT);
        }
        String name = ClassRef.of((TypeElement) declared.asElement()).token();
        return declared.getTypeArguments().isEmpty()
                ? name
                : declared.getTypeArguments().stream()
                        .map(JavaTypes::token)
                        .collect(Collectors.joining(", ", name + "<", ">"));
    }

    private static String bound(String word, @Nullable TypeMirror bound) {
        return bound == null ? "" : word + token(bound);
    }

    /** A type for a message. */
    static String shown(TypeMirror type) {
        return token(type).replaceAll("\\{[^}]*/([^}]+)}", "$1");
    }

    /** The class of a type, or null where it has none. */
    static @Nullable TypeElement element(TypeMirror type) {
        return type.getKind() == TypeKind.DECLARED ? (TypeElement) ((DeclaredType) type).asElement() : null;
    }
}
