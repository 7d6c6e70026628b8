package dev.touchstone.messaging.databind;

import dev.touchstone.messaging.etf.TermReader;
import dev.touchstone.messaging.etf.TermWriter;
import dev.touchstone.messaging.term.Atom;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.TypeVariable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The codec of a class that has a constructor without arguments: a map of its fields, with a field that is null left out. */
final class PlainClasses {
    /** A field; its getter and setter are the methods of that name where the class has them, and else the field's own. */
    private record Property(
            String where, Class<?> type, Atom key, MethodHandle get, MethodHandle set, TermCodec codec) {}

    private static final MethodHandle NAMED = Handles.of(RecordHandles.class, "named");

    private final Class<?> type;
    private final MethodHandle constructor; // ()Object
    private final MethodHandle[] getters; // (Object)Object
    private final MethodHandle[] setters; // (Object,Object)void
    private final MethodHandle[] writes; // (TermWriter,Object)void
    private final Atom[] keys;
    private final MapFields fields;

    private PlainClasses(Class<?> type, MethodHandle constructor, List<Property> properties, UnknownKeys unknown) {
        this.type = type;
        this.constructor = constructor.asType(MethodType.methodType(Object.class));
        MethodType getter = MethodType.methodType(Object.class, Object.class);
        MethodType setter = MethodType.methodType(void.class, Object.class, Object.class);
        this.getters = handles(
                properties.stream().map(property -> property.get.asType(getter)).toList());
        this.setters = handles(
                properties.stream().map(property -> property.set.asType(setter)).toList());
        this.writes = handles(properties.stream()
                .map(property -> property.codec.as(Object.class).write())
                .toList());
        this.keys = properties.stream().map(Property::key).toArray(Atom[]::new);
        this.fields = new MapFields(
                type.getSimpleName(),
                properties.stream().map(Property::where).toArray(String[]::new),
                properties.stream().map(Property::type).toArray(Class<?>[]::new),
                keys,
                handles(properties.stream().map(PlainClasses::reading).toList()),
                unknown);
    }

    private static MethodHandle[] handles(List<MethodHandle> handles) {
        return handles.toArray(new MethodHandle[0]);
    }

    /** Returns {@code (TermReader)Object}, whose exceptions name the field. */
    private static MethodHandle reading(Property property) {
        MethodHandle read = property.codec.as(Object.class).read();
        MethodHandle thrower = MethodHandles.filterArguments(
                MethodHandles.throwException(Object.class, RuntimeException.class),
                0,
                MethodHandles.insertArguments(NAMED, 0, property.where));
        return MethodHandles.catchException(read, RuntimeException.class, thrower);
    }

    /** Returns whether a class is read and written by its fields. */
    static boolean isPlain(Class<?> type) {
        if (type.isInterface()
                || type.isArray()
                || type.isPrimitive()
                || Modifier.isAbstract(type.getModifiers())
                || type.getName().startsWith("java.")) {
            return false;
        }
        for (var declared : type.getDeclaredConstructors()) {
            if (declared.getParameterCount() == 0) {
                return true;
            }
        }
        return false;
    }

    static TermCodec codec(
            Class<?> type, Map<TypeVariable<?>, BoundType> variables, CodecFinder finder, MethodHandles.Lookup lookup) {
        if (type.isAnnotationPresent(ErlangRecord.class)) {
            throw new IllegalArgumentException("class=" + type.getName()
                    + " is no record: @ErlangRecord needs the order of a record's components");
        }
        try {
            List<Property> properties = new ArrayList<>();
            addProperties(type, variables, finder, lookup, properties);
            MethodHandle constructor = lookup.findConstructor(type, MethodType.methodType(void.class));
            PlainClasses plain = new PlainClasses(type, constructor, properties, finder.unknown());
            return new TermCodec(
                            Handles.bound(plain, "read", MethodType.methodType(Object.class, TermReader.class)),
                            Handles.bound(
                                    plain, "write", MethodType.methodType(void.class, TermWriter.class, Object.class)))
                    .as(type);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException("class=" + type.getName() + " is not open to lookup=" + lookup, e);
        }
    }

