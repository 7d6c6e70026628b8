package dev.touchstone.serialization.processor;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.serialization.CompactCodec;
import dev.touchstone.serialization.CompactSerialization;
import dev.touchstone.serialization.schema.FieldDescriptor;
import dev.touchstone.serialization.schema.FieldKind;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Kotlin's classes: the real compiler runs the processor by kapt, in a JVM of its own, as it does in a build. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KotlinTest {
    private static final List<String> CLASS_PATH =
            Arrays.asList(System.getProperty("java.class.path").split(File.pathSeparator, -1));
    private static final String HEAD = """
            package p
            import dev.touchstone.serialization.annotation.*

            """;

    /** A class of each shape; the samples are made where Kotlin makes them. */
    private static final String SHAPES = HEAD + """
            @Compact("inner")
            data class Inner(val number: Int, val isOpen: Boolean)

            @Compact("open")
            open class Opened(val text: String?)

            @Compact("level")
            enum class Level { LOW, HIGH }

            @Compact(value = "t", encode = [Encoding.COLLECTIONS, Encoding.CHAR_AS_INT16, Encoding.UUID_AS_STRING])
            data class T(
                val name: String,
                val nullable: String?,
                val count: Int?,
                val big: Long,
                val ratio: Double?,
                val flag: Boolean,
                val sign: Char,
                val id: java.util.UUID?,
                val bytes: List<Byte>?,
                val inner: Inner,
                val none: Inner?,
                val names: List<String>,
                val numbers: MutableList<Int?>,
                val inners: List<Inner>,
                val opened: List<Opened>?,
                val ids: Set<String>,
                val byName: Map<String, Inner>,
                val level: Level = Level.LOW,
                @CompactField(value = "renamed", missing = ["7"]) var late: Int = 7,
            ) {
                companion object {
                    @JvmStatic
                    fun samples(): Array<Any> = arrayOf(
                        T("n", "x", 1, 2L, 0.5, true, 'c', java.util.UUID(1, 2), listOf(1, 2), Inner(3, true), Inner(4, false),
                          listOf("a", "b"), mutableListOf(1, null), listOf(Inner(5, true)), null, setOf("s"),
                          mapOf("k" to Inner(6, false)), Level.HIGH, 9),
                        T("", null, null, 0L, null, false, ' ', null, null, Inner(0, false), null,
                          listOf(), mutableListOf(), listOf(), listOf(), setOf(), mapOf())
                    )
                }
            }

            @Compact("defaults")
            data class Defaults(val number: Int = 5, val text: String = "x") {
                companion object {
                    @JvmStatic fun samples(): Array<Any> = arrayOf(Defaults(), Defaults(1, "y"))
                }
            }

            @Compact("mutable")
            class Mutable {
                var number: Int = 3
                var text: String? = "default"
                var isDone: Boolean = false
                @Transient var left: Any? = null
                val computed: Int get() = number + 1

                override fun equals(other: Any?) =
                    other is Mutable && other.number == number && other.text == text && other.isDone == isDone
                override fun hashCode() = number

                companion object {
                    @JvmStatic fun samples(): Array<Any> =
                        arrayOf(Mutable(), Mutable().apply { number = 8; text = null; isDone = true })
                }
            }
            """;

    @TempDir
    Path folder;

    private static String jar(String name) {
        return CLASS_PATH.stream()
                .filter(path -> Path.of(path).getFileName().toString().matches(name + "-[0-9.]+\\.jar"))
                .findFirst()
                .orElseThrow(() -> new AssertionError(name + " is not on the class path"));
    }

    /** Runs Kotlin's compiler. Returns what it prints. */
    private String kotlin(int expected, String... options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                String.join(
                        File.pathSeparator,
                        Stream.of(
                                        "kotlin-compiler-embeddable",
                                        "kotlin-stdlib",
                                        "kotlin-script-runtime",
                                        "kotlinx-coroutines-core-jvm",
                                        "annotations")
                                .map(KotlinTest::jar)
                                .toList()),
                "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler",
                "-no-stdlib",
                "-no-reflect",
                "-jvm-target",
                "17",
                "-classpath",
                String.join(File.pathSeparator, CLASS_PATH),
                "-d",
                folder.resolve("classes").toString()));
        command.addAll(List.of(options));
        command.add(folder.resolve("Sources.kt").toString());
        Path log = folder.resolve("log");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            int code = process.waitFor();
            String said = Files.readString(log);
            assertThat(code).as(said).isEqualTo(expected);
            return said;
        } finally {
            process.destroyForcibly();
        }
    }

    /** Runs the processor. Returns what kapt prints. */
    private String kapt(int expected, String source) throws IOException, InterruptedException {
        Files.writeString(folder.resolve("Sources.kt"), source);
        List<String> options = new ArrayList<>(List.of("-Xplugin=" + jar("kotlin-annotation-processing-embeddable")));
        List<String> settings = new ArrayList<>(List.of(
                "aptMode=stubsAndApt",
                "sources=" + folder.resolve("sources"),
                "classes=" + folder.resolve("classes"),
                "stubs=" + folder.resolve("stubs")));
        CLASS_PATH.stream()
                .filter(path -> Files.isDirectory(Path.of(path)) || path.contains("serialization-"))
                .forEach(path -> settings.add("apclasspath=" + path));
        settings.forEach(setting -> options.addAll(List.of("-P", "plugin:org.jetbrains.kotlin.kapt3:" + setting)));
        return kotlin(expected, options.toArray(String[]::new));
    }

    /** Compiles the source, and then what kapt has left. */
    private Loaded compile(String source) throws IOException, InterruptedException {
        kapt(0, source);
        kotlin(0);
        Path classes = folder.resolve("classes");
        List<String> generated = new ArrayList<>();
        files(folder.resolve("sources")).forEach((path, bytes) -> generated.add(new String(bytes, UTF_8)));
        Compilation compilation = Compilation.withClassPath(
                classes + File.pathSeparator + System.getProperty("java.class.path"),
                List.of("-Werror"),
                generated.toArray(String[]::new));
        compilation.clean().outputs.putAll(files(classes));
        return compilation.load();
    }

    private static Map<String, byte[]> files(Path below) throws IOException {
        Map<String, byte[]> files = new TreeMap<>();
        try (Stream<Path> walk = Files.walk(below)) {
            walk.filter(Files::isRegularFile).forEach(file -> {
                try {
                    files.put(
                            below.relativize(file).toString().replace(File.separatorChar, '/'),
                            Files.readAllBytes(file));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
        return files;
    }

    @Test
    @Tag("slow")
    void classes_ofEachShape_roundTripAsInHazelcast() throws IOException, InterruptedException {
        Loaded loaded = compile(SHAPES);
        String[] inside = {"p.Inner", "p.Opened"};
        for (String type : List.of("p.T", "p.Defaults", "p.Mutable")) {
            CompactCodec<Object> codec = loaded.codec(type);
            CompactSerialization serialization = loaded.serialization(type, inside[0], inside[1]);
            Peer peer = new Peer(loaded.serializer(type), loaded.serializer(inside[0]), loaded.serializer(inside[1]));
            for (Object value : (Object[]) loaded.call(type, "samples")) {
                byte[] bytes = serialization.encode(value);
                assertThat(peer.encode(value)).as(type).isEqualTo(bytes);
                assertThat(serialization.decode(bytes)).isEqualTo(value);
                assertThat(serialization.decode(bytes, new ByIndex(codec))).isEqualTo(value);
                assertThat(peer.decode(bytes)).isEqualTo(value);
            }
        }
        assertThat(loaded.codec("p.T").schema().fields())
                .contains(
                        new FieldDescriptor("count", FieldKind.NULLABLE_INT32),
                        new FieldDescriptor("big", FieldKind.INT64),
                        new FieldDescriptor("names", FieldKind.ARRAY_OF_STRING),
                        new FieldDescriptor("numbers", FieldKind.ARRAY_OF_NULLABLE_INT32),
                        new FieldDescriptor("byName!values", FieldKind.ARRAY_OF_COMPACT),
                        new FieldDescriptor("level", FieldKind.STRING),
                        new FieldDescriptor("renamed", FieldKind.INT32))
                .hasSize(20);
        assertThat(folder.resolve("classes")
                        .resolve("META-INF")
                        .resolve("compact")
                        .resolve("p.T.schema"))
                .exists();
        assertThat(loaded.codec("p.Mutable").schema().fields())
                .extracting(FieldDescriptor::name)
                .containsExactly("isDone", "number", "text");
    }

    @Test
    void dataClass_getsACodecByKapt() throws IOException, InterruptedException {
        kapt(0, HEAD + """
                @Compact("city", encode = [Encoding.COLLECTIONS])
                data class City(
                    val name: String,
                    val people: Int?,
                    val districts: List<String>,
                    @CompactField(missing = ["EUR"]) val currency: String = "EUR",
                )
                """);
        assertThat(files(folder.resolve("sources")))
                .containsOnlyKeys("p/CityCodec.java", "p/CityView.java", "p/CityCompactSerializer.java");
    }

    /** kapt gives a processor no sealed types, and no properties that are named by keywords of Java. */
    @Test
    @Tag("slow")
    void whatKaptHides_isRefused() throws IOException, InterruptedException {
        String said = kapt(1, HEAD + """
                @Compact sealed interface S
                @Compact("a") data class A(val number: Int) : S
                @Compact("k") data class K(val number: Int, val long: Long)
                """);
        assertThat(said)
                .contains("must be sealed: p.S; kapt does not tell of a type of Kotlin that it is sealed")
                .contains("kapt hides a property that is named by a keyword of Java: p.K");
    }
}
