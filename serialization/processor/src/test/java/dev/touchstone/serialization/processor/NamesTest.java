package dev.touchstone.serialization.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.serialization.CompactSerialization;
import dev.touchstone.serialization.RecordView;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Generated code beside types of the user that are called like those which it uses. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NamesTest {
    /** Names of classes that generated code uses. */
    private static final List<String> USED = List.of(
            "String",
            "Integer",
            "Long",
            "Override",
            "Object",
            "Class",
            "SuppressWarnings",
            "IncompatibleClassChangeError",
            "Schema",
            "FieldKind",
            "Encodings",
            "Output",
            "Limits",
            "CompactWriter",
            "CompactReader",
            "CompactSerializer",
            "CompactSerialization",
            "GenericView",
            "RecordView",
            "ItemWriter",
            "List",
            "Generated",
            "Year",
            "Optional");

    private static final String TYPE = """
            import dev.touchstone.serialization.annotation.*;
            @Compact(value = "t", encode = {
                Encoding.COLLECTIONS, Encoding.TIME_AS_STRING, Encoding.OPTIONAL_AS_NULL, Encoding.UUID_AS_STRING})
            public class T {
                java.lang.String text;
                @CompactField(missing = "7") java.lang.Integer number;
                java.util.List<java.lang.String> texts;
                java.util.Map<java.lang.String, java.lang.Long> map;
                java.time.Year year;
                java.util.Optional<java.util.UUID> id;
                S sealed;
                @Compact public sealed interface S {}
                @Compact("u") public record U(java.lang.String text) implements S {}

                public static java.lang.Object[] samples() {
                    T t = new T();
                    t.text = "x";
                    t.number = 1;
                    t.texts = java.util.List.of("a");
                    t.map = java.util.Map.of("k", 5L);
                    t.year = java.time.Year.of(2000);
                    t.id = java.util.Optional.of(new java.util.UUID(1, 2));
                    t.sealed = new U("y");
                    return new java.lang.Object[] {t};
                }

                @java.lang.Override
                public java.lang.String toString() {
                    return text + number + texts + map + year + id + sealed;
                }
            }
            """;

    private static String named(String packageName, String name) {
        String owner = packageName.isEmpty() ? "" : "package " + packageName + ";\n";
        return owner + "public class " + name + " {}\n";
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "p"})
    void packageWithTypesOfTheNamesThatAreUsed_compilesAndRoundTrips(String packageName) {
        String prefix = packageName.isEmpty() ? "" : packageName + ".";
        List<String> sources = new ArrayList<>();
        USED.forEach(name -> sources.add(named(packageName, name)));
        sources.add((packageName.isEmpty() ? "" : "package p;\n") + TYPE);
        Loaded loaded = Compilation.of(sources.toArray(String[]::new)).load();
        CompactSerialization serialization = loaded.serialization(prefix + "T", prefix + "T_U");
        Peer peer = new Peer(loaded.serializer(prefix + "T"), loaded.serializer(prefix + "T_U"));
        for (Object value : (Object[]) loaded.call(prefix + "T", "samples")) {
            byte[] bytes = serialization.encode(value);
            assertThat(peer.encode(value)).isEqualTo(bytes);
            assertThat(serialization.decode(bytes)).hasToString(value.toString());
            assertThat(peer.decode(bytes)).hasToString(value.toString());
        }
    }

    /** Each name as that of the marked type itself, and of one that another has in a field. */
    @ParameterizedTest
    @ValueSource(strings = {"", "p"})
    void markedTypesOfTheNamesThatAreUsed_compile(String packageName) {
        List<String> sources = new ArrayList<>();
        String owner = packageName.isEmpty() ? "" : "package p;\n";
        List<String> fields = new ArrayList<>();
        for (String name : USED) {
            sources.add(owner
                    + "@dev.touchstone.serialization.annotation.Compact(\"" + name + "\") public record " + name
                    + "(java.lang.String text, java.lang.Integer number, int[] all) {}");
            fields.add(name + " f" + name + ", " + name + "[] all" + name);
        }
        sources.add(owner + "@dev.touchstone.serialization.annotation.Compact(\"straight\") public record Straight("
                + String.join(", ", fields) + ", Straight next, java.lang.String text) {}\n");
        Compilation.of(sources.toArray(String[]::new)).clean();
    }

    /** A view calls the accessor of {@code record} in another way, which may be the name of a field, too. */
    @Test
    void fieldsOfTheNamesOfAccessors_compile() {
        Loaded loaded = Compilation.of("""
                package p;
                import dev.touchstone.serialization.annotation.*;
                @Compact("t") public record T(String record, String recordField, boolean recordEquals, int recordFieldField) {}
                """, """
                package p;
                import dev.touchstone.serialization.annotation.*;
                @Compact("u") public class U { int hashCode; int hashCodeField; String getClass; String getClassField; }
                """).load();
        CompactSerialization serialization = loaded.serialization("p.T");
        Object view = loaded.create("p.TView", serialization);
        byte[] bytes = serialization.encode(loaded.create("p.T", "a", "b", true, 7));
        ((RecordView) Objects.requireNonNull(Loaded.on(view, "record"))).wrap(bytes);
        assertThat(Loaded.on(view, "recordFieldFieldField")).isEqualTo("a");
        assertThat(Loaded.on(view, "recordFieldFieldFieldEquals", "a")).isEqualTo(true);
        assertThat(Loaded.on(view, "recordField")).isEqualTo("b");
        assertThat(Loaded.on(view, "recordFieldField")).isEqualTo(7);
    }

    @Test
    void generatedClassesOfOneName_areRefused() {
        Compilation compilation = Compilation.of("""
                package p;
                import dev.touchstone.serialization.annotation.*;
                public class X {
                    @Compact("y") public record Y(int a) {}
                }
                """, """
                package p;
                import dev.touchstone.serialization.annotation.*;
                @Compact("z") public record X_Y(int a) {}
                """);
        assertThat(compilation.messages())
                .singleElement()
                .asString()
                .contains("generated classes of two types have one name: class=p.X_YCodec types=p.X.Y, p.X_Y; rename");
    }

    @Test
    void generatedClassOfTheNameOfAnother_isRefused() {
        Compilation compilation = Compilation.of(
                "package p;\n@dev.touchstone.serialization.annotation.Compact public record X(int a) {}\n",
                "package p;\npublic class XView {}\n");
        assertThat(compilation.messages())
                .filteredOn(message -> message.contains("error"))
                .singleElement()
                .asString()
                .contains(
                        "class of this name is there already, and is to be generated: class=p.XView type=p.X; rename");
    }
}
