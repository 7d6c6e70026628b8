package dev.touchstone.serialization.processor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.serialization.CompactSerialization;
import dev.touchstone.serialization.exception.CompactFieldException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Records of one version of a type, read by what was generated for another. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EvolutionTest {
    private static Loaded version(String declaration) {
        return Compilation.of(String.format(Locale.ROOT, """
                        package p;
                        import dev.touchstone.serialization.annotation.*;
                        @Compact("person")
                        public %s
                        """, declaration)).load();
    }

    private static final Loaded OLD = version("record Person(String name, int age) {}");

    /** What a version reads of another's record, which must be the same by our codec and by Hazelcast's serializer. */
    private static String read(Loaded writer, Loaded reader, @Nullable Object... values) {
        CompactSerialization serialization = CompactSerialization.builder()
                .codec(reader.codec("p.Person"))
                .schema(writer.codec("p.Person").schema())
                .build();
        byte[] bytes = serialization.encode(writer.create("p.Person", values), writer.codec("p.Person"));
        String ours = serialization.decode(bytes).toString();
        Peer peer = new Peer(writer.serializer("p.Person"));
        byte[] theirBytes = peer.encode(writer.create("p.Person", values));
        assertThat(theirBytes).isEqualTo(bytes);
        assertThat(peer.withOther(reader.serializer("p.Person")).decode(bytes)).hasToString(ours);
        return ours;
    }

    @Test
    void fieldAdded_isDefaultOrNull() {
        Loaded reader = version("""
                record Person(
                    String name, int age, String mail, int size, long[] all, Integer boxed,
                    @CompactField(missing = "-5") byte b, @CompactField(missing = "7") Integer number,
                    @CompactField(missing = "a\\"${x}$v{p/q}\\\\") String text, @CompactField(missing = "") String empty,
                    @CompactField(missing = "1.50") java.math.BigDecimal price,
                    @CompactField(missing = "2026-11-21") java.time.LocalDate day,
                    @CompactField(missing = "NEW", encode = Encoding.ENUM_AS_STRING) Thread.State state,
                    @CompactField(missing = "true") boolean flag, @CompactField(missing = "1e300") double d,
                    @CompactField(missing = "NaN") float f, @CompactField(missing = "-9") short s,
                    @CompactField(missing = "12345678901") long l) {}
                """);
        assertThat(read(OLD, reader, "ann", 7))
                .isEqualTo("Person[name=ann, age=7, mail=null, size=0, all=null, boxed=null, b=-5, number=7,"
                        + " text=a\"${x}$v{p/q}\\, empty=, price=1.50, day=2026-11-21, state=NEW, flag=true, d=1.0E300,"
                        + " f=NaN, s=-9, l=12345678901]");
    }

    @Test
    void fieldRemovedAndReordered_isReadByName() {
        Loaded wide = version("record Person(int age, String mail, String name) {}");
        assertThat(read(wide, OLD, 7, "a@b", "ann")).isEqualTo("Person[name=ann, age=7]");
        Loaded swapped = version("record Person(int age, String name) {}");
        assertThat(read(swapped, OLD, 7, "ann")).isEqualTo("Person[name=ann, age=7]");
        Loaded renamed = version("record Person(@CompactField(\"name\") String called, int age) {}");
        assertThat(read(OLD, renamed, "ann", 7)).isEqualTo("Person[called=ann, age=7]");
    }

    @Test
    void kindChanged_isRefused() {
        Loaded text = version("record Person(String name, String age) {}");
        assertThatThrownBy(() -> read(OLD, text, "ann", 7))
                .isInstanceOfSatisfying(
                        CompactFieldException.class,
                        e -> assertThat(e.fieldName()).isEqualTo("age"))
                .hasMessageContaining("another kind");
    }

    @Test
    void nullability_mayChange() {
        Loaded nullable = version("record Person(String name, Integer age) {}");
        assertThat(read(OLD, nullable, "ann", 7)).isEqualTo("Person[name=ann, age=7]");
        assertThat(read(nullable, OLD, "ann", 7)).isEqualTo("Person[name=ann, age=7]");
        assertThatThrownBy(() -> read(nullable, OLD, "ann", null)).isInstanceOf(CompactFieldException.class);
    }

    @Test
    void class_keepsWhatItsConstructorSet() {
        Loaded reader = version("""
                class Person {
                    String name;
                    int size = 5;
                    private String mail = "none";
                    @CompactField(missing = "9") int stated = 8;

                    public String mail() { return mail; }
                    public void mail(String v) { mail = v; }

                    @Override
                    public String toString() {
                        return name + size + mail + stated;
                    }
                }
                """);
        assertThat(read(OLD, reader, "ann", 7)).isEqualTo("ann5none9");
    }
}
