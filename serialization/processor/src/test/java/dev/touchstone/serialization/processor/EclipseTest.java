package dev.touchstone.serialization.processor;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.serialization.CompactSerialization;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.eclipse.jdt.core.compiler.batch.BatchCompiler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The processor in Eclipse's compiler: it generates what it generates in javac, and finds the same mistakes. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EclipseTest {
    private static final String HEAD =
            "package p;\nimport dev.touchstone.serialization.annotation.*;\nimport java.util.*;\n";

    /** Sources by the names of their files. */
    private static final Map<String, String> SOURCES = new TreeMap<>(Map.of(
            "Shape.java",
            HEAD + """
            @Compact public sealed interface Shape {
                @Compact("circle") record Circle(double radius) implements Shape {}
                @Compact("box") final class Box implements Shape { Shape inside; Box[] all; }
                @Compact("named") enum Named implements Shape { UNIT, NONE { } }
            }
            """,
            "Base.java",
            HEAD + """
            public abstract class Base<K extends Comparable<K>> {
                private K key;
                protected boolean isOpen;
                public K getKey() { return key; }
                public void setKey(K v) { key = v; }
                public boolean isOpen() { return isOpen; }
                public void setOpen(boolean v) { isOpen = v; }
            }
            """,
            "T.java",
            HEAD + """
            @Compact(value = "t", encode = {
                Encoding.COLLECTIONS, Encoding.CHAR_AS_INT16, Encoding.OPTIONAL_AS_NULL, Encoding.UUID_AS_STRING,
                Encoding.ENUM_AS_STRING, Encoding.INSTANT_AS_TIMESTAMP, Encoding.TIME_AS_STRING})
            public class T extends Base<String> {
                @CompactField(missing = "7") int number;
                @CompactField(value = "grown", missing = "1.5") double ratio;
                @CompactField(missing = "a\\"\\u00e9\\n") String text;
                @CompactField(missing = "'") char sign;
                @CompactField(missing = "RUNNABLE") Thread.State state = Thread.State.NEW;
                List<UUID> ids;
                Map<String, Shape.Circle> circles;
                Optional<java.time.Duration> duration;
                java.time.Instant[] times;
                Shape shape;
                V value;

                public static Object[] samples() {
                    T t = new T();
                    t.setKey("k");
                    t.ids = List.of(new UUID(1, 2));
                    t.circles = Map.of("c", new Shape.Circle(2));
                    t.duration = Optional.of(java.time.Duration.ofSeconds(3));
                    t.times = new java.time.Instant[] {java.time.Instant.EPOCH};
                    t.shape = new Shape.Circle(1.5);
                    t.value = V.builder().a(1).b(List.of("b")).build();
                    return new Object[] {t};
                }

                @Override
                public String toString() {
                    return getKey() + isOpen + number + ratio + text + sign + state + ids + circles + duration
                            + Arrays.toString(times) + shape + value.getB();
                }
            }
            """,
            "V.java",
            HEAD + """
            @Compact(value = "v", encode = Encoding.COLLECTIONS)
            public final class V {
                private final int a;
                private final List<String> b;
                private V(Builder builder) { a = builder.a; b = builder.b; }
                public int getA() { return a; }
                public List<String> getB() { return b; }
                public static Builder builder() { return new Builder(); }
                public static final class Builder {
                    private int a;
                    private List<String> b;
                    public Builder a(int v) { a = v; return this; }
                    public Builder b(Collection<? extends String> v) { b = List.copyOf(v); return this; }
                    public V build() { return new V(this); }
                }
            }
            """,
            "W.java",
            HEAD + """
            @Compact("w")
            public record W(V[] all, @CompactField(missing = "-0.0") float f, Long boxed, java.math.BigDecimal d) {}
            """));

    @TempDir
    Path folder;

    private String eclipse(boolean expected, Map<String, String> sources) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                "-17",
                "-parameters",
                "-proceedOnError",
                "-nowarn",
                "-encoding",
                "UTF-8",
                "-classpath",
                System.getProperty("java.class.path"),
                "-processor",
                CompactProcessor.class.getName(),
                "-processorpath",
                System.getProperty("java.class.path"),
                "-s",
                Files.createDirectories(folder.resolve("generated")).toString(),
                "-d",
                Files.createDirectories(folder.resolve("classes")).toString()));
        Path owner = Files.createDirectories(folder.resolve("sources").resolve("p"));
        for (Map.Entry<String, String> source : sources.entrySet()) {
            Path file = owner.resolve(source.getKey());
            Files.writeString(file, source.getValue());
            command.add(file.toString());
        }
        StringWriter said = new StringWriter();
        boolean isSuccess = BatchCompiler.compile(
                command.toArray(String[]::new), new PrintWriter(said), new PrintWriter(said), null);
        assertThat(isSuccess).as(said.toString()).isEqualTo(expected);
        return said.toString();
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
    void generated_isWhatJavacGenerates() throws IOException {
        eclipse(true, SOURCES);
        Compilation javac =
                Compilation.of(SOURCES.values().toArray(String[]::new)).clean();
        Map<String, String> generated = new TreeMap<>();
        files(folder.resolve("generated")).forEach((path, bytes) -> generated.put(path, new String(bytes, UTF_8)));
        Map<String, String> expected = new TreeMap<>();
        javac.outputs.keySet().stream()
                .filter(path -> path.endsWith(".java"))
                .forEach(path -> expected.put(path, javac.source(path)));
        assertThat(generated.keySet()).isEqualTo(expected.keySet()).hasSizeGreaterThan(10);
        generated.forEach((path, text) -> assertThat(text).as(path).isEqualTo(expected.get(path)));
        Map<String, byte[]> classes = files(folder.resolve("classes"));
        for (String path : javac.outputs.keySet()) {
            if (path.startsWith("META-INF/")) {
                assertThat(classes.get(path)).as(path).isEqualTo(javac.outputs.get(path));
            }
        }
        Loaded loaded = new Loaded(classes);
        CompactSerialization serialization = loaded.serialization("p.T", "p.V", "p.Shape_Circle");
        Peer peer = new Peer(loaded.serializer("p.T"), loaded.serializer("p.V"), loaded.serializer("p.Shape_Circle"));
        Object value = ((Object[]) loaded.call("p.T", "samples"))[0];
        byte[] bytes = serialization.encode(value);
        assertThat(peer.encode(value)).isEqualTo(bytes);
        assertThat(serialization.decode(bytes)).hasToString(value.toString());
    }

    @Test
    void mistake_isSaidAtTheField() throws IOException {
        String said =
                eclipse(false, Map.of("Bad.java", HEAD + "@Compact public class Bad { int a;\n    Object other; }\n"));
        assertThat(said)
                .contains("type of field is not supported: field=other type=Object; mark it @Compact")
                .containsPattern("Bad.java \\(at line 5\\)");
    }

    /** Eclipse has no order of processors in which a type is there before another one makes it, either. */
    @Test
    void typeOfAClassThatIsGenerated_isNamedInOneRound() throws IOException {
        eclipse(
                true,
                Map.of(
                        "User.java",
                        "package p;\npublic class User { Object codec = XCodec.INSTANCE; long id = XCodec.SCHEMA_ID; }\n",
                        "X.java",
                        HEAD + "@Compact(\"x\") public record X(int a) {}\n"));
        assertThat(files(folder.resolve("classes"))).containsKeys("p/User.class", "p/XCodec.class");
    }
}
