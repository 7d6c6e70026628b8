package dev.touchstone.messaging.databind;

import dev.touchstone.messaging.etf.TermReader;
import dev.touchstone.messaging.etf.TermWriter;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A type that holds itself: stands for the type's codec while that is being composed, and bounds how deep values nest, so that neither
 * hostile bytes nor objects that hold themselves exhaust the stack.
 */
final class Recursion {
    /** Deepest nesting of values of recursive types, counted over all such types. */
    static final int MAX_NESTING = 200;

    private static final ThreadLocal<int[]> NESTING = ThreadLocal.withInitial(() -> new int[1]);

    private final Class<?> type;
    private volatile @Nullable MethodHandle read;
    private volatile @Nullable MethodHandle write;

    Recursion(Class<?> type) {
        this.type = type;
    }

    /** Returns a codec that works once {@link #complete} was called. */
    TermCodec codec() {
        return new TermCodec(
                        Handles.bound(this, "read", MethodType.methodType(Object.class, TermReader.class)),
                        Handles.bound(this, "write", MethodType.methodType(void.class, TermWriter.class, Object.class)))
                .as(type);
    }

    void complete(TermCodec codec) {
        TermCodec boxed = codec.as(Object.class);
        read = boxed.read();
        write = boxed.write();
    }

    Object read(TermReader reader) throws Throwable {
        int[] nesting = enter();
        try {
            return Objects.requireNonNull(read).invokeExact(reader);
        } finally {
            nesting[0]--;
        }
    }

    void write(TermWriter writer, Object value) throws Throwable {
        int[] nesting = enter();
        try {
            Objects.requireNonNull(write).invokeExact(writer, value);
        } finally {
            nesting[0]--;
        }
    }

    private int[] enter() {
        int[] nesting = NESTING.get();
        if (nesting[0] >= MAX_NESTING) {
            throw new DatabindException(type.getSimpleName() + ": expected nesting<=" + MAX_NESTING + " got more");
        }
        nesting[0]++;
        return nesting;
    }
}
