package dev.touchstone.serialization.processor;

import dev.touchstone.serialization.schema.Schema;
import dev.touchstone.serialization.schema.TypeDescriptor;
import java.util.List;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;

/** A type with a schema. */
record TypeModel(
        TypeElement element,
        ClassRef type,
        Form form,
        boolean isPublic,
        TypeDescriptor descriptor,
        List<MemberModel> members) {
    /** The way in which an object is made. */
    enum Form {
        /** A constructor takes all members. */
        CONSTRUCTED,
        /** A constructor takes none, and each member is set. */
        FILLED,
        /** It is a constant. */
        ENUM
    }

    /** Returns whether the class can have subclasses, whose objects would lose their own fields in a record of this type. */
    boolean isExtensible() {
        return element.getKind() == ElementKind.CLASS && !element.getModifiers().contains(Modifier.FINAL);
    }

    Schema schema() {
        return descriptor.schema();
    }

    ClassRef codec() {
        return type.generated("Codec");
    }

    ClassRef view() {
        return type.generated("View");
    }

    ClassRef serializer() {
        return type.generated("CompactSerializer");
    }

    /** All fields, in the order of their declaration. */
    List<FieldModel> fields() {
        return members.stream().flatMap(member -> member.fields().stream()).toList();
    }
}
