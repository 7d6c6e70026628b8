package dev.touchstone.benchmarks.mutants;

import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A call of a broken subject.
 *
 * @param real the subject that is broken
 * @param method what is called
 * @param args arguments of the call
 * @param memory of the broken subject, from call to call
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
record Call(Object real, Method method, @Nullable Object[] args, Map<String, Object> memory) {
    /** Returns the name of the method. */
    String name() {
        return method.getName();
    }

    /** Returns an argument of the call, which is not null. */
    <T> T argument(int index, Class<T> type) {
        return type.cast(Objects.requireNonNull(args[index]));
    }

    /** Calls the real subject with the same arguments. */
    @Nullable
    Object proceed() throws Throwable {
        return proceed(args);
    }

    /** Calls the real subject with other arguments. */
    @Nullable
    Object proceed(@Nullable Object... others) throws Throwable {
        method.setAccessible(true);
        try {
            return method.invoke(real, others);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** Returns the first answer that the real subject has given to this method, again and again. */
    Object first() throws Throwable {
        Object known = memory.get(name());
        if (known == null) {
            known = Objects.requireNonNull(proceed());
            memory.put(name(), known);
        }
        return known;
    }

    /** Counts calls of this method, from 1. */
    int number() {
        return (Integer) Objects.requireNonNull(memory.merge(name() + "#", 1, (a, b) -> (Integer) a + (Integer) b));
    }

    /** Returns how often {@link #number} has counted a method. */
    long counted(String other) {
        return (Integer) memory.getOrDefault(other + "#", 0);
    }

    /** Returns a private field of an object. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    static <T> T get(Object of, String name) throws ReflectiveOperationException {
        return (T) field(of, name).get(of);
    }

    /** Sets a private field of an object, a final one too. */
    static void set(Object of, String name, Object value) throws ReflectiveOperationException {
        field(of, name).set(of, value);
    }

    private static Field field(Object of, String name) throws ReflectiveOperationException {
        Field field = of.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }
}
