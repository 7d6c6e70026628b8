package dev.touchstone.serialization.processor.model;

import java.util.List;
import javax.lang.model.element.TypeElement;

/**
 * A sealed type: all that its values can be.
 *
 * @param element in the sources
 * @param type its class
 * @param isPublic whether any package can use it
 * @param subtypes of its values
 */
public record SealedModel(TypeElement element, ClassRef type, boolean isPublic, List<Subtype> subtypes) {
    /**
     * A type with a schema.
     *
     * @param type its class
     * @param codec the generated codec
     * @param typeName in the schema
     */
    public record Subtype(ClassRef type, ClassRef codec, String typeName) {}

    /** Returns the name of the generated codec. */
    public ClassRef codec() {
        return type.generated("Codec");
    }
}
