package dev.touchstone.queue;

import static java.util.Objects.requireNonNull;

import java.util.List;

/** What the JVM knows of this process. By reflection, because the queue's module does not read the ones that tell. */
final class Measured {
    private static final String UNIX = "com.sun.management.UnixOperatingSystemMXBean";

    private Measured() {}

    static long cpuNanos(Thread thread) throws ReflectiveOperationException {
        return (long) requireNonNull(Class.forName("java.lang.management.ThreadMXBean")
                .getMethod("getThreadCpuTime", long.class)
                .invoke(bean("getThreadMXBean"), thread.getId()));
    }

    static boolean countsOpenFiles() throws ReflectiveOperationException {
        return Class.forName(UNIX).isInstance(bean("getOperatingSystemMXBean"));
    }

    static long openFiles() throws ReflectiveOperationException {
        return (long) requireNonNull(
                Class.forName(UNIX).getMethod("getOpenFileDescriptorCount").invoke(bean("getOperatingSystemMXBean")));
    }

    /** Returns the bytes of all direct buffers. */
    static long directBytes() throws ReflectiveOperationException {
        Class<?> poolBean = Class.forName("java.lang.management.BufferPoolMXBean");
        List<?> pools = (List<?>) requireNonNull(Class.forName("java.lang.management.ManagementFactory")
                .getMethod("getPlatformMXBeans", Class.class)
                .invoke(null, poolBean));
        for (Object pool : pools) {
            if ("direct".equals(poolBean.getMethod("getName").invoke(pool))) {
                return (long) requireNonNull(poolBean.getMethod("getMemoryUsed").invoke(pool));
            }
        }
        throw new AssertionError("no pool of direct buffers: " + pools);
    }

    private static Object bean(String getter) throws ReflectiveOperationException {
        return requireNonNull(Class.forName("java.lang.management.ManagementFactory")
                .getMethod(getter)
                .invoke(null));
    }
}
