package dev.touchstone.serialization.cli.code;

import static java.util.Objects.requireNonNull;

import dev.touchstone.serialization.schema.FieldDescriptor;
import dev.touchstone.serialization.schema.FieldMeaning;
import dev.touchstone.serialization.schema.TypeDescriptor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * All types of a generated file, by their names in the schemas.
 *
 * @param types the types in the order of their names
 */
record CodeModel(List<CodeType> types) {
    private static final String SERIALIZER = "Serializer";

    /** Names types, fields and constants by the rules of a language; no two have one name where that would matter. */
    static CodeModel of(Collection<TypeDescriptor> descriptors, NamingRules rules) {
        SortedMap<String, TypeDescriptor> byName = new TreeMap<>();
        descriptors.forEach(each -> byName.put(each.typeName(), each));
        UniqueNames names = new UniqueNames(rules.reservedTypes());
        Map<String, String> classes = classNames(byName.keySet(), names);
        Map<String, String> serializers = new HashMap<>();
        byName.keySet().forEach(type -> serializers.put(type, names.take(of(classes, type) + SERIALIZER)));
        List<CodeType> types = new ArrayList<>();
        byName.forEach((name, descriptor) -> types.add(new CodeType(
                name, of(classes, name), of(serializers, name), fields(descriptor, classes, names, rules))));
        return new CodeModel(types);
    }

    /** Returns the simple names of types; the qualified ones where simple names are equal. */
    private static Map<String, String> classNames(Collection<String> types, UniqueNames names) {
        Map<String, Integer> uses = new HashMap<>();
        types.forEach(type -> uses.merge(NamingRules.simpleClassName(type), 1, Integer::sum));
        Map<String, String> classes = new HashMap<>();
        for (String type : types) {
            String simple = NamingRules.simpleClassName(type);
            boolean isUnique = of(uses, simple) == 1;
            classes.put(type, names.take(isUnique ? simple : NamingRules.className(type)));
        }
        return classes;
    }

    private static List<CodeField> fields(
            TypeDescriptor type, Map<String, String> classes, UniqueNames names, NamingRules rules) {
        UniqueNames attributes = new UniqueNames(rules.reservedAttributes());
        List<CodeField> fields = new ArrayList<>();
        for (FieldDescriptor field : type.schema().fields()) {
            FieldMeaning meaning = type.meaning(field.name());
            String attribute = attributes.take(rules.attribute(field.name()));
            Optional<CodeEnum> constants = Optional.empty();
            List<String> records = List.of();
            if (meaning.format().equals(FieldMeaning.ENUM) && !meaning.values().isEmpty()) {
                String name = of(classes, type.typeName()) + NamingRules.className(field.name());
                constants = Optional.of(new CodeEnum(names.take(name), members(meaning.values(), rules)));
            } else if (meaning.format().equals(FieldMeaning.RECORD)
                    && classes.keySet().containsAll(meaning.values())) {
                records =
                        meaning.values().stream().map(name -> of(classes, name)).toList();
            }
            fields.add(new CodeField(field, meaning, attribute, constants, records));
        }
        return fields;
    }

    private static <V> V of(Map<String, V> values, String key) {
        return requireNonNull(values.get(key), key);
    }

    private static SortedMap<String, String> members(List<String> constants, NamingRules rules) {
        UniqueNames names = new UniqueNames(rules.reservedMembers());
        SortedMap<String, String> members = new TreeMap<>();
        constants.forEach(constant -> members.put(constant, names.take(NamingRules.member(constant))));
        return members;
    }
}
