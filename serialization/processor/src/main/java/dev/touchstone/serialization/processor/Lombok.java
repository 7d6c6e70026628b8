package dev.touchstone.serialization.processor;

import java.util.stream.Stream;
import javax.lang.model.element.Element;
import javax.lang.model.element.TypeElement;

/**
 * Signs that Lombok adds members to a class. Lombok changes the trees of the compiler while it runs as a processor: a class has the new members
 * from the next round on, and Lombok sees to it that there is a next round, whichever processor runs first. So a class is read a round later than
 * it was found.
 */
final class Lombok {
    private static final String PACKAGE = "lombok.";

    private Lombok() {}

    /** Returns whether a class, one of its members or one of its superclasses has an annotation of Lombok. */
    static boolean isOn(TypeElement type) {
        for (TypeElement at = type; at != null; at = JavaTypes.element(at.getSuperclass())) {
            if (Stream.concat(Stream.of(at), at.getEnclosedElements().stream()).anyMatch(Lombok::isAnnotated)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isAnnotated(Element element) {
        return element.getAnnotationMirrors().stream()
                .map(mirror -> (TypeElement) mirror.getAnnotationType().asElement())
                .anyMatch(annotation -> annotation.getQualifiedName().toString().startsWith(PACKAGE));
    }
}
