package dev.touchstone.serialization.processor;

import dev.touchstone.serialization.processor.model.ClassRef;
import dev.touchstone.serialization.processor.model.SealedModel;
import dev.touchstone.serialization.processor.model.SealedModel.Subtype;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.Elements;

/** Makes the model of a sealed type. */
final class SealedReader {
    private final Elements elements;

    SealedReader(Elements elements) {
        this.elements = elements;
    }

    SealedModel read(TypeElement type) throws Problem {
        TypeChecks.check(type);
        if (!TypeChecks.typeName(type, elements)
                .equals(elements.getBinaryName(type).toString())) {
            throw new Problem(type, "sealed type has no name of its own, its permitted types have: " + type);
        }
        Map<ClassRef, Subtype> found = new HashMap<>();
        List<Subtype> subtypes = new ArrayList<>();
        collect(type, type, found, subtypes);
        if (subtypes.isEmpty()) {
            throw new Problem(type, "sealed type permits none: " + type);
        }
        // Where there is no permits clause, each compiler has an order of its own.
        subtypes.sort(Comparator.comparing(subtype -> subtype.type().qualified()));
        Map<String, Subtype> byName = new HashMap<>();
        for (Subtype subtype : subtypes) {
            if (byName.put(subtype.typeName(), subtype) != null) {
                throw new Problem(type, "two permitted types have one name: type=" + subtype.typeName());
            }
        }
        return new SealedModel(type, ClassRef.of(type), TypeChecks.isPublic(type), List.copyOf(subtypes));
    }

    private void collect(TypeElement root, TypeElement type, Map<ClassRef, Subtype> found, List<Subtype> subtypes)
            throws Problem {
        for (TypeMirror permitted : type.getPermittedSubclasses()) {
            TypeElement element = JavaTypes.element(permitted);
            if (element == null) {
                continue;
            }
            if (TypeChecks.isSealed(element)) {
                collect(root, element, found, subtypes);
                continue;
            }
            if (!TypeChecks.isCompact(element)) {
                throw new Problem(root, "permitted type is not @Compact: " + element);
            }
            if (element.getModifiers().contains(Modifier.NON_SEALED) || element.getKind() == ElementKind.INTERFACE) {
                throw new Problem(root, "permitted type is open to types that nobody knows: " + element);
            }
            if (!TypeChecks.isVisible(element, elements.getPackageOf(root), elements)) {
                throw new Problem(
                        root,
                        "permitted type is not visible to generated code in the package of " + root
                                + ", make it public: " + element);
            }
            ClassRef ref = ClassRef.of(element);
            Subtype subtype = new Subtype(ref, ref.generated("Codec"), TypeChecks.typeName(element, elements));
            if (found.put(ref, subtype) == null) {
                subtypes.add(subtype);
            }
        }
    }
}
