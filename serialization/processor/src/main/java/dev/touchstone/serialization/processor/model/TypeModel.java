package dev.touchstone.serialization.processor.model;

import dev.touchstone.serialization.schema.Schema;
import dev.touchstone.serialization.schema.TypeDescriptor;
import java.util.List;
import java.util.Optional;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;

/**
 * A type with a schema.
 *
 * @param element in the sources
 * @param type its class
 * @param form the way in which an object is made
 * @param builder of the objects, where the form has one
 * @param isPublic whether any package can use it
 * @param descriptor the schema and the meanings of its fields
 * @param members in the order in which an object is made of them
 */
public record TypeModel(
        TypeElement element,
        ClassRef type,
        Form form,
        Optional<BuilderRef> builder,
        boolean isPublic,
        TypeDescriptor descriptor,
        List<MemberModel> members) {
    /** The way in which an object is made. */
    public enum Form {
        /** A constructor takes all members. */
        CONSTRUCTED,
        /** A constructor takes none, and each member is set. */
        FILLED,
        /** A builder takes each member, and makes the object. */
        BUILT,
        /** It is a constant. */
        ENUM
    }

    /**
     * A builder.
     *
     * @param type how sources name its type
     * @param start the expression that makes it
     */
    public record BuilderRef(String type, String start) {}

    /** Returns whether the class can have subclasses, whose objects would lose their own fields in a record of this type. */
    public boolean isExtensible() {
        return element.getKind() == ElementKind.CLASS && !element.getModifiers().contains(Modifier.FINAL);
    }

    /** Returns the schema. */
    public Schema schema() {
        return descriptor.schema();
    }

    /** Returns the name of the generated codec. */
    public ClassRef codec() {
        return type.generated("Codec");
    }

    /** Returns the name of the generated view. */
    public ClassRef view() {
        return type.generated("View");
    }

    /** Returns the name of the generated serializer for Hazelcast. */
    public ClassRef serializer() {
        return type.generated("CompactSerializer");
    }

    /** Returns all fields, in the order of their declaration. */
    public List<FieldModel> fields() {
        return members.stream().flatMap(member -> member.fields().stream()).toList();
    }
}
