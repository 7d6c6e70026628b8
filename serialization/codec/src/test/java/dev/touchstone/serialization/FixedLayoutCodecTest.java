package dev.touchstone.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.serialization.exception.CompactException;
import dev.touchstone.serialization.exception.CompactLimitException;
import dev.touchstone.serialization.schema.RecordLayout;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The straight way and the one by index and kind must be two ways to the same bytes, objects and errors. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FixedLayoutCodecTest {
    private static final FixedLayoutCodec<Small> STRAIGHT = new SmallFixedLayoutCodec();
    private static final CompactSerialization SERIALIZATION =
            CompactSerialization.builder().codec(STRAIGHT).build();
    private static final CompactSerialization BY_INDEX =
            CompactSerialization.builder().codec(Small.Codec.INSTANCE).build();

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);

    @Test
    void encode_ofTheSeedsObject_givesItsBytes() {
        assertThat(HexFormat.of().formatHex(SERIALIZATION.encode(Small.WRITTEN)))
                .isEqualTo(Small.WRITTEN_BYTES);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 8, 9, 15, 16, 17, 24, 25, 63, 64, 65, 229, 230, 231, 65_000, 65_510, 65_511, 65_512})
    void encode_ofStringsOfManyLengths_givesTheBytesOfTheOtherWay(int length) {
        for (String unit : new String[] {"a", "\u00e9", "\u4e2d", "\ud83d\ude07", "\ud83d", "\u0141"}) {
            String value = unit.repeat(length);
            String last = "a".repeat(length) + unit;
            for (String each : new String[] {value, last, unit + last}) {
                Small small = new Small(1, 2, 3, each);
                byte[] bytes = SERIALIZATION.encode(small);
                assertThat(bytes).isEqualTo(BY_INDEX.encode(small));
                assertThat(STRAIGHT.decode(bytes, Limits.DEFAULT)).isEqualTo(BY_INDEX.decode(bytes));
            }
        }
    }

    @Test
    void decode_ofNull_takesTheStraightWay() {
        Small small = new Small(1, Double.NaN, -1, null);
        assertThat(STRAIGHT.decode(BY_INDEX.encode(small), Limits.DEFAULT)).isEqualTo(small);
    }

    @Test
    void decode_ofChangedBytes_endsAsTheOtherWayDoes() {
        for (int i = 0; i < 40_000; i++) {
            String text = "x".repeat(random.nextInt(40)) + (random.nextInt(4) == 0 ? "\u00e9" : "");
            byte[] bytes = SERIALIZATION.encode(new Small(
                    random.nextInt(), random.nextDouble(), random.nextLong(), random.nextInt(9) == 0 ? null : text));
            byte[] changed = changed(bytes);
            assertThat(outcome(SERIALIZATION, changed))
                    .as("seed=%d round=%d bytes=%s", seed, i, HexFormat.of().formatHex(changed))
                    .isEqualTo(outcome(BY_INDEX, changed));
        }
    }

    private byte[] changed(byte[] bytes) {
        byte[] changed = bytes.clone();
        int at = random.nextInt(bytes.length);
        switch (random.nextInt(3)) {
            case 0 -> changed[at] = (byte) random.nextInt();
            case 1 -> changed = Arrays.copyOf(bytes, random.nextInt(2) == 0 ? at : bytes.length + at);
            default -> changed[at] ^= (byte) (1 << random.nextInt(8));
        }
        return changed;
    }

    private static Object outcome(CompactSerialization serialization, byte[] bytes) {
        try {
            return serialization.decode(bytes);
        } catch (CompactException e) {
            return e.toString();
        }
    }

    @Test
    void encode_beyondALimit_isRefused() {
        CompactSerialization limited = CompactSerialization.builder()
                .codec(STRAIGHT)
                .limits(Limits.DEFAULT.withMaxBytes(71))
                .build();
        assertThatThrownBy(() -> limited.encode(Small.WRITTEN))
                .isInstanceOf(CompactLimitException.class)
                .hasMessageContaining("limit=maxBytes value=72 allowed=71");
        byte[] bytes = SERIALIZATION.encode(Small.WRITTEN);
        assertThatThrownBy(() -> limited.decode(bytes)).isInstanceOf(CompactLimitException.class);
    }

    @Test
    void readInside_ofARecordTooDeep_isLeftToTheOtherWay() {
        byte[] bytes = SERIALIZATION.encode(Small.WRITTEN);
        Limits two = Limits.DEFAULT.withMaxDepth(2);
        assertThat(STRAIGHT.readInside(bytes, RecordLayout.HEADER_BYTES, bytes.length, 1, two))
                .isEqualTo(Small.WRITTEN);
        assertThat(STRAIGHT.readInside(bytes, RecordLayout.HEADER_BYTES, bytes.length, 2, two))
                .isNull();
    }

    /** By the constants that the processor would have found. */
    private static final class SmallFixedLayoutCodec extends FixedLayoutCodec<Small> {
        private static final int FIXED_BYTES = 20;

        SmallFixedLayoutCodec() {
            super(Small.class, Small.Codec.SCHEMA);
        }

        @Override
        public void write(CompactWriter writer, Small value) {
            Small.Codec.INSTANCE.write(writer, value);
        }

        @Override
        public Small read(CompactReader reader) {
            return Small.Codec.INSTANCE.read(reader);
        }

        @Override
        protected void write(Small value, Output out) {
            int data = out.begin(schema().id(), FIXED_BYTES);
            out.putFloat64(data, value.doubleField());
            out.putInt64(data + 8, value.longField());
            out.putInt32(data + 16, value.intField());
            int at0 = out.put(data, value.stringField(), ValueFormat.STRING);
            int table = out.endData(data, 1);
            out.putOffset(table, Output.shift(data, table), 0, at0);
        }

        @Override
        protected @Nullable Small read(byte[] in, int data, int table, int width, int depth, Limits limits) {
            int none = Input.none(width);
            int next = data + FIXED_BYTES;
            String text = null;
            int offset = Input.offset(in, table + width, none);
            if (offset == next - data) {
                text = ValueFormat.STRING.read(in, next, table, limits);
                if (text == null) {
                    return null;
                }
                next = ValueFormat.STRING.end(in, next);
            } else if (offset != none) {
                return null;
            }
            return next == table
                    ? new Small(Input.int32(in, data + 16), Input.float64(in, data), Input.int64(in, data + 8), text)
                    : null;
        }
    }
}
