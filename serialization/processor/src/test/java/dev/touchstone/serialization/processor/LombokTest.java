package dev.touchstone.serialization.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.serialization.CompactCodec;
import dev.touchstone.serialization.CompactSerialization;
import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Classes whose members the real Lombok adds in the same run of javac, with either processor first. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LombokTest {
    private static final List<String> CLASS_PATH =
            Arrays.asList(System.getProperty("java.class.path").split(File.pathSeparator, -1));
    private static final String HEAD = """
            package p;
            import dev.touchstone.serialization.annotation.*;
            import java.util.*;
            import lombok.*;
            """;

    /** Compiles with a path of processors on which Lombok stands before ours, or behind. */
    private static Compilation compile(boolean isLombokFirst, String... sources) {
        List<String> path = new ArrayList<>(CLASS_PATH);
        List<String> lombok =
                path.stream().filter(each -> each.contains("lombok")).toList();
        assertThat(lombok).hasSize(1);
        path.removeAll(lombok);
        path.addAll(isLombokFirst ? 0 : path.size(), lombok);
        return Compilation.of(
                List.of(),
                List.of("-processorpath", String.join(File.pathSeparator, path), "-Werror", "-Xlint:-processing"),
                sources);
    }

    /** Checks that samples of {@code p.T} are the same after both codecs, byte for byte. */
    private static void roundTrip(boolean isLombokFirst, String source) {
        Loaded loaded = compile(isLombokFirst, HEAD + source).load();
        CompactCodec<Object> codec = loaded.codec("p.T");
        CompactSerialization serialization = loaded.serialization("p.T");
        Peer peer = new Peer(loaded.serializer("p.T"));
        for (Object value : (Object[]) loaded.call("p.T", "samples")) {
            byte[] bytes = serialization.encode(value);
            assertThat(peer.encode(value)).isEqualTo(bytes);
            assertThat(serialization.decode(bytes)).isEqualTo(value);
            assertThat(serialization.decode(bytes, new ByIndex(codec))).isEqualTo(value);
            assertThat(peer.decode(bytes)).isEqualTo(value);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void value_isMadeByItsConstructor(boolean isLombokFirst) {
        roundTrip(isLombokFirst, """
                @Value @Compact(value = "t", encode = Encoding.COLLECTIONS)
                public class T {
                    int number;
                    boolean isOpen;
                    String text;
                    List<Integer> numbers;
                    @CompactField(missing = "7") Long big;

                    public static Object[] samples() {
                        return new Object[] {new T(1, true, "x", List.of(2), 3L), new T(0, false, null, null, null)};
                    }
                }
                """);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void data_isFilledBySetters(boolean isLombokFirst) {
        roundTrip(isLombokFirst, """
                @Data @Compact("t")
                public class T {
                    private int number;
                    private boolean isOpen;
                    private boolean done;
                    private Boolean perhaps;
                    String text;

                    public static Object[] samples() {
                        T t = new T();
                        t.setNumber(5);
                        t.setOpen(true);
                        t.setText("t");
                        return new Object[] {t, new T()};
                    }
                }
                """);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void allArgsConstructor_isCalled(boolean isLombokFirst) {
        roundTrip(isLombokFirst, """
                @AllArgsConstructor @Getter @EqualsAndHashCode @Compact("t")
                public class T {
                    private final String text;
                    private final double[] numbers;

                    public static Object[] samples() {
                        return new Object[] {new T("x", new double[] {1.5}), new T(null, null)};
                    }
                }
                """);
    }

    /** Without an annotation a class has a constructor without parameters, which Lombok takes away. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void constructorThatLombokTakesAway_isNotCalled(boolean isLombokFirst) {
        roundTrip(isLombokFirst, """
                @AllArgsConstructor @EqualsAndHashCode @Compact("t")
                public class T {
                    String text;
                    int number;

                    public static Object[] samples() {
                        return new Object[] {new T("x", 7)};
                    }
                }
                """);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void builder_withAPrivateConstructor_isCalled(boolean isLombokFirst) {
        roundTrip(isLombokFirst, """
                @Value @Builder(setterPrefix = "with") @AllArgsConstructor(access = AccessLevel.PRIVATE)
                @Compact(value = "t", encode = Encoding.COLLECTIONS)
                public class T {
                    int number;
                    boolean isOpen;
                    @Singular List<String> texts;
                    @Builder.Default String name = "default";

                    public static Object[] samples() {
                        return new Object[] {
                            T.builder().withNumber(1).withOpen(true).withText("a").withText("b").withName("n").build(),
                            T.builder().build()
                        };
                    }
                }
                """.replace("withOpen", "withIsOpen"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void superBuilder_ofASuperclass_isCalled(boolean isLombokFirst) {
        roundTrip(isLombokFirst, """
                @SuperBuilder @Getter @EqualsAndHashCode(callSuper = true) @Compact("t")
                public class T extends Base {
                    private final int number;

                    public static Object[] samples() {
                        return new Object[] {T.builder().id("i").number(3).build()};
                    }
                }
                @SuperBuilder @Getter @EqualsAndHashCode
                class Base {
                    private final String id;
                }
                """.replace("@SuperBuilder", "@lombok.experimental.SuperBuilder"));
    }

    /** The annotation stands on a superclass only. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void gettersOfASuperclass_areWaitedFor(boolean isLombokFirst) {
        roundTrip(isLombokFirst, """
                @Compact("t")
                public class T extends Base {
                    int number;

                    public static Object[] samples() {
                        T t = new T();
                        t.setId("x");
                        return new Object[] {t};
                    }
                }
                @Data
                class Base {
                    private String id;
                }
                """);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void valuesInsideARecord_areFound(boolean isLombokFirst) {
        Loaded loaded = compile(
                        isLombokFirst,
                        HEAD + "@Value @Compact(\"v\") public class V { int a; }",
                        HEAD + "@Compact(\"t\") public record T(V one, V[] all) {"
                                + " public static Object[] samples() { return new Object[] {new T(new V(1), new V[] {new V(2)})}; } }")
                .load();
        CompactSerialization serialization = loaded.serialization("p.T", "p.V");
        Peer peer = new Peer(loaded.serializer("p.T"), loaded.serializer("p.V"));
        Object value = ((Object[]) loaded.call("p.T", "samples"))[0];
        byte[] bytes = serialization.encode(value);
        assertThat(peer.encode(value)).isEqualTo(bytes);
        assertThat(serialization.encode(serialization.decode(bytes))).isEqualTo(bytes);
    }

    @Test
    void lombokThatIsNoProcessor_isNamed() {
        Compilation compilation = Compilation.of(
                List.of(new CompactProcessor()),
                List.of(),
                HEAD + "@Value @Compact(\"t\") public class T { private int a; }");
        assertThat(compilation.messages())
                .anyMatch(message -> message.contains("field=a")
                        && message.contains("; Lombok has added no members: name it among the annotation processors"));
    }

    @Test
    void mistakeInALombokClass_isSaidOnce() {
        for (boolean isLombokFirst : List.of(true, false)) {
            Compilation compilation =
                    compile(isLombokFirst, HEAD + "@Value @Compact(\"t\") public class T { Object a; }");
            assertThat(Collections.frequency(
                            compilation.messages().stream()
                                    .map(message ->
                                            message.toLowerCase(Locale.ROOT).contains("type=object; mark it @compact"))
                                    .toList(),
                            true))
                    .as(compilation.messages().toString())
                    .isEqualTo(1);
        }
    }
}
