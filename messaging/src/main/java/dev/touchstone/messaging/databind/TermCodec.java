package dev.touchstone.messaging.databind;

import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * The handles that read and write a type X.
 *
 * @param read {@code (TermReader)X}
 * @param write {@code (TermWriter, X)void}
 * @param fromAtom {@code (Atom)X} where X may stand as an atom: an optional may find such an atom instead of {@code undefined}
 * @param fromByte {@code (int)X} where X may stand as an element of a STRING_EXT, the form that lists of bytes have
 */
record TermCodec(
        MethodHandle read,
        MethodHandle write,
        @Nullable MethodHandle fromAtom,
        @Nullable MethodHandle fromByte) {

    TermCodec(MethodHandle read, MethodHandle write) {
        this(read, write, null, null);
    }

    /** Returns the same handles for another type of Java: boxed, or cast to what the value is known to be. */
    TermCodec as(Class<?> type) {
        return new TermCodec(
                read.asType(read.type().changeReturnType(type)),
                write.asType(write.type().changeParameterType(1, type)),
                returning(fromAtom, type),
                returning(fromByte, type));
    }

    private static @Nullable MethodHandle returning(@Nullable MethodHandle handle, Class<?> type) {
        return handle == null ? null : handle.asType(handle.type().changeReturnType(type));
    }
}
