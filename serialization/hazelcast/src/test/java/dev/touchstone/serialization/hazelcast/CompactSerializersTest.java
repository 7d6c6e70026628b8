package dev.touchstone.serialization.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.config.Config;
import com.hazelcast.config.InvalidConfigurationException;
import com.hazelcast.config.SerializationConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.query.Predicates;
import dev.touchstone.serialization.CompactCodec;
import dev.touchstone.serialization.CompactSerialization;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Maps of Hazelcast's own gain generated serializers by configuration alone. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CompactSerializersTest {
    private static final String SHIP = "fleet.Fleet$Ship";
    private static final String PORT = "fleet.Port";
    private static final String SOURCE = """
            package fleet;

            import dev.touchstone.serialization.annotation.Compact;

            final class Fleet {
                private Fleet() {}

                @Compact("ship")
                record Ship(String name, int tons, Port home) {}
            }

            @Compact("port")
            record Port(String name) {}
            """;

    @TempDir
    static Path temporary;

    private static Path classes = Path.of("");

    /** Compiles a user's sources with the processor. */
    @BeforeAll
    static void compile() throws IOException, InterruptedException {
        Path source = Files.createDirectories(temporary.resolve("source/fleet")).resolve("Fleet.java");
        Files.writeString(source, SOURCE);
        classes = Files.createDirectories(temporary.resolve("with space and \u00e9/classes"));
        String path = Stream.of("java.class.path", "jdk.module.path")
                .map(System::getProperty)
                .filter(part -> part != null && !part.isEmpty())
                .collect(Collectors.joining(File.pathSeparator));
        Process javac = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "javac").toString(),
                        "-processor",
                        "dev.touchstone.serialization.processor.CompactProcessor",
                        "-cp",
                        path,
                        "-d",
                        classes.toString(),
                        source.toString())
                .inheritIO()
                .start();
        int result = javac.waitFor();
        assertThat(result).isZero();
    }

    private static Path jar(boolean hasFolders) throws IOException {
        Path jar = temporary.resolve("fleet-" + hasFolders + ".jar");
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file);
                Stream<Path> paths = Files.walk(classes)) {
            for (Path path : paths.sorted().skip(1).toList()) {
                String name = classes.relativize(path).toString().replace('\\', '/');
                if (Files.isRegularFile(path)) {
                    out.putNextEntry(new JarEntry(name));
                    Files.copy(path, out);
                } else if (hasFolders) {
                    out.putNextEntry(new JarEntry(name + "/"));
                }
            }
        }
        return jar;
    }

    private static URLClassLoader loader(Path path) throws IOException {
        return new URLClassLoader(new URL[] {path.toUri().toURL()}, CompactSerializersTest.class.getClassLoader());
    }

    @Test
    void folderAndJar_areSearched() throws IOException {
        for (Path path : List.of(classes, jar(true))) {
            try (URLClassLoader loader = loader(path)) {
                SerializationConfig config = new SerializationConfig();
                assertThat(CompactSerializers.register(config, loader)).containsExactly(SHIP, PORT);
                assertThatThrownBy(() -> CompactSerializers.register(config, loader))
                        .isInstanceOf(InvalidConfigurationException.class);
                Thread thread = Thread.currentThread();
                ClassLoader before = thread.getContextClassLoader();
                thread.setContextClassLoader(loader);
                try {
                    assertThat(CompactSerializers.register(new SerializationConfig()))
                            .containsExactly(SHIP, PORT);
                } finally {
                    thread.setContextClassLoader(before);
                }
            }
        }
    }

    @Test
    void jarWithoutFolders_needsTheTypesNames() throws IOException, ClassNotFoundException {
        try (URLClassLoader loader = loader(jar(false))) {
            SerializationConfig config = new SerializationConfig();
            assertThat(CompactSerializers.register(config, loader)).isEmpty();
            CompactSerializers.register(config, loader.loadClass(SHIP), loader.loadClass(PORT));
            assertThatThrownBy(() -> CompactSerializers.register(config, loader.loadClass(PORT)))
                    .isInstanceOf(InvalidConfigurationException.class);
        }
    }

    @Test
    void typeWithoutSerializer_isATypedErrorOnlyWhereItIsNamed() throws IOException {
        assertThatThrownBy(() -> CompactSerializers.register(new SerializationConfig(), Trade.class))
                .isInstanceOf(HazelcastBridgeException.class)
                .hasMessageContaining("type=" + Trade.class.getName());
        Path folder = Files.createDirectories(temporary.resolve("alone/META-INF/compact"));
        Files.writeString(folder.resolve("fleet.Captain.schema"), "");
        try (URLClassLoader loader = loader(temporary.resolve("alone"))) {
            assertThat(CompactSerializers.register(new SerializationConfig(), loader))
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void ordinaryMap_writesWhatCompactMapReads(boolean isClient) throws IOException, ReflectiveOperationException {
        try (URLClassLoader loader = loader(classes);
                Cluster cluster = new Cluster()) {
            List<Integer> ports = Cluster.freePorts(1);
            Config member = Cluster.memberConfig(cluster.name, ports.get(0), ports);
            member.setClassLoader(loader);
            CompactSerializers.register(member.getSerializationConfig(), loader);
            HazelcastInstance instance = cluster.member(member);
            if (isClient) {
                ClientConfig client = Cluster.clientConfig(cluster.name, ports);
                client.setClassLoader(loader);
                CompactSerializers.register(client.getSerializationConfig(), loader);
                instance = cluster.client(client);
            }
            Object port = make(loader, PORT, "Faro");
            Object ship = make(loader, SHIP, "Argo", 30, port);
            IMap<Integer, Object> map = instance.getMap("ships");
            map.set(1, ship);
            assertThat(map.get(1)).isEqualTo(ship);

            CompactCodec<Object> codec = codec(loader, "fleet.Fleet_ShipCodec");
            CompactMap<Integer, Object> ours = CompactMap.of(
                    instance,
                    "ships",
                    codec,
                    CompactSerialization.builder()
                            .codec(codec)
                            .codec(codec(loader, "fleet.PortCodec"))
                            .build());
            assertThat(ours.get(1)).isEqualTo(ship);
            Object other = make(loader, SHIP, "Nina", 60, port);
            ours.set(2, other);
            assertThat(map.get(2)).isEqualTo(other);
            assertThat(map.keySet(Predicates.equal("home.name", "Faro"))).containsExactlyInAnyOrder(1, 2);
            assertThat(map.keySet(FieldPredicate.and(
                            FieldPredicate.equal("home.name", "Faro"), FieldPredicate.greaterThan("tons", 30))))
                    .containsExactly(2);
        }
    }

    private static Object make(ClassLoader loader, String type, Object... values) throws ReflectiveOperationException {
        var constructor = loader.loadClass(type).getDeclaredConstructors()[0];
        constructor.setAccessible(true);
        return constructor.newInstance(values);
    }

    @SuppressWarnings("unchecked")
    private static CompactCodec<Object> codec(ClassLoader loader, String name) throws ReflectiveOperationException {
        var instance = loader.loadClass(name).getDeclaredField("INSTANCE");
        instance.setAccessible(true);
        return (CompactCodec<Object>) Objects.requireNonNull(instance.get(null));
    }
}
