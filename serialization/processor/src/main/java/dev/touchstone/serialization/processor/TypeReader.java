package dev.touchstone.serialization.processor;

import dev.touchstone.serialization.processor.CreationReader.Creation;
import dev.touchstone.serialization.processor.model.ClassRef;
import dev.touchstone.serialization.processor.model.Conversion;
import dev.touchstone.serialization.processor.model.FieldModel;
import dev.touchstone.serialization.processor.model.FieldType;
import dev.touchstone.serialization.processor.model.MemberModel;
import dev.touchstone.serialization.processor.model.MemberModel.Missing;
import dev.touchstone.serialization.processor.model.TypeModel;
import dev.touchstone.serialization.processor.model.TypeModel.BuilderRef;
import dev.touchstone.serialization.processor.model.TypeModel.Form;
import dev.touchstone.serialization.schema.FieldDescriptor;
import dev.touchstone.serialization.schema.FieldKind;
import dev.touchstone.serialization.schema.FieldMeaning;
import dev.touchstone.serialization.schema.Schema;
import dev.touchstone.serialization.schema.TypeDescriptor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.Name;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.util.ElementFilter;
import javax.lang.model.util.Elements;
import javax.lang.model.util.Types;

/** Makes the model of a type with a schema, or says all that is wrong with it. */
final class TypeReader {
    private final Elements elements;
    private final Types types;
    private final Consumer<Problem> problems;

    TypeReader(Elements elements, Types types, Consumer<Problem> problems) {
        this.elements = elements;
        this.types = types;
        this.problems = problems;
    }

    /** The model. @throws Problem if there is none, with the last of the problems */
    TypeModel read(TypeElement type) throws Problem {
        TypeChecks.check(type);
        TypeModel model;
        if (type.getKind() == ElementKind.ENUM) {
            model = indexed(type, Form.ENUM, Optional.empty(), List.of(constantName(type)));
        } else if (type.getKind() == ElementKind.RECORD) {
            model = indexed(type, Form.CONSTRUCTED, Optional.empty(), components(type));
        } else {
            checkSuperclass(type);
            checkHidden(type);
            Accessors accessors = new Accessors(type, elements, types);
            Creation creation = new CreationReader(type, accessors, allFields(type), elements, types).read();
            model = indexed(type, creation.form(), creation.builder(), fields(type, accessors, creation));
        }
        new RecursionCheck(elements).check(type);
        return model;
    }

    private static MemberModel constantName(TypeElement type) {
        String valueOf = ClassRef.of(type).token() + "::valueOf";
        Conversion conversion = new Conversion(
                "#v",
                Conversion.text("name", valueOf)
                        .behind(Conversion.methods("", "required(#f, #v)"))
                        .from());
        FieldModel name = new FieldModel(
                "name",
                0,
                "NAME_INDEX",
                "javaValue.name()",
                FieldType.of(FieldKind.STRING, conversion, FieldTypes.constants(type)));
        return new MemberModel(
                "constant",
                ClassRef.of(type).token(),
                "",
                List.of(name),
                Conversion.NONE,
                new Missing(Optional.empty(), "null", ""));
    }

    private List<MemberModel> components(TypeElement type) throws Problem {
        MemberReader reader = new MemberReader(elements, type);
        // The compiler knows no places of components, but those of their fields.
        return all(allFields(type), component -> {
            String accessor = "javaValue." + component.getSimpleName() + "()";
            return reader.read(component, component.asType(), accessor, "");
        });
    }

    private List<MemberModel> fields(TypeElement type, Accessors accessors, Creation creation) throws Problem {
        MemberReader reader = new MemberReader(elements, type);
        return all(
                creation.fields(),
                field -> reader.read(field, accessors.type(field), accessors.getter(field), creation.setter(field)));
    }

    private static List<VariableElement> ownFields(TypeElement type) {
        if (type.getKind() == ElementKind.RECORD) {
            return componentFields(type);
        }
        Set<Modifier> left = Set.of(Modifier.STATIC, Modifier.TRANSIENT);
        return ElementFilter.fieldsIn(type.getEnclosedElements()).stream()
                .filter(field -> field.getModifiers().stream().noneMatch(left::contains))
                .toList();
    }

