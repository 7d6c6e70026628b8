package dev.touchstone.serialization.processor;

import static java.util.Objects.requireNonNull;

import dev.touchstone.serialization.annotation.Encoding;
import dev.touchstone.serialization.processor.model.ClassRef;
import dev.touchstone.serialization.processor.model.Conversion;
import dev.touchstone.serialization.processor.model.FieldType;
import dev.touchstone.serialization.processor.model.SealedModel;
import dev.touchstone.serialization.schema.FieldKind;
import dev.touchstone.serialization.schema.FieldMeaning;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.type.WildcardType;
import javax.lang.model.util.Elements;

/** Finds the kind of a Java type, for one member. */
final class FieldTypes {
    private static final Map<String, FieldKind> KINDS = Map.ofEntries(
            Map.entry("boolean", FieldKind.BOOLEAN),
            Map.entry("byte", FieldKind.INT8),
            Map.entry("short", FieldKind.INT16),
            Map.entry("int", FieldKind.INT32),
            Map.entry("long", FieldKind.INT64),
            Map.entry("float", FieldKind.FLOAT32),
            Map.entry("double", FieldKind.FLOAT64),
            Map.entry("java.lang.Boolean", FieldKind.NULLABLE_BOOLEAN),
            Map.entry("java.lang.Byte", FieldKind.NULLABLE_INT8),
            Map.entry("java.lang.Short", FieldKind.NULLABLE_INT16),
            Map.entry("java.lang.Integer", FieldKind.NULLABLE_INT32),
            Map.entry("java.lang.Long", FieldKind.NULLABLE_INT64),
            Map.entry("java.lang.Float", FieldKind.NULLABLE_FLOAT32),
            Map.entry("java.lang.Double", FieldKind.NULLABLE_FLOAT64),
            Map.entry("java.lang.String", FieldKind.STRING),
            Map.entry("java.math.BigDecimal", FieldKind.DECIMAL),
            Map.entry("java.time.LocalTime", FieldKind.TIME),
            Map.entry("java.time.LocalDate", FieldKind.DATE),
            Map.entry("java.time.LocalDateTime", FieldKind.TIMESTAMP),
            Map.entry("java.time.OffsetDateTime", FieldKind.TIMESTAMP_WITH_TIMEZONE));

    /** Types that are texts, with what makes them of one. */
    private static final Map<String, String> TIMES = Map.of(
            "java.time.Duration", "{java.time/Duration}::parse",
            "java.time.Period", "{java.time/Period}::parse",
            // Its own parser does not take every text that it gives.
            "java.time.Year", "text -> {java.time/Year}.of({java.lang/Integer}.parseInt(text))",
            "java.time.YearMonth", "{dev.touchstone.serialization/Encodings}::yearMonth",
            "java.time.MonthDay", "{java.time/MonthDay}::parse",
            "java.time.OffsetTime", "{java.time/OffsetTime}::parse",
            "java.time.ZonedDateTime", "{java.time/ZonedDateTime}::parse",
            "java.time.ZoneId", "{java.time/ZoneId}::of",
            "java.time.ZoneOffset", "{java.time/ZoneOffset}::of");

    private static final Map<String, String> COLLECTIONS = Map.of(
            "java.util.List", "list",
            "java.util.Collection", "list",
            "java.util.ArrayList", "list",
            "java.util.Set", "set",
            "java.util.HashSet", "set",
            "java.util.LinkedHashSet", "set");

    private static final Set<String> MAPS = Set.of("java.util.Map", "java.util.HashMap", "java.util.LinkedHashMap");

    /** Types that are 16-bit numbers, with the kind and what makes them such numbers and back. */
    private static final FieldType CHARACTER = character(FieldKind.INT16, new Conversion("(short) #v", "(char) #v"));

