package dev.touchstone.serialization.hazelcast;

import com.hazelcast.config.SerializationConfig;
import com.hazelcast.nio.serialization.compact.CompactSerializer;
import dev.touchstone.serialization.schema.TypeDescriptor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Registers the serializers that the annotation processor generates, so that an {@code IMap} of a member or a client writes and reads annotated
 * types as it did, but without reflection. The records are those of a {@link CompactMap}: both may be used on one map. Thread-safe.
 *
 * <p>Compared with a {@link CompactMap}, Hazelcast's own serialization does the work: each field is looked up by its name, objects are made for
 * each read, damaged bytes end in whatever Hazelcast throws, and there are no limits and no views. {@link FieldPredicate} works in both.
 *
 * <p>Serializers have the visibility of their types. In a named module that does not export a public type's package, or whose type is not
 * public, the package must be open to this module.
 */
public final class CompactSerializers {
    private static final String FOLDER = "META-INF/compact/";
    private static final String SERIALIZER = "CompactSerializer";

    private CompactSerializers() {}

    /**
     * Registers the serializers of all annotated types that the thread's context class loader finds, or that of this class if there is none.
     *
     * @param config of a client or a member, before it is started
     * @return the names of the types, sorted
     * @throws HazelcastBridgeException if a serializer cannot be made
     * @throws com.hazelcast.config.InvalidConfigurationException if one of the types has a serializer already
     */
    public static List<String> register(SerializationConfig config) {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        return register(config, context == null ? CompactSerializers.class.getClassLoader() : context);
    }

    /**
     * Registers the serializers of all annotated types that a class loader finds. It looks into the folder {@code META-INF/compact}, where the
     * processor leaves a descriptor of each type; a jar must have an entry for this folder, as those of Maven, Gradle and the {@code jar}
     * command do. A type that was compiled without Hazelcast has no serializer and is left out.
     *
     * @param config of a client or a member, before it is started
     * @param loader finds descriptors and classes
     * @return the names of the types, sorted
     * @throws HazelcastBridgeException if a serializer cannot be made
     * @throws com.hazelcast.config.InvalidConfigurationException if one of the types has a serializer already
     */
    public static List<String> register(SerializationConfig config, ClassLoader loader) {
        List<String> registered = new ArrayList<>();
        for (String type : types(loader)) {
            Class<?> serializer = find(type, loader);
            if (serializer != null) {
                config.getCompactSerializationConfig().addSerializer(make(type, serializer));
                registered.add(type);
            }
        }
        return List.copyOf(registered);
    }

    /**
     * Registers the serializers of some annotated types, found by their class loaders.
     *
     * @param config of a client or a member, before it is started
     * @param types the types
     * @throws HazelcastBridgeException if a type has no serializer, or it cannot be made
     * @throws com.hazelcast.config.InvalidConfigurationException if one of the types has a serializer already
     */
    public static void register(SerializationConfig config, Class<?>... types) {
        for (Class<?> type : types) {
            Class<?> serializer = find(type.getName(), type.getClassLoader());
            if (serializer == null) {
                throw new HazelcastBridgeException("type has no generated serializer: type=" + type.getName()
                        + " expected=" + serializerOf(type.getName())
                        + "; annotate it with @Compact, and compile it with Hazelcast on the class path");
            }
            config.getCompactSerializationConfig().addSerializer(make(type.getName(), serializer));
        }
    }

    private static Set<String> types(ClassLoader loader) {
        Set<String> types = new TreeSet<>();
        try {
            for (URL folder : Collections.list(loader.getResources(FOLDER))) {
                list(folder, types);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("descriptors cannot be listed: folder=" + FOLDER, e);
        }
        return types;
    }

    private static void list(URL folder, Set<String> types) throws IOException {
        switch (folder.getProtocol()) {
            case "file" -> {
                try (Stream<Path> files = Files.list(Path.of(URI.create(folder.toString())))) {
                    files.forEach(file -> add(String.valueOf(file.getFileName()), types));
                }
            }
            case "jar" -> {
                JarURLConnection connection = (JarURLConnection) folder.openConnection();
                connection.setUseCaches(false); // else the jar would stay open, or be closed for others
                try (JarFile jar = connection.getJarFile()) {
                    String prefix = connection.getEntryName();
                    jar.stream()
                            .map(entry -> entry.getName())
                            .filter(name -> name.startsWith(prefix))
                            .forEach(name -> add(name.substring(prefix.length()), types));
                }
            }
            default ->
                throw new HazelcastBridgeException("descriptors cannot be listed: url=" + folder
                        + " expected=file or jar; name the types instead");
        }
    }

    private static void add(String file, Set<String> types) {
        if (file.endsWith(TypeDescriptor.SUFFIX) && file.indexOf('/') < 0) {
            types.add(file.substring(0, file.length() - TypeDescriptor.SUFFIX.length()));
        }
    }

    /** Returns the name of the serializer of a type, which is not nested even where the type is. */
    private static String serializerOf(String type) {
        return type.replace('$', '_') + SERIALIZER;
    }

    private static @Nullable Class<?> find(String type, ClassLoader loader) {
        try {
            return Class.forName(serializerOf(type), false, loader); // initialized where it is made
        } catch (ClassNotFoundException e) {
            return null;
        } catch (LinkageError e) {
            throw unmade(type, serializerOf(type), e);
        }
    }

    private static CompactSerializer<?> make(String type, Class<?> serializer) {
        try {
            Constructor<?> constructor = serializer.getDeclaredConstructor();
            constructor.setAccessible(true); // the class is not public where the type is not
            return (CompactSerializer<?>) constructor.newInstance();
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            throw unmade(type, serializer.getName(), e);
        }
    }

    private static HazelcastBridgeException unmade(String type, String serializer, Throwable cause) {
        return new HazelcastBridgeException(
                "serializer cannot be made: type=" + type + " serializer=" + serializer + ": " + cause, cause);
    }
}
