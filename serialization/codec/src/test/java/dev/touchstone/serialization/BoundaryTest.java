package dev.touchstone.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.serialization.Codecs.Link;
import dev.touchstone.serialization.exception.CompactFormatException;
import dev.touchstone.serialization.exception.CompactLimitException;
import dev.touchstone.serialization.exception.CompactSchemaException;
import dev.touchstone.serialization.layout.BigEndian;
import dev.touchstone.serialization.schema.FieldKind;
import dev.touchstone.serialization.schema.Schema;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sizes at which the layout changes or another format would end, ours and Hazelcast's; schemas that lie; objects that never end. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BoundaryTest {
    private final Samples samples = new Samples(new SplittableRandom(1));

    private void check(SampleCodec codec, @Nullable Object... values) {
        Sample sample = new Sample(codec.schema(), values);
        HazelcastPeer peer = new HazelcastPeer(codec);
        CompactSerialization serialization = RoundTripTest.serialization(codec);
        byte[] ours = serialization.encode(sample, codec);
        assertThat(ours).isEqualTo(peer.encode(sample));
        assertThat(serialization.decode(ours, codec).equals(sample)).isTrue();
        assertThat(Sample.of(serialization.view(ours)).equals(sample)).isTrue();
        assertThat(peer.decode(ours).equals(sample)).isTrue();
    }

    /** In bytes of UTF-8, where each sign takes 1, 2 or 3. */
    @Test
    void strings_around65535BytesAndOver16MiB_areReadAgain() {
        SampleCodec codec = samples.codec(List.of(FieldKind.STRING), 0);
        for (int bytes : new int[] {65_529, 65_530, 65_531, 65_532, 65_534, 65_535, 65_536, 65_537, (1 << 24) + 1}) {
            for (String sign : new String[] {"x", "\u00e9", "\u4e16"}) {
                int size = sign.equals("x") ? 1 : sign.equals("\u00e9") ? 2 : 3;
                String text = sign.repeat(bytes / size) + "x".repeat(bytes % size);
                check(codec, text);
            }
        }
    }

    /** One array of each fixed item size so long that its bytes end around each switch, alone and behind a null. */
    @Test
    void arrays_aroundEachSwitch_areReadAgain() {
        SampleCodec codec = samples.codec(List.of(FieldKind.ARRAY_OF_INT8, FieldKind.STRING), 0);
        boolean isArrayFirst = codec.schema().field(0).kind() == FieldKind.ARRAY_OF_INT8;
        for (int length : new int[] {254, 255, 256, 65_534, 65_535, 65_536}) {
            byte[] array = new byte[length - Integer.BYTES];
            check(codec, isArrayFirst ? array : null, isArrayFirst ? null : array);
        }
        SampleCodec longs = samples.codec(List.of(FieldKind.ARRAY_OF_INT64), 0);
        SampleCodec bits = samples.codec(List.of(FieldKind.ARRAY_OF_BOOLEAN), 0);
        for (int length : new int[] {31, 32, 8_191, 8_192}) {
            check(longs, new long[length]);
            check(bits, new boolean[length * 64 - 32]);
            check(bits, new boolean[length * 64 - 31]);
        }
    }

    /** Items whose own lengths end at the switches, with the null that is all ones in the width at hand. */
    @Test
    void itemsWithNulls_aroundEachSwitch_areReadAgain() {
        SampleCodec codec = samples.codec(List.of(FieldKind.ARRAY_OF_NULLABLE_INT8), 0);
        for (int count : new int[] {253, 254, 255, 256, 65_534, 65_535, 65_536}) {
            @Nullable Byte[] items = new @Nullable Byte[count + 1];
            for (int i = 0; i < count; i++) {
                items[i] = (byte) i;
            }
            check(codec, (Object) items);
        }
    }

    @Test
    void schema_thatIsForged_isRefusedWhereverItComesFrom() {
        Schema schema = Small.Codec.SCHEMA;
        Schema other =
                Schema.builder("small").field("intField", FieldKind.INT32).build();
        byte[] record = CompactSerialization.builder()
                .codec(Small.Codec.INSTANCE)
                .build()
                .encode(Small.WRITTEN);
        assertThatThrownBy(() -> Schema.verified(schema.id(), "small", other.fields()))
                .isInstanceOf(CompactSchemaException.class);
        CompactSerialization lied =
                CompactSerialization.builder().schemas(id -> other).build();
        assertThatThrownBy(() -> lied.view(record))
                .isInstanceOf(CompactSchemaException.class)
                .hasMessageContaining("fingerprint");
        BigEndian.putInt64(record, 8, other.id());
        CompactSerialization both = CompactSerialization.builder().schema(other).build();
        assertThatThrownBy(() -> both.view(record)).isInstanceOf(CompactFormatException.class);
    }

    @Test
    void encode_ofACycleOfTwo_isRefusedAndLeavesTheWriterUsable() {
        CompactSerialization serialization =
                CompactSerialization.builder().codec(Link.CODEC).build();
        Link first = new Link(null);
        first.next = new Link(first);
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> serialization.encode(first))
                    .isInstanceOfSatisfying(
                            CompactLimitException.class,
                            e -> assertThat(e.limit()).isEqualTo("maxDepth"));
            assertThat(((Link) serialization.decode(serialization.encode(Link.chain(5)))).length())
                    .isEqualTo(5);
        }
    }
}
