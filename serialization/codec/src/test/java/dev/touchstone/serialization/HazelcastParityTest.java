package dev.touchstone.serialization;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.serialization.schema.FieldKind;
import dev.touchstone.serialization.schema.Schema;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The same schema ids and the same bytes as Hazelcast, which reads what we write. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HazelcastParityTest {
    private final long seed = Long.getLong("seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);
    private final Samples samples = new Samples(random).insideByName();

    private void check(SampleCodec codec, Sample sample) {
        check(codec, new HazelcastPeer(codec), sample);
    }

    private void check(SampleCodec codec, HazelcastPeer peer, Sample sample) {
        String what = "seed=" + seed + " sample=" + sample;
        byte[] theirs = peer.encode(sample);
        CompactSerialization serialization = RoundTripTest.serialization(codec);
        byte[] ours = serialization.encode(sample, codec);
        if (!Arrays.equals(ours, theirs)) {
            assertThat(HexFormat.of().formatHex(ours))
                    .as(what)
                    .isEqualTo(HexFormat.of().formatHex(theirs));
        }
        assertThat(peer.schemas()).as(what).containsKey(codec.schema().id());
        assertThat(peer.decode(ours)).as(what).isEqualTo(sample);
        assertThat(serialization.decode(theirs, codec)).as(what).isEqualTo(sample);
    }

    @Test
    void encode_small_givesTheGoldenBytes() {
        Schema schema = Small.Codec.SCHEMA;
        SampleCodec codec = new SampleCodec(schema, new int[] {1, 0, 2, 3}, new @Nullable SampleCodec[4], false);
        Sample sample = new Sample(schema, new Object[] {-420.42, 42, 1234567890L, Small.LOREM});
        assertThat(HexFormat.of().formatHex(new HazelcastPeer(codec).encode(sample)))
                .isEqualTo(Small.WRITTEN_BYTES);
        check(codec, sample);
    }

    @Test
    void encode_ofRandomRecords_givesEqualBytes() {
        random(2_000);
    }

    @Test
    @Tag("slow")
    @Timeout(value = 3600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void encode_of300000RandomRecords_givesEqualBytes() {
        random(300_000);
    }

    private void random(int count) {
        for (int i = 0; i < count; i += 10) {
            SampleCodec codec = samples.codec(30, 3);
            HazelcastPeer peer = new HazelcastPeer(codec);
            for (int j = 0; j < 10; j++) {
                check(codec, peer, samples.sample(codec, i % 100 == 0 && j == 0 ? 2_000 : 8));
            }
        }
    }

    @Test
    void encode_ofEachKindAlone_givesEqualBytes() {
        for (FieldKind kind : FieldKind.values()) {
            SampleCodec codec = samples.codec(List.of(kind), 1);
            HazelcastPeer peer = new HazelcastPeer(codec);
            for (int i = 0; i < 200; i++) {
                check(codec, peer, samples.sample(codec, 40));
            }
        }
    }

    @Test
    void encode_ofStringsAroundTheSwitches_givesEqualBytes() {
        SampleCodec codec = samples.codec(List.of(FieldKind.STRING, FieldKind.BOOLEAN, FieldKind.STRING), 0);
        HazelcastPeer peer = new HazelcastPeer(codec);
        for (int middle : new int[] {255, 65_535, 1 << 24}) {
            for (int length = middle - 20; length < middle + 3; length++) {
                Sample sample = samples.sample(codec, 1);
                boolean isFirst = true;
                for (int i = 0; i < 3; i++) {
                    if (codec.schema().field(i).kind() == FieldKind.STRING) {
                        sample.values[i] = isFirst ? "x".repeat(length) : null;
                        isFirst = false;
                    }
                }
                check(codec, peer, sample);
                length += middle == 1 << 24 ? 10 : 0;
            }
        }
    }

    /** Lengths of data, and of items, on both sides of 255 and 65 535 for every kind of array. */
    @Test
    void encode_ofArraysAroundTheSwitches_givesEqualBytes() {
        for (FieldKind kind : FieldKind.values()) {
            if (kind.isArray() && kind != FieldKind.ARRAY_OF_COMPACT) {
                SampleCodec codec = samples.codec(List.of(kind), 0);
                HazelcastPeer peer = new HazelcastPeer(codec);
                for (int most : new int[] {64, 128, 255, 300, 8_192, 32_768, 66_000}) {
                    check(codec, peer, samples.sample(codec, most));
                }
            }
        }
    }

    @Test
    void encode_ofItemsThatEndAtTheSwitches_givesEqualBytes() {
        SampleCodec codec = samples.codec(List.of(FieldKind.ARRAY_OF_STRING), 0);
        HazelcastPeer peer = new HazelcastPeer(codec);
        for (int middle : new int[] {255, 65_535}) {
            for (int length = middle - 20; length < middle + 3; length++) {
                @Nullable String[] items = {"ab", null, "x".repeat(length - 10)};
                check(codec, peer, new Sample(codec.schema(), new @Nullable Object[] {items}));
            }
        }
    }

    @Test
    void encode_ofHalfSurrogates_givesEqualBytes() {
        SampleCodec codec = samples.codec(List.of(FieldKind.STRING), 0);
        HazelcastPeer peer = new HazelcastPeer(codec);
        for (String string : new String[] {"\ud83d", "a\ude07\ud83db", "\ude07\ud83d\ude07"}) {
            Sample sample = new Sample(codec.schema(), new Object[] {string});
            assertThat(RoundTripTest.serialization(codec).encode(sample, codec)).isEqualTo(peer.encode(sample));
        }
    }

    /** Generic records are written by name, ours in the order of calls: equal where that is the same. */
    @Test
    void encode_ofGenericRecords_givesEqualBytes() {
        for (int i = 0; i < 500; i++) {
            SampleCodec any = samples.codec(20, 2);
            int[] byName = new int[any.order().length];
            @Nullable SampleCodec[] inside = new @Nullable SampleCodec[byName.length];
            for (int field = 0; field < byName.length; field++) {
                byName[field] = field;
                FieldKind kind = any.schema().field(field).kind();
                boolean isRecord = kind == FieldKind.COMPACT || kind == FieldKind.ARRAY_OF_COMPACT;
                inside[field] = isRecord ? any.inside(field) : null;
            }
            SampleCodec codec = new SampleCodec(any.schema(), byName, inside, false);
            Sample sample = samples.sample(codec, 8);
            assertThat(RoundTripTest.serialization(codec).encode(sample, codec))
                    .as("seed=%d sample=%s", seed, sample)
                    .isEqualTo(new HazelcastPeer(codec).encodeGeneric(sample));
        }
    }
}