    private static final FieldType BOXED_CHARACTER =
            character(FieldKind.NULLABLE_INT16, Conversion.methods("int16(#v)", "character(#v)"));
    private static final FieldType CHARACTERS =
            character(FieldKind.ARRAY_OF_INT16, Conversion.methods("int16s(#v)", "characters(#v)"));
    private static final FieldType BOXED_CHARACTERS =
            character(FieldKind.ARRAY_OF_NULLABLE_INT16, Conversion.methods("boxedInt16s(#v)", "boxedCharacters(#v)"));

    private static final String BOXED = "java.lang.Character";
    private static final String OPTIONAL = "java.util.Optional";
    private static final String ENCODINGS = "{dev.touchstone.serialization/Encodings}.";

    private final Elements elements;
    private final Element member;
    private final Set<Encoding> allowed;

    FieldTypes(Elements elements, Element member, Set<Encoding> allowed) {
        this.elements = elements;
        this.member = member;
        this.allowed = allowed;
    }

    /** Returns whether a type is a map, which has two fields. */
    static boolean isMap(TypeMirror type) {
        return MAPS.contains(nameOf(type));
    }

    private static FieldType character(FieldKind kind, Conversion conversion) {
        return FieldType.of(kind, conversion, FieldMeaning.format("char"));
    }

    private FieldType asked(Encoding encoding, TypeMirror type, FieldType answer) throws Problem {
        require(encoding, type);
        return answer;
    }

    private FieldType optional(DeclaredType type) throws Problem {
        require(Encoding.OPTIONAL_AS_NULL, type);
        List<? extends TypeMirror> held = type.getTypeArguments();
        if (held.isEmpty()
                || held.get(0).getKind() != TypeKind.DECLARED
                || isMap(held.get(0))
                || nameOf(held.get(0)).equals(OPTIONAL)) {
            throw unsupported(type, "it must hold a type that is no wildcard, map, array or Optional");
        }
        FieldType value = of(held.get(0));
        Conversion whole = new Conversion(ENCODINGS + "orNull(#v)", ENCODINGS + "optional(#v)");
        return new FieldType(value.kind(), value.conversion().behind(whole), value.nested(), value.meaning());
    }

    /** The field of a type that is no map. */
    FieldType of(TypeMirror type) throws Problem {
        if (nameOf(type).equals(OPTIONAL)) {
            return optional((DeclaredType) type);
        }
        if (type instanceof ArrayType array) {
            return arrayOf(array.getComponentType());
        }
        String toCollection = COLLECTIONS.get(nameOf(type));
        return toCollection == null
                ? scalar(type)
                : collection((DeclaredType) type, 0, "#v", ENCODINGS + toCollection + "(#v)");
    }

    /** The field of a map's keys, or that of its values; its value is an array, which {@link #joined} makes a map. */
    FieldType partOfMap(TypeMirror type, boolean isKeys) throws Problem {
        return collection((DeclaredType) type, isKeys ? 0 : 1, ENCODINGS + (isKeys ? "keys(#v)" : "values(#v)"), "#v");
    }

    /** Returns the conversion that makes a map of the arrays of its two fields, {@code #k} and {@code #v}. */
    static Conversion joined() {
        return Conversion.methods("", "map(#f, #k, #v)");
    }

    private FieldType collection(DeclaredType type, int argument, String items, String from) throws Problem {
        require(Encoding.COLLECTIONS, type);
        if (type.getTypeArguments().isEmpty()) {
            throw new Problem(member, "collection must say of what it is: " + JavaTypes.shown(type));
        }
        TypeMirror item = type.getTypeArguments().get(argument);
        if (item instanceof WildcardType || item.getKind() == TypeKind.TYPEVAR) {
            throw new Problem(member, "collection must say exactly of what it is: " + JavaTypes.shown(type));
        }
        FieldType array = arrayOf(item);
        Conversion whole =
                new Conversion(ENCODINGS + "array(" + items + ", " + JavaTypes.token(item) + "[]::new)", from);
        return new FieldType(array.kind(), array.conversion().behind(whole), array.nested(), array.meaning());
    }

