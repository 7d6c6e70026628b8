package dev.touchstone.messaging.databind;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.ParameterizedType;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds how a type of Java is read and written. Confined to the thread that generates. */
final class CodecFinder {
    private final MethodHandles.Lookup lookup;
    private final Deque<Class<?>> enclosing = new ArrayDeque<>();

    /** @param lookup sees the records and their constructors */
    CodecFinder(MethodHandles.Lookup lookup) {
        this.lookup = lookup;
    }

    /** The codec of a record. Its nesting is that of the types: bytes can't make it deeper. */
    TermCodec record(Class<?> type) {
        if (enclosing.contains(type)) {
            throw new IllegalArgumentException(
                    "record=" + type.getName() + " holds itself; a Term as the component ends the recursion");
        }
        enclosing.push(type);
        try {
            return RecordHandles.codec(type, lookup, this);
        } finally {
            enclosing.pop();
        }
    }

    /** @param where the component, for messages */
    TermCodec find(AnnotatedType type, String where) {
        TermCodec codec =
                type instanceof AnnotatedParameterizedType generic ? generic(generic, where) : plain(type, where);
        if (codec == null) {
            throw new IllegalArgumentException(
                    "component=" + where + " has unsupported type=" + type.getType()
                            + "; supported are int, long, double, boolean, String, byte[], terms, records, enums, List and Optional");
        }
        return codec;
    }

    private @Nullable TermCodec generic(AnnotatedParameterizedType type, String where) {
        Class<?> raw = (Class<?>) ((ParameterizedType) type.getType()).getRawType();
        AnnotatedType argument = type.getAnnotatedActualTypeArguments()[0];
        if (raw == List.class) {
            return Containers.list(find(argument, where));
        }
        if (raw == Optional.class && !isOptional(argument)) {
            return Containers.optional(find(argument, where));
        }
        return null;
    }

    private static boolean isOptional(AnnotatedType type) {
        return type.getType() instanceof ParameterizedType inner && inner.getRawType() == Optional.class;
    }

    private @Nullable TermCodec plain(AnnotatedType annotated, String where) {
        if (!(annotated.getType() instanceof Class<?> type)) {
            return null;
        }
        boolean asAtom = annotated.isAnnotationPresent(ErlangAtom.class);
        boolean asList = annotated.isAnnotationPresent(ErlangString.class);
        if (asAtom || asList) {
            if (type != String.class || asAtom == asList) {
                throw new IllegalArgumentException(
                        "component=" + where + ": @ErlangAtom or @ErlangString is for a String, and only one of them");
            }
            return asAtom ? Scalars.ATOM_STRING : Scalars.LIST_STRING;
        }
        if (type.isRecord()) {
            return record(type);
        }
        return type.isEnum() ? EnumAtoms.codec(type) : Scalars.find(type);
    }
}
