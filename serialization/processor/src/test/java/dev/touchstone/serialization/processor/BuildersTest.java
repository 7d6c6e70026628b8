package dev.touchstone.serialization.processor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.serialization.CompactCodec;
import dev.touchstone.serialization.CompactSerialization;
import dev.touchstone.serialization.exception.CompactObjectException;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Classes whose objects a builder makes. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BuildersTest {
    private static final String HEAD =
            "package p; import dev.touchstone.serialization.annotation.*; import java.util.*;\n";

    /** A class with fields {@code int number}, {@code boolean isOpen} and {@code List<String> texts}, whose builder is to come. */
    private static String source(String builder) {
        return HEAD + String.format(Locale.ROOT, """
                @Compact(value = "t", encode = Encoding.COLLECTIONS)
                public final class T {
                    private final int number;
                    private final boolean isOpen;
                    private final List<String> texts;

                    private T(B b) {
                        number = b.number;
                        isOpen = b.isOpen;
                        texts = b.texts;
                    }

                    static class B {
                        int number;
                        boolean isOpen;
                        List<String> texts = List.of();
                    }

                    %s

                    public int getNumber() { return number; }
                    public boolean isOpen() { return isOpen; }
                    public List<String> texts() { return texts; }

                    public static Object[] samples() {
                        B some = new B();
                        some.number = 7;
                        some.isOpen = true;
                        some.texts = List.of("a", "b");
                        return new Object[] {new T(some), new T(new B())};
                    }

                    @Override
                    public String toString() {
                        return number + " " + isOpen + texts;
                    }
                }
                """, builder);
    }

    private static Loaded roundTrip(String... sources) {
        Loaded loaded = Compilation.of(sources).load();
        CompactCodec<Object> codec = loaded.codec("p.T");
        CompactSerialization serialization = loaded.serialization("p.T");
        Peer peer = new Peer(loaded.serializer("p.T"));
        for (Object value : (Object[]) loaded.call("p.T", "samples")) {
            byte[] bytes = serialization.encode(value);
            assertThat(peer.encode(value)).isEqualTo(bytes);
            assertThat(serialization.decode(bytes)).hasToString(value.toString());
            assertThat(serialization.decode(bytes, new ByIndex(codec))).hasToString(value.toString());
            assertThat(peer.decode(bytes)).hasToString(value.toString());
        }
        return loaded;
    }

    /** Each form of a builder; {@code #} stands for the setters. */
    @ParameterizedTest
    @CsvSource(delimiter = '!', quoteCharacter = '`', textBlock = """
            public static Builder builder() { return new Builder(); }    public static class Builder extends B { # }      ! Builder ! %s
            public static Builder newBuilder() { return new Builder(); } public static class Builder extends B { # }      ! Builder ! set%S
            public static class Builder extends B { # }                                                                   ! Builder ! with%S
            static TBuilder builder() { return new TBuilder(); }         public static class TBuilder extends B { # }     ! void    ! set%S
            public static Builder builder() { return new Builder(); }    public static class Builder extends B { # }      ! B       ! %s
            """)
    void builder_isCalled(String builder, String result, String setter) {
        StringBuilder setters = new StringBuilder("public T build() { return new T(this); }");
        for (String field : new String[] {"int number", "boolean isOpen", "Collection<String> texts"}) {
            String name = field.substring(field.indexOf(' ') + 1);
            String upper = name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
            String value = name.equals("texts") ? "List.copyOf(v)" : "v";
            setters.append(String.format(
                    Locale.ROOT,
                    "public %s %s(%s v) { %s = %s; %s }",
                    result,
                    setter.replace("%S", upper).replace("%s", name),
                    field.substring(0, field.indexOf(' ')),
                    name,
                    value,
                    result.equals("void") ? "" : "return this;"));
        }
        Loaded loaded = roundTrip(source(builder.replace("#", setters)));
        assertThat(loaded.codec("p.T").schema().fields()).hasSize(3);
    }

    /** A builder whose setters return another one, so that the last one counts. */
    @Test
    void immutableBuilder_isChained() {
        roundTrip(HEAD + """
                @Compact("t")
                public class T {
                    private int a;
                    private String b;
                    private T() {}
                    public int getA() { return a; }
                    public String getB() { return b; }
                    public static Builder builder() { return new Builder(0, null); }
                    public record Builder(int a, String b) {
                        public Builder a(int v) { return new Builder(v, b); }
                        public Builder a(long v) { throw new IllegalStateException(); }
                        public Builder b(Object v) { throw new IllegalStateException(); }
                        public Builder b(String v) { return new Builder(a, v); }
                        public T build() { T t = new T(); t.a = a; t.b = b; return t; }
                    }
                    public static Object[] samples() {
                        return new Object[] {builder().a(1).b("b").build(), new T()};
                    }
                    @Override
                    public String toString() { return a + b; }
                }
                """);
    }

    /** A builder whose superclass has the setters, which return what the subclass makes, and {@code build()}. */
    @Test
    void immutableBuilder_withSettersOfAGenericSuperclass_isChained() {
        roundTrip(HEAD + """
                @Compact("t")
                public class T {
                    private final int a;
                    private final String b;
                    private T(Builder builder) { a = builder.a; b = builder.b; }
                    public int getA() { return a; }
                    public String getB() { return b; }
                    public abstract static class Base<R, S extends Base<R, S>> {
                        final int a;
                        final String b;
                        Base(int a, String b) { this.a = a; this.b = b; }
                        abstract S with(int newA, String newB);
                        abstract R made();
                        public S a(int v) { return with(v, b); }
                        public S b(String v) { return with(a, v); }
                        public R build() { return made(); }
                    }
                    public static final class Builder extends Base<T, Builder> {
                        Builder(int a, String b) { super(a, b); }
                        @Override Builder with(int newA, String newB) { return new Builder(newA, newB); }
                        @Override T made() { return new T(this); }
                    }
                    public static Builder builder() { return new Builder(0, null); }
                    public static Object[] samples() {
                        return new Object[] {builder().a(1).b("b").build(), builder().build()};
                    }
                    @Override
                    public String toString() { return a + b; }
                }
                """);
    }

    @Test
    void fieldThatARecordLacks_isWhatTheBuilderHas() {
        String old = HEAD + "@Compact(\"t\") public record Old(int number) {}";
        String now = HEAD + """
                @Compact("t")
                public class T {
                    final int number;
                    final String text;
                    @CompactField(missing = "stated") final String stated;
                    private T(Builder b) { number = b.number; text = b.text; stated = b.stated; }
                    public static class Builder {
                        private int number;
                        private String text = "default";
                        private String stated = "not this";
                        public Builder number(int v) { number = v; return this; }
                        public Builder text(String v) { text = v; return this; }
                        public Builder stated(String v) { stated = v; return this; }
                        public T build() {
                            if (number < 0) {
                                throw new IllegalStateException("negative");
                            }
                            return new T(this);
                        }
                    }
                    @Override
                    public String toString() { return number + text + stated; }
                }
                """;
        Loaded loaded = Compilation.of(old, now).load();
        CompactSerialization writing = CompactSerialization.builder().build();
        CompactSerialization reading = CompactSerialization.builder()
                .codec(loaded.codec("p.T"))
                .schema(loaded.codec("p.Old").schema())
                .build();
        byte[] bytes = writing.encode(loaded.create("p.Old", 3), loaded.codec("p.Old"));
        assertThat(reading.decode(bytes)).hasToString("3defaultstated");
        byte[] bad = writing.encode(loaded.create("p.Old", -3), loaded.codec("p.Old"));
        assertThatThrownBy(() -> reading.decode(bad))
                .isInstanceOf(CompactObjectException.class)
                .hasRootCauseMessage("negative");
    }

    /** What lacks something is no builder, and the message says so. */
    @ParameterizedTest
    @CsvSource(delimiter = '!', quoteCharacter = '`', textBlock = """
            static Builder builder() { return null; } static class Builder { Builder a(int v) { return this; } }
            static Builder builder() { return null; } static class Builder { T build() { return null; } }
            static Builder builder() { return null; } static class Builder { Builder a(long v) { return this; } T build() { return null; } }
            static Builder builder() { return null; } static class Builder { Builder a(int v) throws Exception { return this; } T build() { return null; } }
            static Builder builder(int a) { return null; } static class Builder { Builder(int a) {} Builder a(int v) { return this; } T build() { return null; } }
            private static Builder builder() { return null; } private static class Builder { Builder a(int v) { return this; } T build() { return null; } }
            static Builder builder() { return null; } static class Builder { private Builder() {} Builder a(int v) { return this; } Object build() { return null; } }
            """)
    void builderThatLacksSomething_isNotTaken(String builder) {
        Compilation compilation = Compilation.of(HEAD
                + "@Compact(\"t\") public class T { final int a = 1; private T(String other) {} " + builder + " }");
        assertThat(compilation.messages())
                .singleElement()
                .asString()
                .contains("and no builder with a setter for each field: p.T");
    }

    /** A constructor costs less than a builder, but not one whose object cannot be filled. */
    @Test
    void constructorOfAllFields_isTakenBeforeABuilderAndBehindSetters() {
        String source = HEAD + """
                @Compact("t")
                public class T {
                    private final int a;
                    public T() { this(5); }
                    public T(int a) { this.a = a; }
                    public int getA() { return a; }
                    public static Builder builder() { return new Builder(); }
                    public static class Builder {
                        int a;
                        public Builder a(int v) { a = v; return this; }
                        public T build() { return new T(a); }
                    }
                    public static Object[] samples() { return new Object[] {new T(), new T(6)}; }
                    @Override
                    public String toString() { return "" + a; }
                }
                """;
        roundTrip(source);
        assertThat(Compilation.of(source).clean().source("p/TCodec.java")).doesNotContain("T.builder", "T.Builder");
    }
}
