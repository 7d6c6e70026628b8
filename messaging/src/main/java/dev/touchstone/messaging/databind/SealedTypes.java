package dev.touchstone.messaging.databind;

import dev.touchstone.messaging.etf.TermReader;
import dev.touchstone.messaging.etf.TermWriter;
import dev.touchstone.messaging.term.Atom;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Modifier;
import java.lang.reflect.TypeVariable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The permitted classes of a sealed type. A record with {@code @ErlangRecord(tag)} is its own tuple, told by its tag; any other class is
 * {@code {Name, Value}} with its simple name.
 */
final class SealedTypes {
    private record Variant(Atom tag, boolean isWrapped, MethodHandle read, MethodHandle write) {}

    private final Class<?> type;
    private final Map<Atom, Variant> byTag = new LinkedHashMap<>();
    private final Map<Class<?>, Variant> byClass = new HashMap<>();

    private SealedTypes(Class<?> type) {
        this.type = type;
    }

    /** Returns the codec of a sealed type whose type variables stand for these types. */
    static TermCodec codec(Class<?> type, Map<TypeVariable<?>, BoundType> variables, CodecFinder finder) {
        SealedTypes sealed = new SealedTypes(type);
        sealed.add(type, variables, finder);
        return new TermCodec(
                        Handles.bound(sealed, "read", MethodType.methodType(Object.class, TermReader.class)),
                        Handles.bound(
                                sealed, "write", MethodType.methodType(void.class, TermWriter.class, Object.class)))
                .as(type);
    }

    private void add(Class<?> parent, Map<TypeVariable<?>, BoundType> variables, CodecFinder finder) {
        boolean isAbstract = parent.isInterface() || Modifier.isAbstract(parent.getModifiers());
        if (parent.isEnum() || (!isAbstract && !parent.isSealed())) {
            addVariant(parent, variables, finder);
        } else if (isAbstract && parent.isSealed()) {
            for (Class<?> child : parent.getPermittedSubclasses()) {
                add(child, childVariables(child, parent, variables), finder);
            }
        } else {
            throw new IllegalArgumentException(
                    "type=" + parent.getName() + " of sealed type=" + type.getName()
                            + " is not supported: expected=a record, an enum, a class that is not sealed, or an abstract sealed type");
        }
    }

    private void addVariant(Class<?> leaf, Map<TypeVariable<?>, BoundType> variables, CodecFinder finder) {
        if (byClass.containsKey(leaf)) {
            return; // permitted by two sealed types below this one
        }
        ErlangRecord annotation = leaf.getAnnotation(ErlangRecord.class);
        boolean isWrapped = annotation == null || annotation.tag().isEmpty();
        TermCodec codec = finder.declared(leaf, variables).as(Object.class);
        Atom tag = Atom.of(isWrapped ? leaf.getSimpleName() : annotation.tag());
        Variant variant = new Variant(tag, isWrapped, codec.read(), codec.write());
        if (byTag.putIfAbsent(tag, variant) != null) {
            throw new IllegalArgumentException("two types of sealed type=" + type.getName() + " have tag=" + tag);
        }
        byClass.put(leaf, variant);
    }

    /** Returns what the type variables of a class stand for, as far as its supertype's arguments tell. */
    private static Map<TypeVariable<?>, BoundType> childVariables(
            Class<?> child, Class<?> parent, Map<TypeVariable<?>, BoundType> variables) {
        Map<TypeVariable<?>, BoundType> known = new HashMap<>();
        List<AnnotatedType> supertypes = new ArrayList<>(Arrays.asList(child.getAnnotatedInterfaces()));
        if (child.getAnnotatedSuperclass() != null) {
            supertypes.add(child.getAnnotatedSuperclass());
        }
        for (AnnotatedType supertype : supertypes) {
            if (supertype instanceof AnnotatedParameterizedType generic
                    && parent.equals(new BoundType(generic, Map.of()).raw())) {
                AnnotatedType[] arguments = generic.getAnnotatedActualTypeArguments();
                for (int i = 0; i < arguments.length; i++) {
                    BoundType argument = variables.get(parent.getTypeParameters()[i]);
                    if (arguments[i].getType() instanceof TypeVariable<?> own && argument != null) {
                        known.put(own, argument);
                    }
                }
            }
        }
        return known;
    }

    Object read(TermReader reader) throws Throwable {
        int start = reader.position();
        int arity = reader.readTupleHeader();
        if (arity == 0) {
            throw new DatabindException(type.getSimpleName() + ": expected tag=" + tags() + " got=an empty tuple");
        }
        Atom tag = reader.readAtom();
        Variant variant = byTag.get(tag);
        if (variant == null) {
            throw new DatabindException(type.getSimpleName() + ": expected tag=" + tags() + " got=" + tag);
        }
        if (!variant.isWrapped) {
            reader.rewind(start);
        } else if (arity != 2) {
            throw new DatabindException(type.getSimpleName() + ": expected={" + tag + ", Value} got arity=" + arity);
        }
        return variant.read.invokeExact(reader);
    }

    private String tags() {
        return String.join("|", byTag.keySet().stream().map(Atom::toString).toList());
    }

    void write(TermWriter writer, Object value) throws Throwable {
        Variant variant = find(value.getClass());
        if (variant == null) {
            throw new DatabindException(type.getSimpleName() + ": expected=" + tags() + " got type="
                    + value.getClass().getName());
        }
        if (variant.isWrapped) {
            writer.writeTupleHeader(2);
            writer.writeAtom(variant.tag);
        }
        variant.write.invokeExact(writer, value);
    }

    /** Constants of an enum may have classes of their own. */
    private @Nullable Variant find(Class<?> given) {
        Variant exact = byClass.get(given);
        return exact == null
                        && given.getSuperclass() != null
                        && given.getSuperclass().isEnum()
                ? byClass.get(given.getSuperclass())
                : exact;
    }
}
