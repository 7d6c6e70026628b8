package dev.touchstone.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.serialization.exception.CompactFieldException;
import dev.touchstone.serialization.exception.CompactSchemaException;
import dev.touchstone.serialization.exception.UnknownSchemaException;
import dev.touchstone.serialization.schema.FieldKind;
import dev.touchstone.serialization.schema.Schema;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Records of one version of a type, read by the codec of another. */
class EvolutionTest {
    private static final Schema OLD = Schema.builder("person")
            .field("age", FieldKind.INT32)
            .field("name", FieldKind.STRING)
            .field("zip", FieldKind.STRING)
            .build();
    private static final Schema NEW = Schema.builder("person")
            .field("age", FieldKind.NULLABLE_INT32)
            .field("email", FieldKind.STRING)
            .field("name", FieldKind.STRING)
            .build();

    private static CompactSerialization knowing(Schema... schemas) {
        CompactSerialization.Builder builder = CompactSerialization.builder();
        for (Schema schema : schemas) {
            builder.schema(schema);
        }
        return builder.build();
    }

    private static byte[] person(Schema schema, @Nullable Object... values) {
        int[] order = {0, 1, 2};
        SampleCodec codec = new SampleCodec(schema, order, new @Nullable SampleCodec[3], false);
        return knowing().encode(new Sample(schema, values), codec);
    }

    private static <T> T read(byte[] bytes, Schema own, Function<CompactReader, T> read) {
        @SuppressWarnings("unchecked")
        Class<T> type = (Class<T>) Object.class;
        return knowing(OLD, NEW).decode(bytes, Codecs.reading(type, own, read));
    }

    @Test
    void newCodec_ofOldRecord_findsFieldsByName() {
        byte[] old = person(OLD, 7, "ann", "8000");
        String text = read(old, NEW, in -> {
            assertThat(in.schema()).isEqualTo(OLD);
            assertThat(in.has(0)).isTrue();
            assertThat(in.has(1)).isFalse();
            assertThat(in.has("email")).isFalse();
            assertThat(in.has("zip")).isTrue();
            return in.readNullableInt32(0) + in.readString(2) + in.readString("name") + in.readString("zip");
        });
        assertThat(text).isEqualTo("7annann8000");
        assertThatThrownBy(() -> read(old, NEW, in -> String.valueOf(in.readString(1))))
                .isInstanceOfSatisfying(CompactFieldException.class, e -> {
                    assertThat(e.fieldName()).isEqualTo("email");
                    assertThat(e.typeName()).isEqualTo("person");
                });
        assertThatThrownBy(() -> read(old, NEW, in -> String.valueOf(in.readString("email"))))
                .isInstanceOf(CompactFieldException.class);
    }

    @Test
    void oldCodec_ofNewRecord_readsNullableAsPlain() {
        int twice = read(person(NEW, 7, "a@b", "ann"), OLD, in -> in.readInt32(0) + in.readInt32("age"));
        assertThat(twice).isEqualTo(14);
        assertThatThrownBy(() -> read(person(NEW, null, "a@b", "ann"), OLD, in -> in.readInt32(0)))
                .isInstanceOf(CompactFieldException.class)
                .hasMessageContaining("null");
    }

    @Test
    void codec_ofAnotherKind_isRefused() {
        Schema text = Schema.builder("person").field("age", FieldKind.STRING).build();
        byte[] old = person(OLD, 7, "ann", "8000");
        assertThatThrownBy(() -> read(old, text, in -> String.valueOf(in.readString(0))))
                .isInstanceOf(CompactFieldException.class)
                .hasMessageContaining("another kind");
    }

    @Test
    void codec_ofAnotherType_isRefused() {
        Schema other = Schema.builder("dog").field("age", FieldKind.INT32).build();
        assertThatThrownBy(() -> read(person(OLD, 7, "ann", "8000"), other, in -> in.readInt32(0)))
                .isInstanceOf(CompactSchemaException.class)
                .hasMessageContaining("dog");
    }

    @Test
    void decode_ofUnknownSchema_saysItsId() {
        byte[] old = person(OLD, 7, "ann", "8000");
        assertThatThrownBy(() -> knowing(NEW).decode(old))
                .isInstanceOfSatisfying(
                        UnknownSchemaException.class,
                        e -> assertThat(e.schemaId()).isEqualTo(OLD.id()));
    }

    @Test
    void decode_asksTheSourceOnceAndRefusesAForgedSchema() {
        byte[] old = person(OLD, 7, "ann", "8000");
        int[] calls = new int[1];
        CompactSerialization found = CompactSerialization.builder()
                .schemas(id -> {
                    calls[0]++;
                    return Map.of(OLD.id(), OLD).get(id);
                })
                .build();
        assertThat(found.view(old).value("name")).isEqualTo("ann");
        assertThat(found.view(old).value("age")).isEqualTo(7);
        assertThat(calls[0]).isEqualTo(1);
        CompactSerialization forged =
                CompactSerialization.builder().schemas(id -> NEW).build();
        assertThatThrownBy(() -> forged.view(old))
                .isInstanceOf(CompactSchemaException.class)
                .hasMessageContaining("fingerprint");
    }

    /** Every kind without nulls read as the one with, and back. */
    @Test
    void reader_ofKindsWithAndWithoutNulls_readsThemForEachOther() {
        for (FieldKind kind : FieldKind.values()) {
            for (FieldKind wanted : FieldKind.values()) {
                if (kind != wanted && kind.isReadableAs(wanted)) {
                    checkReadAs(kind, wanted);
                }
            }
        }
    }

    private static void checkReadAs(FieldKind kind, FieldKind wanted) {
        Samples samples = new Samples(new SplittableRandom(kind.id()));
        Schema schema = Schema.builder("t").field("a", kind).build();
        Schema other = Schema.builder("t").field("a", wanted).build();
        SampleCodec codec = new SampleCodec(schema, new int[1], new @Nullable SampleCodec[1], false);
        SampleCodec reading = new SampleCodec(other, new int[1], new @Nullable SampleCodec[1], false);
        CompactSerialization serialization = knowing(schema, other);
        int refused = 0;
        for (int i = 0; i < 100; i++) {
            byte[] bytes = serialization.encode(samples.sample(codec, 3), codec);
            try {
                Sample read = serialization.decode(bytes, reading);
                assertThat(serialization.decode(serialization.encode(read, reading), codec))
                        .isEqualTo(serialization.decode(bytes, codec));
            } catch (CompactFieldException e) {
                assertThat(e).hasMessageContaining("null");
                refused++;
            }
        }
        assertThat(refused).as("%s as %s", kind, wanted).isLessThan(90);
    }
}
