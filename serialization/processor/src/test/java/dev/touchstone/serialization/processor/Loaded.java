package dev.touchstone.serialization.processor;

import com.hazelcast.nio.serialization.compact.CompactSerializer;
import dev.touchstone.serialization.CompactCodec;
import dev.touchstone.serialization.CompactSerialization;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Compiled classes, to be used by their names. */
final class Loaded extends ClassLoader {
    private final Map<String, byte[]> outputs;

    Loaded(Map<String, byte[]> outputs) {
        super(Loaded.class.getClassLoader());
        this.outputs = outputs;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte @Nullable [] bytes = outputs.get(name.replace('.', '/') + ".class");
        if (bytes == null) {
            throw new ClassNotFoundException(name);
        }
        return defineClass(name, bytes, 0, bytes.length);
    }

    Class<?> type(String name) {
        try {
            return loadClass(name);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    /** The generated codec of a type. */
    @SuppressWarnings("unchecked")
    CompactCodec<Object> codec(String typeName) {
        return (CompactCodec<Object>) constant(typeName + "Codec", "INSTANCE");
    }

    /** The generated serializer of a type. */
    CompactSerializer<?> serializer(String typeName) {
        return (CompactSerializer<?>) create(typeName + "CompactSerializer");
    }

    CompactSerialization serialization(String... typeNames) {
        CompactSerialization.Builder builder = CompactSerialization.builder();
        for (String typeName : typeNames) {
            builder.codec(codec(typeName));
        }
        return builder.build();
    }

    /** The value of a static field. */
    Object constant(String typeName, String field) {
        try {
            return type(typeName).getField(field).get(null);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    /** What a static method without parameters gives. */
    Object call(String typeName, String method) {
        try {
            return type(typeName).getMethod(method).invoke(null);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    /** What a method gives. */
    static @Nullable Object on(Object target, String method, Object... arguments) {
        Class<?>[] types = new Class<?>[arguments.length];
        for (int i = 0; i < types.length; i++) {
            types[i] = arguments[i].getClass();
        }
        try {
            return target.getClass().getMethod(method, types).invoke(target, arguments);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    /** A new object by the only constructor, or by that with as many parameters. */
    Object create(String typeName, @Nullable Object... arguments) {
        try {
            for (var constructor : type(typeName).getConstructors()) {
                if (constructor.getParameterCount() == arguments.length) {
                    return constructor.newInstance(arguments);
                }
            }
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
        throw new AssertionError("no such constructor: " + typeName);
    }
}