    private FieldType scalar(TypeMirror type) throws Problem {
        String name = nameOf(type);
        FieldKind kind = KINDS.get(name);
        if (kind != null) {
            return FieldType.of(kind);
        }
        if (name.equals("char") || name.equals(BOXED)) {
            return asked(Encoding.CHAR_AS_INT16, type, name.equals("char") ? CHARACTER : BOXED_CHARACTER);
        }
        if (name.equals("java.util.UUID") && allowed.contains(Encoding.UUID_AS_INT64S)) {
            return FieldType.of(
                    FieldKind.ARRAY_OF_INT64,
                    Conversion.methods("int64s(#v)", "uuid(#f, #v)"),
                    FieldMeaning.format("uuid"));
        }
        if (name.equals("java.time.Instant")) {
            require(Encoding.INSTANT_AS_TIMESTAMP, type);
            return FieldType.of(
                    FieldKind.TIMESTAMP_WITH_TIMEZONE,
                    Conversion.methods("utc(#v)", "instant(#v)"),
                    FieldMeaning.PLAIN);
        }
        String parser = parser(type);
        return parser.isEmpty()
                ? nested(type, FieldKind.COMPACT)
                : FieldType.of(FieldKind.STRING, Conversion.text(toText(type, ""), parser), meaning(type));
    }

    private FieldType arrayOf(TypeMirror item) throws Problem {
        String name = nameOf(item);
        FieldKind kind = KINDS.get(name);
        if (kind != null) {
            return FieldType.of(FieldKind.valueOf("ARRAY_OF_" + kind));
        }
        if (name.equals("char") || name.equals(BOXED)) {
            return asked(Encoding.CHAR_AS_INT16, item, name.equals("char") ? CHARACTERS : BOXED_CHARACTERS);
        }
        if (name.equals("java.time.Instant")) {
            require(Encoding.INSTANT_AS_TIMESTAMP, item);
            return FieldType.of(
                    FieldKind.ARRAY_OF_TIMESTAMP_WITH_TIMEZONE,
                    Conversion.methods("utcs(#v)", "instants(#v)"),
                    FieldMeaning.PLAIN);
        }
        if (name.equals("java.util.UUID") && allowed.contains(Encoding.UUID_AS_INT64S)) {
            throw unsupported(item, "there are no arrays of UUIDs as INT64S, use UUID_AS_STRING");
        }
        String parser = parser(item);
        return parser.isEmpty()
                ? nested(item, FieldKind.ARRAY_OF_COMPACT)
                : FieldType.of(
                        FieldKind.ARRAY_OF_STRING,
                        Conversion.texts(toText(item, "s"), JavaTypes.token(item), parser),
                        meaning(item));
    }

    /** The function that makes a value of a text, or empty where a type is none. */
    private String parser(TypeMirror type) throws Problem {
        String name = nameOf(type);
        TypeElement element = JavaTypes.element(type);
        if (element != null && element.getKind() == ElementKind.ENUM) {
            if (!TypeChecks.isCompact(element)) {
                require(Encoding.ENUM_AS_STRING, type);
            }
            return ClassRef.of(element).token() + "::valueOf";
        }
        if (name.equals("java.util.UUID")) {
            require(Encoding.UUID_AS_STRING, type);
            return "{java.util/UUID}::fromString";
        }
        String time = TIMES.getOrDefault(name, "");
        if (!time.isEmpty()) {
            require(Encoding.TIME_AS_STRING, type);
        }
        return time;
    }

    /** Returns the meaning of texts that stand for values of a type. */
    private static FieldMeaning meaning(TypeMirror type) {
        TypeElement element = requireNonNull(JavaTypes.element(type));
        return element.getKind() == ElementKind.ENUM
                ? constants(element)
                : FieldMeaning.format(element.getSimpleName().toString().toLowerCase(Locale.ROOT));
    }

