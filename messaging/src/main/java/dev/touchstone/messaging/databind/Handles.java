package dev.touchstone.messaging.databind;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The handles of this package's static methods, looked up by their name, which is not overloaded. */
final class Handles {
    private static final MethodHandles.Lookup HERE = MethodHandles.lookup();

    private Handles() {}

    static MethodHandle of(Class<?> owner, String name) {
        return Arrays.stream(owner.getDeclaredMethods())
                .filter(method -> method.getName().equals(name))
                .findFirst()
                .map(Handles::unreflected)
                .orElseThrow(() -> new IllegalStateException("no method=" + owner.getSimpleName() + "." + name));
    }

    /** Returns the handle of a static method whose first arguments are given. */
    static MethodHandle with(Class<?> owner, String name, @Nullable Object... first) {
        return MethodHandles.insertArguments(of(owner, name), 0, first);
    }

    /** Returns the handle of a virtual method of an object. */
    static MethodHandle bound(Object receiver, String name, MethodType type) {
        try {
            return HERE.bind(receiver, name, type);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("no method=" + name + " type=" + type, e);
        }
    }

    private static MethodHandle unreflected(Method method) {
        try {
            return HERE.unreflect(method);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("method is not accessible: method=" + method, e);
        }
    }
}