    /** Adds the fields of the superclasses first. */
    private static void addProperties(
            Class<?> owner,
            Map<TypeVariable<?>, BoundType> variables,
            CodecFinder finder,
            MethodHandles.Lookup lookup,
            List<Property> properties)
            throws IllegalAccessException {
        Class<?> above = owner.getSuperclass();
        if (above != null && above != Object.class) {
            addProperties(above, superclassVariables(owner, variables), finder, lookup, properties);
        }
        for (Field field : owner.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers())
                    || Modifier.isTransient(field.getModifiers())
                    || field.isSynthetic()) {
                continue;
            }
            String where = owner.getSimpleName() + "." + field.getName();
            ErlangName given = field.getAnnotation(ErlangName.class);
            Atom key = Atom.of(given == null ? field.getName() : given.value());
            if (properties.stream().anyMatch(other -> other.key.equals(key))) {
                throw new IllegalArgumentException("field=" + where + ": another field has key=" + key);
            }
            TermCodec codec = finder.find(new BoundType(field.getAnnotatedType(), variables), where)
                    .as(field.getType());
            properties.add(new Property(
                    where, field.getType(), key, getter(field, lookup), setter(field, where, lookup), codec));
        }
    }

    private static Map<TypeVariable<?>, BoundType> superclassVariables(
            Class<?> owner, Map<TypeVariable<?>, BoundType> variables) {
        return new BoundType(owner.getAnnotatedSuperclass(), variables).inner(owner.getSuperclass());
    }

    private static MethodHandle getter(Field field, MethodHandles.Lookup lookup) throws IllegalAccessException {
        MethodType type = MethodType.methodType(field.getType());
        MethodHandle found = method(field, (field.getType() == boolean.class ? "is" : "get"), type, lookup);
        return found == null ? lookup.unreflectGetter(field) : found;
    }

    private static MethodHandle setter(Field field, String where, MethodHandles.Lookup lookup)
            throws IllegalAccessException {
        MethodHandle found = method(field, "set", MethodType.methodType(void.class, field.getType()), lookup);
        if (found == null && Modifier.isFinal(field.getModifiers())) {
            throw new IllegalArgumentException(
                    "field=" + where + " is final: expected=a setter, a field that can be set, or a record");
        }
        return found == null ? lookup.unreflectSetter(field) : found;
    }

    private static @Nullable MethodHandle method(
            Field field, String prefix, MethodType type, MethodHandles.Lookup lookup) {
        String name = field.getName();
        String method = prefix + name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
        try {
            return lookup.findVirtual(field.getDeclaringClass(), method, type);
        } catch (NoSuchMethodException | IllegalAccessException e) {
            return null;
        }
    }

    Object read(TermReader reader) throws Throwable {
        @Nullable Object[] values = fields.readPresent(reader);
        try {
            Object made = constructor.invokeExact();
            for (int i = 0; i < values.length; i++) {
                Object value = values[i];
                if (value != null) {
                    setters[i].invokeExact(made, value);
                }
            }
            return made;
        } catch (RuntimeException e) {
            throw RecordHandles.refused(type.getSimpleName(), e);
        }
    }

    void write(TermWriter writer, Object value) throws Throwable {
        if (value.getClass() != type) { // its further fields would be lost
            throw new DatabindException("expected type=" + type.getName() + " got="
                    + value.getClass().getName());
        }
        @Nullable Object[] values = new @Nullable Object[keys.length];
        int present = 0;
        for (int i = 0; i < values.length; i++) {
            values[i] = (Object) getters[i].invokeExact(value);
            present += values[i] == null ? 0 : 1;
        }
        writer.writeMapHeader(present);
        for (int i = 0; i < values.length; i++) {
            Object field = values[i];
            if (field != null) {
                writer.writeAtom(keys[i]);
                writes[i].invokeExact(writer, field);
            }
        }
    }
}