    /** Returns the meaning of the names of an enum's constants. */
    static FieldMeaning constants(TypeElement type) {
        return FieldMeaning.constants(type.getEnclosedElements().stream()
                .filter(each -> each.getKind() == ElementKind.ENUM_CONSTANT)
                .map(each -> each.getSimpleName().toString())
                .toList());
    }

    private static String toText(TypeMirror type, String plural) {
        TypeElement element = JavaTypes.element(type);
        boolean isEnum = element != null && element.getKind() == ElementKind.ENUM;
        return (isEnum ? "name" : "text") + plural;
    }

    private FieldType nested(TypeMirror type, FieldKind kind) throws Problem {
        TypeElement element = JavaTypes.element(type);
        if (element == null || !TypeChecks.isCompact(element)) {
            throw unsupported(type, hint(type, element != null));
        }
        boolean isSealed = TypeChecks.isSealed(element);
        if (isSealed && kind != FieldKind.COMPACT) {
            throw unsupported(
                    type,
                    "Hazelcast refuses arrays whose items differ in type; put each into a @Compact record with one field");
        }
        ClassRef ref = ClassRef.of(element);
        List<String> typeNames = isSealed
                ? new SealedReader(elements)
                        .read(element).subtypes().stream()
                                .map(SealedModel.Subtype::typeName)
                                .toList()
                : List.of(TypeChecks.typeName(element, elements));
        return new FieldType(
                kind,
                Conversion.NONE,
                new FieldType.Nested(ref, ref.generated("Codec"), isSealed),
                FieldMeaning.records(typeNames));
    }

    private static String hint(TypeMirror type, boolean isClass) {
        if (type instanceof ArrayType || COLLECTIONS.containsKey(nameOf(type)) || isMap(type)) {
            return "arrays and collections cannot be nested, put the inner one into a @Compact record with one field";
        }
        if (isCollection(type)) {
            return "a collection is declared as List, Set, Collection or Map, or as ArrayList, HashSet, LinkedHashSet, HashMap"
                    + " or LinkedHashMap";
        }
        if (type instanceof DeclaredType declared
                && !declared.getTypeArguments().isEmpty()) {
            return "a type with type arguments has no codec, declare a @Compact record that has none";
        }
        return isClass ? "mark it @Compact, or make the field transient" : "no kind of field is for it";
    }

    /** Returns whether a type is, or extends or implements, a collection or a map of Java's. */
    private static boolean isCollection(TypeMirror type) {
        TypeElement element = JavaTypes.element(type);
        if (element == null) {
            return false;
        }
        String name = element.getQualifiedName().toString();
        return name.equals("java.util.Collection")
                || name.equals("java.util.Map")
                || isCollection(element.getSuperclass())
                || element.getInterfaces().stream().anyMatch(FieldTypes::isCollection);
    }

    private void require(Encoding encoding, TypeMirror type) throws Problem {
        if (!allowed.contains(encoding)) {
            throw unsupported(type, "ask for it with encode = Encoding." + encoding);
        }
    }

    private Problem unsupported(TypeMirror type, String hint) {
        return new Problem(
                member,
                "type of field is not supported: field=" + member.getSimpleName() + " type=" + JavaTypes.shown(type)
                        + "; " + hint);
    }

    private static String nameOf(TypeMirror type) {
        TypeElement element = JavaTypes.element(type);
        if (element != null) {
            return element.getQualifiedName().toString();
        }
        return type.getKind().isPrimitive() ? JavaTypes.token(type) : "";
    }

    /** The types inside another one, itself included, that the compiler does not know, yet. */
    static boolean isUnknown(TypeMirror type) {
        if (type instanceof ArrayType array) {
            return isUnknown(array.getComponentType());
        }
        if (type.getKind() == TypeKind.ERROR) {
            return true;
        }
        List<? extends TypeMirror> arguments =
                type instanceof DeclaredType declared ? declared.getTypeArguments() : List.of();
        return arguments.stream().anyMatch(FieldTypes::isUnknown);
    }
}
