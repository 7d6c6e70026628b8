package dev.touchstone.messaging.databind;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.AnnotatedArrayType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.TypeVariable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A search for the codec of a type of Java, and of the types in it. Confined to one thread. */
final class CodecFinder {
    /** Type arguments may grow with each recursion, as in {@code record Grows<T>(Grows<List<T>> next)}: such types have no end. */
    private static final int MAX_KEY_LENGTH = 5_000;

    private static final int MAX_OPEN = 100;

    private final MethodHandles.Lookup lookup;
    private final UnknownKeys unknown;
    private final Map<String, Recursion> open = new HashMap<>();
    private final Map<String, TermCodec> finished = new HashMap<>();

    /** Creates a finder whose lookup sees the records and classes, and their constructors. */
    CodecFinder(MethodHandles.Lookup lookup, UnknownKeys unknown) {
        this.lookup = lookup;
        this.unknown = unknown;
    }

    UnknownKeys unknown() {
        return unknown;
    }

    /** Returns the codec of a record, a sealed type, an enum or a class with a constructor without arguments. */
    TermCodec root(Class<?> type) {
        if (type.isEnum()) {
            return EnumAtoms.codec(type);
        }
        if (!isDeclared(type)) {
            throw new IllegalArgumentException(
                    "type=" + type.getName()
                            + " is not supported: expected=a record, a sealed type, an enum, or a class with a constructor without arguments");
        }
        return declared(type, Map.of());
    }

    private static boolean isDeclared(Class<?> type) {
        return type.isRecord() || type.isSealed() || PlainClasses.isPlain(type);
    }

    /** Returns the codec of a type with parts; a type that is part of itself is read and written through {@link Recursion}. */
    TermCodec declared(Class<?> type, Map<TypeVariable<?>, BoundType> variables) {
        if (type.isEnum()) {
            return EnumAtoms.codec(type);
        }
        String key = BoundType.key(type, variables);
        TermCodec known = finished.get(key);
        if (known != null) {
            return known;
        }
        Recursion outer = open.get(key);
        if (outer != null) {
            return outer.codec();
        }
        if (open.size() >= MAX_OPEN || key.length() > MAX_KEY_LENGTH) {
            throw new IllegalArgumentException("type=" + type.getName()
                    + " has no end: its type arguments grow with each recursion, or types nest deeper than "
                    + MAX_OPEN);
        }
        Recursion recursion = new Recursion(type);
        open.put(key, recursion);
        try {
            TermCodec codec = compose(type, variables);
            recursion.complete(codec);
            finished.put(key, codec);
            return codec;
        } finally {
            open.remove(key);
        }
    }

    private TermCodec compose(Class<?> type, Map<TypeVariable<?>, BoundType> variables) {
        if (type.isRecord()) {
            return RecordHandles.codec(type, variables, lookup, this);
        }
        return type.isSealed()
                ? SealedTypes.codec(type, variables, this)
                : PlainClasses.codec(type, variables, this, lookup);
    }

    /** Returns the codec of a component's type; {@code where} names the component in messages. */
    TermCodec find(BoundType declared, String where) {
        BoundType type = declared.resolved();
        TermCodec codec =
                type.type() instanceof AnnotatedArrayType array ? array(array, type, where) : single(type, where);
        if (codec == null) {
            throw new IllegalArgumentException("component=" + where + " has unsupported type="
                    + type.type().getType()
                    + "; supported are int, long, double, boolean, BigInteger, String, byte[], terms, records, sealed types, enums,"
                    + " classes with a constructor without arguments, arrays, List, Set, Map and Optional");
        }
        return codec;
    }

    private TermCodec array(AnnotatedArrayType array, BoundType type, String where) {
        if (type.type().getType() == byte[].class) {
            return Objects.requireNonNull(Scalars.find(byte[].class));
        }
        BoundType element = new BoundType(array.getAnnotatedGenericComponentType(), type.variables()).resolved();
        Class<?> raw = element.raw();
        if (raw == null) {
            throw new IllegalArgumentException(
                    "component=" + where + " is an array of unsupported type=" + element.type());
        }
        return Containers.array(raw, find(element, where));
    }

    private @Nullable TermCodec single(BoundType type, String where) {
        Class<?> raw = type.raw();
        if (raw == null) {
            return null;
        }
        List<BoundType> arguments = type.arguments();
        if (raw == Map.class && arguments.size() == 2) {
            BoundType key = arguments.get(0);
            return Containers.map(key.raw(), find(key, where), find(arguments.get(1), where));
        }
        if (arguments.size() == 1) {
            BoundType argument = arguments.get(0);
            if (raw == List.class) {
                return Containers.list(find(argument, where));
            }
            if (raw == Set.class) {
                return Containers.set(find(argument, where));
            }
            if (raw == Optional.class) {
                return argument.raw() == Optional.class ? null : Containers.optional(find(argument, where));
            }
        }
        return plain(type.type(), raw, type.inner(raw), where);
    }

    private @Nullable TermCodec plain(
            AnnotatedType annotated, Class<?> type, Map<TypeVariable<?>, BoundType> variables, String where) {
        boolean asAtom = annotated.isAnnotationPresent(ErlangAtom.class);
        boolean asList = annotated.isAnnotationPresent(ErlangString.class);
        if (asAtom || asList) {
            if (type != String.class || asAtom == asList) {
                throw new IllegalArgumentException(
                        "component=" + where + ": @ErlangAtom or @ErlangString is for a String, and only one of them");
            }
            return asAtom ? Scalars.ATOM_STRING : Scalars.LIST_STRING;
        }
        if (type.isEnum()) {
            return EnumAtoms.codec(type);
        }
        TermCodec scalar = Scalars.find(type);
        return scalar == null && isDeclared(type) ? declared(type, variables) : scalar;
    }
}
