package dev.touchstone.serialization;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.serialization.schema.FieldKind;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What was written is read again: by codec, by view, by name and by index, in any order. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RoundTripTest {
    private final long seed = Long.getLong("seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);
    private final Samples samples = new Samples(random);

    private void check(SampleCodec codec, Sample sample) {
        CompactSerialization serialization = serialization(codec);
        byte[] bytes = serialization.encode(sample, codec);
        String what = "seed=" + seed + " sample=" + sample;
        assertThat(serialization.decode(bytes, codec)).as(what).isEqualTo(sample);
        assertThat(Sample.of(serialization.view(bytes))).as(what).isEqualTo(sample);
        assertThat(serialization.view(bytes).toString())
                .as(what)
                .startsWith(codec.schema().typeName() + "{");
        assertThat(serialization.encode(serialization.decode(bytes, codec), codec))
                .as(what)
                .isEqualTo(bytes);
    }

    static CompactSerialization serialization(SampleCodec codec) {
        CompactSerialization.Builder builder = CompactSerialization.builder();
        all(codec).forEach(each -> builder.schema(each.schema()));
        return builder.build();
    }

    private static Stream<SampleCodec> all(SampleCodec codec) {
        Stream<SampleCodec> inside = Stream.of(codec.order())
                .flatMapToInt(Arrays::stream)
                .filter(field -> isRecord(codec.schema().field(field).kind()))
                .mapToObj(codec::inside)
                .flatMap(RoundTripTest::all);
        return Stream.concat(Stream.of(codec), inside);
    }

    private static boolean isRecord(FieldKind kind) {
        return kind == FieldKind.COMPACT || kind == FieldKind.ARRAY_OF_COMPACT;
    }

    @Test
    void decode_ofRandomRecords_givesEqualSamplesAndBytes() {
        for (int i = 0; i < 4000; i++) {
            SampleCodec codec = samples.codec(20, 3);
            check(codec, samples.sample(codec, i % 100 == 0 ? 3000 : 8));
        }
    }

    @Test
    void decode_ofEachKindAlone_givesEqualSamples() {
        for (FieldKind kind : FieldKind.values()) {
            for (int i = 0; i < 100; i++) {
                SampleCodec codec = samples.codec(List.of(kind), 1);
                check(codec, samples.sample(codec, 20));
            }
        }
    }

    /** Each kind beside each other one, so that each is first, last and in between. */
    @Test
    void decode_ofEachPairOfKinds_givesEqualSamples() {
        for (FieldKind first : FieldKind.values()) {
            for (FieldKind second : FieldKind.values()) {
                SampleCodec codec = samples.codec(List.of(first, second, FieldKind.BOOLEAN), 1);
                check(codec, samples.sample(codec, 4));
            }
        }
    }

    @Test
    void decode_ofArraysAroundTheSwitches_givesEqualSamples() {
        SampleCodec codec = samples.codec(List.of(FieldKind.ARRAY_OF_STRING), 0);
        for (int length : new int[] {254, 255, 256, 65_534, 65_535, 65_536, 200_000}) {
            for (int first : new int[] {0, 1, 100}) {
                @Nullable String[] items = {"x".repeat(first), null, "y".repeat(length - 8 - first)};
                check(codec, new Sample(codec.schema(), new @Nullable Object[] {items}));
            }
        }
    }

    @Test
    void decode_ofManyFields_givesEqualSamples() {
        for (int count : new int[] {63, 64, 65, 255, 256, 1000}) {
            SampleCodec codec = samples.codec(count * 2, 0);
            check(codec, samples.sample(codec, 3));
        }
    }

    @Test
    void decode_ofVeryLongString_givesIt() {
        SampleCodec codec = samples.codec(List.of(FieldKind.STRING, FieldKind.INT32), 0);
        Sample sample = samples.sample(codec, 1);
        for (int i = 0; i < 2; i++) {
            if (codec.schema().field(i).kind() == FieldKind.STRING) {
                sample.values[i] = "\u4e16".repeat(6_000_000);
            }
        }
        CompactSerialization serialization = serialization(codec);
        assertThat(serialization
                        .decode(serialization.encode(sample, codec), codec)
                        .equals(sample))
                .isTrue();
    }
}
