package dev.touchstone.serialization.processor;

import java.util.List;
import javax.lang.model.element.TypeElement;

/** A sealed type: all that its values can be. */
record SealedModel(TypeElement element, ClassRef type, boolean isPublic, List<Subtype> subtypes) {
    /** A type with a schema, whose name is {@code typeName}. */
    record Subtype(ClassRef type, ClassRef codec, String typeName) {}

    ClassRef codec() {
        return type.generated("Codec");
    }
}
