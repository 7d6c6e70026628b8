package dev.touchstone.serialization.processor;

import java.util.HashSet;
import java.util.Set;
import javax.lang.model.AnnotatedConstruct;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.Element;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.Elements;
import org.jspecify.annotations.Nullable;

/**
 * Refuses a type that must hold another of itself, and that one the next: it ends nowhere. What must be there is known only where
 * JSpecify's {@code @NullMarked} says that all is that is not {@code @Nullable}.
 */
final class RecursionCheck {
    private final Elements elements;
    private final Set<TypeElement> passed = new HashSet<>();

    RecursionCheck(Elements elements) {
        this.elements = elements;
    }

    void check(TypeElement type) throws Problem {
        for (Element member : TypeReader.allFields(type)) {
            TypeElement needed = needed(member);
            if (needed != null && (needed.equals(type) || leads(needed, type))) {
                throw new Problem(
                        member,
                        "field needs an object of its own type without end: field=" + member.getSimpleName() + " type="
                                + type + "; mark it @Nullable");
            }
        }
    }

    private boolean leads(TypeElement from, TypeElement to) {
        if (!passed.add(from)) {
            return false;
        }
        for (Element member : TypeReader.allFields(from)) {
            TypeElement needed = needed(member);
            if (needed != null && (needed.equals(to) || leads(needed, to))) {
                return true;
            }
        }
        return false;
    }

    /** The marked type that a member must have, or null. */
    private @Nullable TypeElement needed(Element member) {
        TypeElement type = JavaTypes.element(member.asType());
        if (type == null || !TypeChecks.isCompact(type) || TypeChecks.isSealed(type) || !isNullMarked(member)) {
            return null;
        }
        boolean isNullable = has(member.asType(), "Nullable") || has(member, "Nullable");
        return isNullable ? null : type;
    }

    private boolean isNullMarked(Element member) {
        for (@Nullable Element at = member; at != null; at = at.getEnclosingElement()) {
            if (has(at, "NullMarked")) {
                return true;
            }
            if (has(at, "NullUnmarked")) {
                return false;
            }
        }
        Element module = elements.getModuleOf(member);
        return module != null && has(module, "NullMarked");
    }

    private static boolean has(AnnotatedConstruct construct, String annotation) {
        for (AnnotationMirror mirror : construct.getAnnotationMirrors()) {
            if (mirror.getAnnotationType().asElement().getSimpleName().contentEquals(annotation)) {
                return true;
            }
        }
        return false;
    }
}
