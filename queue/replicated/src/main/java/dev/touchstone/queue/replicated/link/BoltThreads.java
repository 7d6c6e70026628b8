package dev.touchstone.queue.replicated.link;

import java.lang.reflect.Field;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Ends a thread of each client and server of bolt that its shutdown leaves behind: of the executor that tells connection events. There is no way to it
 * but through private fields; where they are not what they were in bolt 1.6.12 the idle daemon thread stays.
 */
final class BoltThreads {
    private static final System.Logger LOG = System.getLogger(BoltThreads.class.getName());

    private static final int IDLE_MILLIS = 100;

    private BoltThreads() {}

    /** Lets the thread of a client or server that was shut down end as soon as it has nothing to do. */
    static void end(Object owner) {
        try {
            Object handler = value(owner, "connectionEventHandler");
            Object events = value(handler, "eventExecutor");
            ThreadPoolExecutor executor = (ThreadPoolExecutor) value(events, "executor");
            executor.setKeepAliveTime(IDLE_MILLIS, TimeUnit.MILLISECONDS);
            executor.allowCoreThreadTimeOut(
                    true); // no shutdown: events of connections that are being closed still come
        } catch (ReflectiveOperationException | RuntimeException e) {
            LOG.log(System.Logger.Level.DEBUG, "a thread of bolt stays until the process ends", e);
        }
    }

    private static Object value(Object object, String name) throws ReflectiveOperationException {
        for (Class<?> type = object.getClass(); type != null; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (field.getName().equals(name)) {
                    field.setAccessible(true);
                    Object value = field.get(object);
                    if (value != null) {
                        return value;
                    }
                }
            }
        }
        throw new NoSuchFieldException(object.getClass().getName() + "." + name);
    }
}
