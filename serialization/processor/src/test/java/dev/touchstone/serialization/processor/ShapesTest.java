package dev.touchstone.serialization.processor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.nio.serialization.HazelcastSerializationException;
import dev.touchstone.serialization.CompactSerialization;
import dev.touchstone.serialization.exception.CompactSchemaException;
import dev.touchstone.serialization.schema.FieldDescriptor;
import dev.touchstone.serialization.schema.FieldKind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Classes as people have them: inherited fields, constructors, generic superclasses, characters, optional values, concrete collections. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ShapesTest {
    /** Checks that an object of {@code p.T}, made by its static method, is the same after both codecs, byte for byte. */
    private static Loaded roundTrip(String... sources) {
        Loaded loaded = Compilation.of(sources).load();
        CompactSerialization serialization = loaded.serialization("p.T");
        Peer peer = new Peer(loaded.serializer("p.T"));
        for (Object value : (Object[]) loaded.call("p.T", "samples")) {
            byte[] bytes = serialization.encode(value);
            assertThat(peer.encode(value)).isEqualTo(bytes);
            assertThat(serialization.decode(bytes)).hasToString(value.toString());
            assertThat(peer.decode(bytes)).hasToString(value.toString());
        }
        return loaded;
    }

    @Test
    void fields_ofSuperclasses_areFieldsToo() {
        Loaded loaded = roundTrip("""
                package q;
                public abstract class Base<K> {
                    private K key;
                    protected long version;
                    public K getKey() { return key; }
                    public void setKey(K v) { key = v; }
                    public long getVersion() { return version; }
                    public void setVersion(long v) { version = v; }
                }
                """, """
                package p;
                class Middle extends q.Base<String> {
                    int middle;
                }
                """, """
                package p;
                import dev.touchstone.serialization.annotation.*;
                @Compact("t")
                public class T extends Middle {
                    String name;

                    public static Object[] samples() {
                        T t = new T();
                        t.setKey("k");
                        t.setVersion(1L << 40);
                        t.middle = -7;
                        t.name = "n";
                        return new Object[] {t, new T()};
                    }

                    @Override
                    public String toString() {
                        return getKey() + getVersion() + middle + name;
                    }
                }
                """);
        assertThat(loaded.codec("p.T").schema().fields())
                .containsExactly(
                        new FieldDescriptor("key", FieldKind.STRING),
                        new FieldDescriptor("middle", FieldKind.INT32),
                        new FieldDescriptor("name", FieldKind.STRING),
                        new FieldDescriptor("version", FieldKind.INT64));
    }

    /** The form of a value class, as Lombok or Kotlin make it: final fields, getters, and one constructor, here in another order. */
    @Test
    void class_withAConstructorOfAllFields_isMadeByIt() {
        roundTrip("""
                package p;
                import dev.touchstone.serialization.annotation.*;
                @Compact("t")
                public final class T {
                    private final int number;
                    private final String text;
                    @CompactField(missing = "true") private final boolean flag;

                    T(String text, boolean flag, int number) {
                        this.text = text;
                        this.flag = flag;
                        this.number = number;
                    }

                    public T(int number) {
                        this("", false, number);
                    }

                    public int getNumber() { return number; }
                    public String getText() { return text; }
                    public boolean isFlag() { return flag; }

                    public static Object[] samples() {
                        return new Object[] {new T("x", true, 7), new T(null, false, -1)};
                    }

                    @Override
                    public String toString() {
                        return number + text + flag;
                    }
                }
                """);
    }

    @Test
    void charactersAndOptionals_areNumbersAndNulls() {
        Loaded loaded = roundTrip("""
                package p;
                import dev.touchstone.serialization.annotation.*;
                import java.util.*;
                @Compact(value = "t", encode = {
                    Encoding.CHAR_AS_INT16, Encoding.OPTIONAL_AS_NULL, Encoding.COLLECTIONS, Encoding.UUID_AS_STRING})
                public record T(
                        char c, Character boxed, char[] all, Character[] some, List<Character> list,
                        Optional<String> text, Optional<Integer> number, Optional<UUID> id, Optional<Character> sign,
                        Optional<List<String>> names) {
                    public static Object[] samples() {
                        return new Object[] {
                            new T('\\uffff', 'x', new char[] {'a', '\\ud83d', 0}, new Character[] {'b', null},
                                    List.of('c'), Optional.of("t"), Optional.of(-1), Optional.of(new UUID(1, 2)),
                                    Optional.of('y'), Optional.of(List.of("n"))),
                            new T((char) 0, null, null, null, null, Optional.empty(), Optional.empty(),
                                    Optional.empty(), Optional.empty(), Optional.empty())
                        };
                    }

                    @Override
                    public String toString() {
                        return "" + (int) c + boxed + Arrays.toString(all) + Arrays.toString(some) + list + text + number
                                + id + sign + names;
                    }
                }
                """);
        assertThat(loaded.codec("p.T").schema().fields())
                .contains(
                        new FieldDescriptor("c", FieldKind.INT16),
                        new FieldDescriptor("boxed", FieldKind.NULLABLE_INT16),
                        new FieldDescriptor("all", FieldKind.ARRAY_OF_INT16),
                        new FieldDescriptor("some", FieldKind.ARRAY_OF_NULLABLE_INT16),
                        new FieldDescriptor("number", FieldKind.NULLABLE_INT32),
                        new FieldDescriptor("names", FieldKind.ARRAY_OF_STRING));
    }

    @Test
    void charactersAndOptionals_thatARecordLacks_areTheirDefaultOrEmpty() {
        String head = "package p; import dev.touchstone.serialization.annotation.*; import java.util.*;"
                + "@Compact(value = \"t\", encode = {Encoding.CHAR_AS_INT16, Encoding.OPTIONAL_AS_NULL}) public record T(";
        Loaded old = Compilation.of(head + "int a) {}").load();
        Loaded now = Compilation.of(head + "int a, char b, @CompactField(missing = \"'\") char c,"
                        + "@CompactField(missing = \"\\\\\") Character d, Optional<String> e) {}")
                .load();
        CompactSerialization serialization = CompactSerialization.builder()
                .codec(now.codec("p.T"))
                .schema(old.codec("p.T").schema())
                .build();
        byte[] bytes = serialization.encode(old.create("p.T", 1), old.codec("p.T"));
        assertThat(serialization.decode(bytes)).hasToString("T[a=1, b=\0, c=', d=\\, e=Optional.empty]");
    }

    /**
     * Collections inside collections are refused, and the message says to put the inner one into a record: Hazelcast's zero-config has no form
     * for them either. What the message says works, for maps too.
     */
    @Test
    void nestedCollections_inRecordsOfTheirOwn_roundTrip() {
        String head = "package p; import dev.touchstone.serialization.annotation.*; import java.util.*;";
        Loaded loaded = Compilation.of(
                        head + "public class Plain { List<List<String>> rows = List.of(List.of(\"a\")); }",
                        head
                                + "@Compact(value = \"row\", encode = Encoding.COLLECTIONS) public record Row(List<String> cells) {}",
                        head + """
                        @Compact(value = "t", encode = Encoding.COLLECTIONS)
                        public record T(List<Row> rows, Map<String, Row> byName, Map<Row, Row> byRow, Row[] array) {
                            public static Object[] samples() {
                                Row a = new Row(List.of("x", "y"));
                                Row b = new Row(List.of());
                                return new Object[] {
                                    new T(List.of(a, b), Map.of("k", a), Map.of(b, a), null)};
                            }
                        }
                        """)
                .load();
        CompactSerialization serialization = loaded.serialization("p.T", "p.Row");
        Peer peer = new Peer(loaded.serializer("p.T"), loaded.serializer("p.Row"));
        for (Object value : (Object[]) loaded.call("p.T", "samples")) {
            byte[] bytes = serialization.encode(value);
            assertThat(peer.encode(value)).isEqualTo(bytes);
            assertThat(serialization.decode(bytes)).isEqualTo(value);
            assertThat(peer.decode(bytes)).isEqualTo(value);
        }
        Object plain = loaded.create("p.Plain");
        assertThatThrownBy(() -> new Peer().encode(plain))
                .isInstanceOf(HazelcastSerializationException.class)
                .rootCause()
                .hasMessageContaining("type argument");
    }

    @Test
    void missingValues_ofAllTypes_areAsTheyAreStated() {
        String head = "package p; import dev.touchstone.serialization.annotation.*;";
        String[][] values = {
            {"boolean", "true"},
            {"byte", "-128"},
            {"short", "-32768"},
            {"int", "-2147483648"},
            {"long", "-9223372036854775808"},
            {"float", "-0.0"},
            {"float", "NaN"},
            {"float", "Infinity"},
            {"double", "4.9E-324"},
            {"double", "-Infinity"},
            {"double", "NaN"},
            {"Float", "3.4028235E38"},
            {"Double", "NaN"},
            {"Long", "7"},
            {"Byte", "7"},
            {"Short", "7"},
            {"Boolean", "false"},
            {"char", "'"},
            {"char", "\n"},
            {"Character", "\""},
            {"char", "\u00e9"},
            {"char", "\ud83d"},
            {"String", "a\"\\\u00e9\r\n'{java.util/List}\ud83d\ude07\u2028"}
        };
        StringBuilder fields = new StringBuilder("int old");
        StringBuilder expected = new StringBuilder("T[old=1");
        for (int i = 0; i < values.length; i++) {
            fields.append(", @CompactField(missing = ")
                    .append(Expressions.quoted(values[i][1]))
                    .append(") ")
                    .append(values[i][0])
                    .append(" f")
                    .append(i);
            expected.append(", f").append(i).append('=').append(values[i][1]);
        }
        Loaded old = Compilation.of(head + "@Compact(\"t\") public record T(int old) {}")
                .load();
        Loaded now = Compilation.of(head + "@Compact(value = \"t\", encode = Encoding.CHAR_AS_INT16) public record T("
                        + fields + ") {}")
                .load();
        CompactSerialization serialization = CompactSerialization.builder()
                .codec(now.codec("p.T"))
                .schema(old.codec("p.T").schema())
                .build();
        byte[] bytes = serialization.encode(old.create("p.T", 1), old.codec("p.T"));
        assertThat(serialization.decode(bytes)).hasToString(expected.append(']').toString());
    }

    @Test
    void deprecatedTypesAndOddNames_compileWithoutAWarning() {
        roundTrip("""
                package p;
                import dev.touchstone.serialization.annotation.*;
                @Compact("t")
                @Deprecated
                public class T {
                    @Deprecated(forRemoval = true) @CompactField("a\\nb\\\"c\\u0000") int a;

                    public static Object[] samples() {
                        return new Object[] {new T()};
                    }

                    @Override
                    public String toString() {
                        return "" + a;
                    }
                }
                """);
    }

    @Test
    void concreteCollections_areMadeAsDeclared() {
        roundTrip("""
                package p;
                import dev.touchstone.serialization.annotation.*;
                import java.util.*;
                @Compact(value = "t", encode = Encoding.COLLECTIONS)
                public class T {
                    ArrayList<String> list;
                    HashSet<Integer> set;
                    LinkedHashSet<Integer> linkedSet;
                    HashMap<String, Long> map;
                    LinkedHashMap<String, Long> linkedMap;

                    public static Object[] samples() {
                        T t = new T();
                        t.list = new ArrayList<>(List.of("a", "b"));
                        t.set = new HashSet<>(List.of(1));
                        t.linkedSet = new LinkedHashSet<>(List.of(3, 2));
                        t.map = new HashMap<>(Map.of("x", 1L));
                        t.linkedMap = new LinkedHashMap<>(Map.of("y", 2L));
                        return new Object[] {t, new T()};
                    }

                    @Override
                    public String toString() {
                        return "" + list + set + linkedSet + map + linkedMap;
                    }
                }
                """);
    }

    /** An object of a subclass is refused in each place where it would be written as its superclass, on both paths. */
    @Test
    void objectOfASubclass_isRefused() {
        Loaded loaded = Compilation.of("""
                package p;
                import dev.touchstone.serialization.annotation.*;
                @Compact("base")
                public class Base {
                    int a;
                }
                """, """
                package p;
                public class Sub extends Base {
                    int b;
                }
                """, """
                package p;
                import dev.touchstone.serialization.annotation.*;
                @Compact(value = "t", encode = Encoding.COLLECTIONS)
                public record T(Base one, Base[] many, java.util.List<Base> list) {
                    public static Object[] samples() {
                        return new Object[] {
                            new T(new Sub(), null, null),
                            new T(null, new Base[] {new Base(), new Sub()}, null),
                            new T(null, null, java.util.List.of(new Base() {})),
                        };
                    }

                    public static T sound() {
                        return new T(new Base(), new Base[] {new Base()}, java.util.List.of());
                    }
                }
                """).load();
        CompactSerialization straight = loaded.serialization("p.T", "p.Base");
        CompactSerialization byIndex = CompactSerialization.builder()
                .codec(new ByIndex(loaded.codec("p.T")))
                .codec(new ByIndex(loaded.codec("p.Base")))
                .build();
        for (CompactSerialization serialization : List.of(straight, byIndex)) {
            for (Object value : (Object[]) loaded.call("p.T", "samples")) {
                assertThatThrownBy(() -> serialization.encode(value))
                        .isInstanceOf(CompactSchemaException.class)
                        .hasMessageContaining("type=base class=p.");
            }
            assertThat(serialization.encode(loaded.call("p.T", "sound"))).isNotEmpty();
        }
        Object sub = loaded.create("p.Sub");
        assertThatThrownBy(() -> straight.encode(sub, loaded.codec("p.Base")))
                .isInstanceOfSatisfying(
                        CompactSchemaException.class,
                        e -> assertThat(e.typeName()).isEqualTo("base"))
                .hasMessageContaining("class=p.Sub");
    }

    @Test
    void typesWithoutSubclasses_haveNoCheckOfTheClass() {
        String head = "package p; import dev.touchstone.serialization.annotation.*; ";
        Compilation compilation = Compilation.of(
                head + "@Compact public record A(int a) {}",
                head + "@Compact public final class B { int b; }",
                head + "@Compact public enum C { X, Y { } }",
                head + "@Compact public class D { int d; }");
        assertThat(compilation.clean().source("p/ACodec.java")).doesNotContain("getClass");
        assertThat(compilation.source("p/BCodec.java")).doesNotContain("getClass");
        assertThat(compilation.source("p/CCodec.java")).doesNotContain("getClass");
        assertThat(compilation.source("p/DCodec.java")).contains("javaValue.getClass() != D.class");
    }

    /** Names that the processor's own templates might take for something else. */
    @Test
    void fieldsWithSignsInTheirNames_roundTrip() {
        roundTrip("""
                package p;
                import dev.touchstone.serialization.annotation.*;
                import java.util.*;
                @Compact(value = "t", encode = {Encoding.COLLECTIONS, Encoding.ENUM_AS_STRING})
                public class T {
                    int $v;
                    int price$value;
                    String $f;
                    private int a$v;
                    public int getA$v() { return a$v; }
                    public void setA$v(int v) { a$v = v; }
                    E$v level;
                    @CompactField("#k") Map<String, Integer> k$k;
                    @CompactField("#v") Map<E$v, String> $k;
                    @CompactField("%s{java.util/List}%X%") String percent;
                    @CompactField(value = "$1\\\\", missing = "#v$v#f%n") String stated;
                    @CompactField(missing = "$v") E$v other;
                    public enum E$v { A, $v }

                    public static Object[] samples() {
                        T t = new T();
                        t.$v = 1;
                        t.price$value = 2;
                        t.$f = "f";
                        t.setA$v(3);
                        t.level = E$v.$v;
                        t.k$k = Map.of("a", 1);
                        t.$k = Map.of(E$v.A, "x");
                        t.percent = "p";
                        t.stated = "s";
                        t.other = E$v.A;
                        return new Object[] {t, new T()};
                    }

                    @Override
                    public String toString() {
                        return $v + "," + price$value + $f + a$v + level + k$k + $k + percent + stated + other;
                    }
                }
                """);
    }

    /** More statements than one method of a class file can have. */
    @ParameterizedTest
    @CsvSource({"filled, 3000", "built, 600"})
    void classOfManyFields_roundTrips(String form, int count) {
        StringBuilder fields = new StringBuilder();
        StringBuilder setters = new StringBuilder();
        for (int i = 0; i < count; i++) {
            String type = i % 3 == 0 ? "int" : i % 3 == 1 ? "String" : "Thread.State";
            String missing = i % 5 == 0 && i % 3 == 0 ? "@CompactField(missing = \"7\") " : "";
            fields.append(missing).append(type).append(" f").append(i).append(";\n");
            setters.append("public Builder f" + i + "(" + type + " v) { made.f" + i + " = v; return this; }\n");
        }
        String builder = form.equals("built")
                ? "private T() {} public static Builder builder() { return new Builder(); }\n"
                        + "public static final class Builder { private final T made = new T();\n" + setters
                        + "public T build() { return made; } }\n"
                : "";
        Loaded loaded = roundTrip("package p;\nimport dev.touchstone.serialization.annotation.*;\n"
                + "@Compact(value = \"t\", encode = Encoding.ENUM_AS_STRING) public class T {\n" + fields
                + builder
                + "public static Object[] samples() { T t = new T(); t.f0 = 5; t.f598 = \"x\"; t.f401 = Thread.State.NEW;\n"
                + "return new Object[] {t, new T()}; }\n"
                + "@Override public String toString() { return f0 + f598 + f401 + f599 + f15; } }\n");
        Loaded old = Compilation.of("package p; import dev.touchstone.serialization.annotation.*;"
                        + "@Compact(\"t\") public record T(String f598) {}")
                .load();
        CompactSerialization serialization = CompactSerialization.builder()
                .codec(loaded.codec("p.T"))
                .schema(old.codec("p.T").schema())
                .build();
        byte[] bytes = serialization.encode(old.create("p.T", "y"), old.codec("p.T"));
        assertThat(serialization.decode(bytes)).hasToString("7ynullnull7");
    }
}
