package dev.touchstone.serialization.processor;

import dev.touchstone.serialization.annotation.Compact;
import java.util.Set;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.PackageElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.Elements;

/** Checks of every marked type, and of those that another one refers to. */
final class TypeChecks {
    private TypeChecks() {}

    /** Refuses what no class beside it can use. */
    static void check(TypeElement type) throws Problem {
        for (Element at = type; at instanceof TypeElement; at = at.getEnclosingElement()) {
            if (at.getModifiers().contains(Modifier.PRIVATE)) {
                throw new Problem(type, "@Compact type must not be private, nor inside a private one: " + type);
            }
            if (at.getSimpleName().length() == 0) {
                throw new Problem(type, "@Compact type must have a name: " + type);
            }
        }
        boolean isTop = !type.getNestingKind().isNested();
        if (!isTop && !type.getModifiers().contains(Modifier.STATIC)) {
            throw new Problem(type, "@Compact type must be static where it is inside another one: " + type);
        }
        if (!type.getTypeParameters().isEmpty()) {
            throw new Problem(
                    type,
                    "@Compact type must not be generic: " + type + "<" + type.getTypeParameters()
                            + ">; declare one without type parameters for each argument");
        }
        checkForm(type);
    }

    private static void checkForm(TypeElement type) throws Problem {
        Set<Modifier> modifiers = type.getModifiers();
        if (isSealed(type)) {
            boolean isAbstract = type.getKind() == ElementKind.INTERFACE || modifiers.contains(Modifier.ABSTRACT);
            if (!isAbstract) {
                throw new Problem(type, "@Compact class that is sealed must be abstract: " + type);
            }
        } else if (type.getKind() == ElementKind.ANNOTATION_TYPE
                || type.getKind() == ElementKind.INTERFACE
                || (type.getKind() == ElementKind.CLASS && modifiers.contains(Modifier.ABSTRACT))) {
            throw new Problem(
                    type,
                    "@Compact interface or abstract class must be sealed: " + type
                            + (isKotlin(type) ? "; kapt does not tell of a type of Kotlin that it is sealed" : ""));
        }
    }

    static boolean isCompact(TypeElement type) {
        return type.getAnnotation(Compact.class) != null;
    }

    /** Returns whether a type was written in Kotlin. */
    static boolean isKotlin(TypeElement type) {
        return type.getAnnotationMirrors().stream()
                .map(mirror -> (TypeElement) mirror.getAnnotationType().asElement())
                .anyMatch(annotation -> annotation.getQualifiedName().contentEquals("kotlin.Metadata"));
    }

    /** Returns whether a type is sealed by its author: an enum whose constants have bodies is, too, for the compiler. */
    static boolean isSealed(TypeElement type) {
        return type.getModifiers().contains(Modifier.SEALED) && type.getKind() != ElementKind.ENUM;
    }

    /** Returns whether any package can use a type. */
    static boolean isPublic(TypeElement type) {
        for (Element at = type; at instanceof TypeElement; at = at.getEnclosingElement()) {
            if (!at.getModifiers().contains(Modifier.PUBLIC)) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether classes of a package can use a type. */
    static boolean isVisible(TypeElement type, PackageElement from, Elements elements) {
        boolean isNear = elements.getPackageOf(type).equals(from);
        for (Element at = type; at instanceof TypeElement; at = at.getEnclosingElement()) {
            Set<Modifier> modifiers = at.getModifiers();
            if (modifiers.contains(Modifier.PRIVATE) || (!isNear && !modifiers.contains(Modifier.PUBLIC))) {
                return false;
            }
        }
        return true;
    }

    /** Returns the name of a marked type in its schema. */
    static String typeName(TypeElement type, Elements elements) {
        Compact compact = type.getAnnotation(Compact.class);
        return compact == null || compact.value().isEmpty()
                ? elements.getBinaryName(type).toString()
                : compact.value();
    }
}
