package dev.touchstone.messaging.dist;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/** A test for virtual threads that also runs on a JDK without them. */
final class VirtualThreads {
    private static final @Nullable MethodHandle IS_VIRTUAL = find();

    private VirtualThreads() {}

    private static @Nullable MethodHandle find() {
        try {
            return MethodHandles.publicLookup()
                    .findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
        } catch (ReflectiveOperationException e) {
            return null; // a JDK before 21
        }
    }

    /** Returns whether a thread is virtual. */
    static boolean isVirtual(Thread thread) {
        MethodHandle test = IS_VIRTUAL;
        if (test == null) {
            return false;
        }
        try {
            return (boolean) test.invokeExact(thread);
        } catch (Throwable e) {
            throw new AssertionError("Thread.isVirtual failed: thread=" + thread, e);
        }
    }
}
