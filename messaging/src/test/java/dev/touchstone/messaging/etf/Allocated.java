package dev.touchstone.messaging.etf;

import java.lang.reflect.Method;

/** What a thread has allocated, as the JVM counts it. By reflection: the module under test does not read the one that tells. */
public final class Allocated {
    private static final Object BEAN;
    private static final Method BYTES;

    static {
        try {
            BEAN = Class.forName("java.lang.management.ManagementFactory")
                    .getMethod("getThreadMXBean")
                    .invoke(null);
            BYTES = Class.forName("com.sun.management.ThreadMXBean").getMethod("getCurrentThreadAllocatedBytes");
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private Allocated() {}

    /** Returns the bytes that this thread allocated while it ran. */
    public static long by(Runnable action) {
        long before = soFar();
        action.run();
        return soFar() - before;
    }

    private static long soFar() {
        try {
            return (long) BYTES.invoke(BEAN);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("no count of allocated bytes", e);
        }
    }
}
