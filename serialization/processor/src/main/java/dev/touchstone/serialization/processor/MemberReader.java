package dev.touchstone.serialization.processor;

import dev.touchstone.serialization.annotation.Compact;
import dev.touchstone.serialization.annotation.CompactField;
import dev.touchstone.serialization.annotation.Encoding;
import dev.touchstone.serialization.processor.model.Conversion;
import dev.touchstone.serialization.processor.model.FieldModel;
import dev.touchstone.serialization.processor.model.FieldType;
import dev.touchstone.serialization.processor.model.MemberModel;
import dev.touchstone.serialization.processor.model.MemberModel.Missing;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import javax.lang.model.element.Element;
import javax.lang.model.element.PackageElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.Elements;
import org.jspecify.annotations.Nullable;

/** Makes a model of each member of one type, with indexes to come. */
final class MemberReader {
    private static final int NO_INDEX = -1;

    private final Elements elements;
    private final Compact compact;
    private final PackageElement owner;
    private final Set<String> constants = new HashSet<>();

    /** Makes a reader of the members of a marked type. */
    MemberReader(Elements elements, TypeElement type) {
        this.elements = elements;
        compact = type.getAnnotation(Compact.class);
        owner = elements.getPackageOf(type);
    }

    /** A member that holds what is found in a source by an accessor's expression, and set there by a statement. */
    MemberModel read(Element member, TypeMirror type, String accessor, String setter) throws Problem {
        checkVisible(member, type);
        @Nullable CompactField field = member.getAnnotation(CompactField.class);
        FieldTypes types = new FieldTypes(elements, member, allowed(field));
        String name = member.getSimpleName().toString();
        String schemaName = field == null || field.value().isEmpty() ? name : field.value();
        List<FieldModel> fields = new ArrayList<>();
        if (FieldTypes.isMap(type)) {
            FieldType keys = types.partOfMap(type, true);
            FieldType values = types.partOfMap(type, false);
            fields.add(new FieldModel(schemaName + "!keys", NO_INDEX, constant(name + "Keys"), accessor, keys));
            fields.add(new FieldModel(schemaName + "!values", NO_INDEX, constant(name + "Values"), accessor, values));
        } else {
            fields.add(new FieldModel(schemaName, NO_INDEX, constant(name), accessor, types.of(type)));
        }
        Missing missing = DefaultValues.of(member, type, field);
        Conversion joined = fields.size() == 1 ? Conversion.NONE : FieldTypes.joined();
        return new MemberModel(name, JavaTypes.token(type), setter, fields, joined, missing);
    }

    /** Refuses a type that generated code would name and cannot: a member of the type itself, or of its superclasses, may be hidden from others. */
    private void checkVisible(Element member, TypeMirror type) throws Problem {
        if (type instanceof ArrayType array) {
            checkVisible(member, array.getComponentType());
            return;
        }
        TypeElement element = JavaTypes.element(type);
        if (element == null) {
            return;
        }
        if (!TypeChecks.isVisible(element, owner, elements)) {
            throw new Problem(
                    member,
                    "type of field is not visible to generated code in package " + owner + ": field="
                            + member.getSimpleName() + " type=" + JavaTypes.shown(type)
                            + "; it must not be private, and public if it is in another package");
        }
        for (TypeMirror argument : ((DeclaredType) type).getTypeArguments()) {
            checkVisible(member, argument);
        }
    }

    private Set<Encoding> allowed(@Nullable CompactField field) {
        Set<Encoding> allowed = EnumSet.noneOf(Encoding.class);
        allowed.addAll(List.of(compact.encode()));
        if (field != null) {
            allowed.addAll(List.of(field.encode()));
        }
        return allowed;
    }

    /** A name in capitals that no other constant has, and, as it ends, no class. */
    private String constant(String name) {
        String capitals = name.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "_").toUpperCase(Locale.ROOT) + "_INDEX";
        String free = capitals;
        for (int i = 2; !constants.add(free); i++) {
            free = capitals + "_" + i;
        }
        return free;
    }
}
