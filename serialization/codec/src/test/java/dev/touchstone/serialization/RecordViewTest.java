package dev.touchstone.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.serialization.exception.CompactFieldException;
import dev.touchstone.serialization.exception.CompactFormatException;
import dev.touchstone.serialization.exception.UnknownSchemaException;
import dev.touchstone.serialization.schema.FieldKind;
import dev.touchstone.serialization.schema.Schema;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RecordViewTest {
    private final long seed = Long.getLong("seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);
    private final Samples samples = new Samples(random);
    private final CompactSerialization serialization =
            CompactSerialization.builder().codec(Small.Codec.INSTANCE).build();
    private final RecordView view = serialization.newRecordView(Small.Codec.SCHEMA);

    private byte[] small(@Nullable String text) {
        return serialization.encode(new Small(1, 2.5, 3, text));
    }

    @Test
    void read_ofEachField_givesItsValue() {
        view.wrap(small("abc"));
        assertThat(view.readInt32(Small.Codec.INT)).isEqualTo(1);
        assertThat(view.readFloat64(Small.Codec.DOUBLE)).isEqualTo(2.5);
        assertThat(view.readInt64(Small.Codec.LONG)).isEqualTo(3);
        assertThat(view.readString(Small.Codec.STRING)).isEqualTo("abc");
        assertThat(view.has(Small.Codec.STRING)).isTrue();
        assertThat(view.isNull(Small.Codec.STRING)).isFalse();
        assertThat(view.isNull(Small.Codec.INT)).isFalse();
        view.wrap(small(null));
        assertThat(view.readString(Small.Codec.STRING)).isNull();
        assertThat(view.isNull(Small.Codec.STRING)).isTrue();
        assertThat(view.stringEquals(Small.Codec.STRING, "")).isFalse();
        assertThat(view.reader().readInt32("intField")).isEqualTo(1);
    }

    @Test
    void stringEquals_ofAnyTwoStrings_isWhatEqualsSays() {
        for (int i = 0; i < 20_000; i++) {
            String one = samples.string(4);
            String other = random.nextBoolean() ? samples.string(4) : one;
            view.wrap(small(one));
            String what = "seed=" + seed + " one=" + one + " other=" + other;
            assertThat(view.readString(Small.Codec.STRING)).as(what).isEqualTo(one);
            assertThat(view.stringEquals(Small.Codec.STRING, other)).as(what).isEqualTo(one.equals(other));
            assertThat(view.stringEquals(Small.Codec.STRING, other.getBytes(StandardCharsets.UTF_8)))
                    .as(what)
                    .isEqualTo(one.equals(other));
        }
    }

    /** Whatever the order in which values were written, and whatever is null between them. */
    @Test
    void read_ofRandomRecords_givesWhatTheReaderGives() {
        for (int i = 0; i < 2_000; i++) {
            SampleCodec codec = samples.codec(20, 1);
            CompactSerialization all = RoundTripTest.serialization(codec);
            Sample sample = samples.sample(codec, 6);
            RecordView over = all.newRecordView(codec.schema()).wrap(all.encode(sample, codec));
            for (int field = 0; field < sample.values.length; field++) {
                String what = "seed=" + seed + " field=" + field + " sample=" + sample;
                assertThat(over.isNull(field)).as(what).isEqualTo(sample.values[field] == null);
                FieldKind kind = codec.schema().field(field).kind();
                if (kind.isFixed() || kind == FieldKind.STRING) {
                    assertThat(read(over, field, kind)).as(what).isEqualTo(sample.values[field]);
                }
            }
        }
    }

    private static @Nullable Object read(RecordView view, int field, FieldKind kind) {
        return switch (kind) {
            case BOOLEAN -> view.readBoolean(field);
            case INT8 -> view.readInt8(field);
            case INT16 -> view.readInt16(field);
            case INT32 -> view.readInt32(field);
            case INT64 -> view.readInt64(field);
            case FLOAT32 -> view.readFloat32(field);
            case FLOAT64 -> view.readFloat64(field);
            default -> view.readString(field);
        };
    }

    @Test
    void wrap_ofOtherVersions_findsFieldsByName() {
        Schema wider = Schema.builder("small")
                .field("aaa", FieldKind.STRING)
                .field("intField", FieldKind.NULLABLE_INT32)
                .field("stringField", FieldKind.STRING)
                .build();
        SampleCodec codec = new SampleCodec(wider, new int[] {2, 1, 0}, new @Nullable SampleCodec[3], false);
        CompactSerialization both = CompactSerialization.builder()
                .codec(Small.Codec.INSTANCE)
                .schema(wider)
                .build();
        byte[] other = both.encode(new Sample(wider, new Object[] {"x", 9, "y"}), codec);
        RecordView over = both.newRecordView(Small.Codec.SCHEMA);
        for (int i = 0; i < 3; i++) {
            over.wrap(other);
            assertThat(over.recordSchema()).isEqualTo(wider);
            assertThat(over.readString(Small.Codec.STRING)).isEqualTo("y");
            assertThat(over.readInt32(Small.Codec.INT)).isEqualTo(9);
            assertThat(over.has(Small.Codec.LONG)).isFalse();
            assertThatThrownBy(() -> over.readInt64(Small.Codec.LONG)).isInstanceOf(CompactFieldException.class);
            assertThatThrownBy(() -> over.readString(4)).isInstanceOf(IndexOutOfBoundsException.class);
            over.wrap(small("z"));
            assertThat(over.readString(Small.Codec.STRING)).isEqualTo("z");
            assertThat(over.recordSchema()).isEqualTo(Small.Codec.SCHEMA);
        }
        assertThatThrownBy(() -> view.wrap(other)).isInstanceOf(UnknownSchemaException.class);
        assertThat(view.wrap(small("z")).readString(Small.Codec.STRING)).isEqualTo("z");
    }

    @Test
    void read_ofDamagedRecords_endsInValueOrTypedException() {
        byte[] bytes = small("abc\u00e9");
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> view.wrap(cut)).isInstanceOf(CompactFormatException.class);
        }
        for (int i = 0; i < 200_000; i++) {
            byte[] changed = bytes.clone();
            changed[random.nextInt(bytes.length)] = (byte) random.nextInt();
            changed[random.nextInt(bytes.length)] = (byte) random.nextInt();
            try {
                view.wrap(changed);
                view.readString(Small.Codec.STRING);
                view.stringEquals(Small.Codec.STRING, "abc");
            } catch (CompactFormatException | UnknownSchemaException e) {
                assertThat(e).hasMessageContaining("=");
            } catch (RuntimeException | Error e) {
                throw new AssertionError(
                        "seed=" + seed + " bytes=" + HexFormat.of().formatHex(changed), e);
            }
        }
    }
}