    /** Returns the fields of components in the order of these, which that of the fields is not in every compiler. */
    private static List<VariableElement> componentFields(TypeElement type) {
        List<VariableElement> fields = ElementFilter.fieldsIn(type.getEnclosedElements());
        return type.getRecordComponents().stream()
                .flatMap(component -> fields.stream()
                        .filter(field -> field.getSimpleName().equals(component.getSimpleName())
                                && !field.getModifiers().contains(Modifier.STATIC)))
                .toList();
    }

    /** Returns the fields of a class, those of its superclasses first. */
    static List<VariableElement> allFields(TypeElement type) {
        List<VariableElement> fields = new ArrayList<>();
        for (TypeElement at = type; at != null; at = JavaTypes.element(at.getSuperclass())) {
            fields.addAll(0, ownFields(at));
        }
        return fields;
    }

    /** Refuses a field that another of its name hides, so that {@code javaValue.name} would be the other. */
    private static void checkHidden(TypeElement type) throws Problem {
        Set<Name> names = new HashSet<>();
        for (TypeElement at = type; at != null; at = JavaTypes.element(at.getSuperclass())) {
            for (VariableElement field : ownFields(at)) {
                if (names.contains(field.getSimpleName())) {
                    throw new Problem(
                            type,
                            "field of a superclass is hidden by one of its name: field=" + field.getSimpleName()
                                    + " class=" + at);
                }
            }
            ElementFilter.fieldsIn(at.getEnclosedElements()).forEach(field -> names.add(field.getSimpleName()));
        }
    }

    private static void checkSuperclass(TypeElement type) throws Problem {
        for (TypeElement above = JavaTypes.element(type.getSuperclass());
                above != null;
                above = JavaTypes.element(above.getSuperclass())) {
            if (above.getQualifiedName().toString().startsWith("java.")
                    && !ownFields(above).isEmpty()) {
                throw new Problem(
                        type,
                        "@Compact class must not extend a class of the JDK that has fields: " + type + " extends "
                                + above);
            }
        }
    }

    /** Reads a member. */
    private interface Reading<E> {
        MemberModel read(E member) throws Problem;
    }

    private <E extends Element> List<MemberModel> all(List<? extends E> members, Reading<E> reading) throws Problem {
        List<MemberModel> read = new ArrayList<>();
        Problem last = null;
        for (E member : members) {
            try {
                read.add(reading.read(member));
            } catch (Problem e) {
                if (last != null) {
                    problems.accept(last);
                }
                last = e;
            }
        }
        if (last != null) {
            throw last;
        }
        return read;
    }

    private TypeModel indexed(TypeElement type, Form form, Optional<BuilderRef> builder, List<MemberModel> members)
            throws Problem {
        String typeName = TypeChecks.typeName(type, elements);
        List<FieldModel> fields =
                members.stream().flatMap(member -> member.fields().stream()).toList();
        Map<String, FieldModel> byName = new HashMap<>();
        for (FieldModel field : fields) {
            if (byName.put(field.name(), field) != null) {
                throw new Problem(type, "two fields have one name: type=" + typeName + " field=" + field.name());
            }
        }
        Schema schema = Schema.of(
                typeName,
                fields.stream()
                        .map(field -> new FieldDescriptor(field.name(), field.kind()))
                        .toList());
        List<FieldModel> indexed = fields.stream()
                .map(field -> field.at(schema.indexOf(field.name())))
                .toList();
        List<MemberModel> whole = new ArrayList<>();
        int next = 0;
        for (MemberModel member : members) {
            whole.add(member.indexed(indexed::get, next));
            next += member.fields().size();
        }
        TypeDescriptor descriptor =
                new TypeDescriptor(schema, elements.getBinaryName(type).toString(), meanings(whole));
        return new TypeModel(type, ClassRef.of(type), form, builder, TypeChecks.isPublic(type), descriptor, whole);
    }

    private static SortedMap<String, FieldMeaning> meanings(List<MemberModel> members) {
        SortedMap<String, FieldMeaning> meanings = new TreeMap<>();
        for (MemberModel member : members) {
            for (FieldModel field : member.fields()) {
                FieldMeaning meaning = field.type().meaning();
                meanings.put(
                        field.name(),
                        member.missing().stated().map(meaning::withMissing).orElse(meaning));
            }
        }
        return meanings;
    }
}
