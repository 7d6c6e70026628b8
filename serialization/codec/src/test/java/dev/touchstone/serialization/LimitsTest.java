package dev.touchstone.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.serialization.Codecs.Link;
import dev.touchstone.serialization.exception.CompactFormatException;
import dev.touchstone.serialization.exception.CompactLimitException;
import dev.touchstone.serialization.schema.FieldKind;
import dev.touchstone.serialization.schema.Schema;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class LimitsTest {
    private static final Schema INTS =
            Schema.builder("ints").field("items", FieldKind.ARRAY_OF_INT32).build();
    private static final CompactCodec<int[]> INTS_CODEC =
            Codecs.of(int[].class, INTS, (writer, value) -> writer.writeArrayOfInt32(0, value), reader -> {
                int[] items = reader.readArrayOfInt32(0);
                return items == null ? new int[0] : items;
            });

    private static CompactSerialization with(Limits limits) {
        return CompactSerialization.builder()
                .codec(Link.CODEC)
                .codec(INTS_CODEC)
                .limits(limits)
                .build();
    }

    private static void assertLimit(String limit, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        CompactLimitException.class, e -> assertThat(e.limit()).isEqualTo(limit));
    }

    @Test
    void encodeAndDecode_asDeepAsAllowed_succeedAndNoDeeper() {
        CompactSerialization all = with(Limits.DEFAULT.withMaxDepth(1000));
        CompactSerialization few = with(Limits.DEFAULT.withMaxDepth(10));
        assertThat(((Link) few.decode(few.encode(Link.chain(10)))).length()).isEqualTo(10);
        assertLimit("maxDepth", () -> few.encode(Link.chain(11)));
        assertLimit("maxDepth", () -> few.decode(all.encode(Link.chain(11))));
        assertThat(((Link) few.decode(few.encode(Link.chain(10)))).length()).isEqualTo(10);
        assertThat(((Link) all.decode(all.encode(Link.chain(1000)))).length()).isEqualTo(1000);
        GenericView view = few.view(all.encode(Link.chain(11)));
        assertLimit("maxDepth", view::toString);
    }

    @Test
    void encode_ofObjectsInACircle_isRefused() {
        CompactSerialization serialization = with(Limits.DEFAULT);
        Link link = new Link(null);
        link.next = link;
        assertLimit("maxDepth", () -> serialization.encode(link));
    }

    @Test
    void encodeAndDecode_deeperThanTheStack_areRefused() {
        int depth = 1_000_000;
        CompactSerialization serialization = with(Limits.DEFAULT.withMaxDepth(Integer.MAX_VALUE));
        Link chain = new Link(null);
        for (int i = 1; i < depth; i++) {
            Link outer = new Link(null);
            outer.next = chain;
            chain = outer;
        }
        Link outermost = chain;
        assertLimit("maxDepth", () -> serialization.encode(outermost));
        byte[] deep = nested(depth);
        assertLimit("maxDepth", () -> serialization.decode(deep));
        assertThat(((Link) serialization.decode(serialization.encode(Link.chain(300)))).length())
                .isEqualTo(300);
    }

    /** Returns the record of a chain: each has the next inside, then the offset of that. */
    private static byte[] nested(int depth) {
        long id = Link.CODEC.schema().id();
        int head = 12;
        int tables = 0;
        int length = 0;
        int[] lengths = new int[depth];
        for (int i = 1; i < depth; i++) { // from the innermost
            int table = length < 0xff ? 1 : length < 0xffff ? 2 : 4;
            tables += i == 1 ? 1 : table;
            length = head * i + tables;
            lengths[i] = length;
        }
        ByteBuffer bytes = ByteBuffer.allocate(8 + head + length + 4);
        bytes.putInt(0).putInt(-55);
        for (int i = depth - 1; i >= 0; i--) {
            bytes.putLong(id).putInt(lengths[i]);
        }
        bytes.put((byte) 0xff);
        for (int i = 1; i < depth; i++) {
            if (lengths[i] < 0xff) {
                bytes.put((byte) 0);
            } else if (lengths[i] < 0xffff) {
                bytes.putShort((short) 0);
            } else {
                bytes.putInt(0);
            }
        }
        return Arrays.copyOf(bytes.array(), bytes.position());
    }

    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void encode_ofAGraphThatIsShared_endsAtTheLargestSize() {
        Pair graph = new Pair(null, null);
        for (int i = 0; i < 200; i++) {
            graph = new Pair(graph, graph);
        }
        Pair shared = graph;
        for (CompactCodec<Pair> codec : List.of(Pair.CODEC, Pair.STRAIGHT)) {
            CompactSerialization serialization =
                    CompactSerialization.builder().codec(codec).build();
            assertLimit("maxBytes", () -> serialization.encode(shared));
        }
    }

    private record Pair(@Nullable Pair left, @Nullable Pair right) {
        static final Schema SCHEMA = Schema.builder("pair")
                .field("left", FieldKind.COMPACT)
                .field("right", FieldKind.COMPACT)
                .build();

        static final CompactCodec<Pair> CODEC = Codecs.of(
                Pair.class,
                SCHEMA,
                (writer, value) -> {
                    writer.writeCompact(0, value.left, Pair.CODEC);
                    writer.writeCompact(1, value.right, Pair.CODEC);
                },
                reader -> new Pair(null, null));

        static final FixedLayoutCodec<Pair> STRAIGHT = new FixedLayoutCodec<>(Pair.class, SCHEMA) {
            @Override
            public void write(CompactWriter writer, Pair value) {
                throw new UnsupportedOperationException();
            }

            @Override
            public Pair read(CompactReader reader) {
                throw new UnsupportedOperationException();
            }

            @Override
            protected void write(Pair value, Output out) {
                int data = out.begin(schema().id(), 0);
                int left = out.put(data, value.left, this);
                int right = out.put(data, value.right, this);
                int table = out.endData(data, 2);
                int shift = Output.shift(data, table);
                out.putOffset(table, shift, 0, left);
                out.putOffset(table, shift, 1, right);
            }
        };
    }

    @Test
    void encodeAndDecode_asLargeAsAllowed_succeedAndNoLarger() {
        CompactSerialization all = with(Limits.DEFAULT);
        int[] items = new int[1000];
        byte[] bytes = all.encode(items);
        CompactSerialization enough = with(Limits.DEFAULT.withMaxBytes(bytes.length));
        assertThat(enough.encode(items)).isEqualTo(bytes);
        assertThat(enough.decode(bytes)).isEqualTo(items);
        CompactSerialization few = with(Limits.DEFAULT.withMaxBytes(bytes.length - 1));
        assertLimit("maxBytes", () -> few.encode(items));
        assertLimit("maxBytes", () -> few.decode(bytes));
        assertLimit("maxBytes", () -> few.view(bytes));
        assertLimit("maxBytes", () -> few.newRecordView(INTS).wrap(bytes));
        CompactSerialization none = with(Limits.DEFAULT.withMaxBytes(1));
        assertLimit("maxBytes", () -> none.encode(items));
    }

    /** A JVM makes no array of the very last lengths: a buffer for 1.5 GB, which doubles, must not ask for one. */
    @Test
    void buffer_ofTheLargestRecords_hasALengthThatAJvmMakes() {
        int most = Integer.MAX_VALUE - 8;
        assertThat(Output.capacity(600, 512, Integer.MAX_VALUE)).isEqualTo(1024);
        assertThat(Output.capacity(600, 512, 700)).isEqualTo(700);
        assertThat(Output.capacity(1_500_000_000, 1_200_000_000, Integer.MAX_VALUE))
                .isEqualTo(most);
        assertThat(Output.capacity(most, 1 << 30, Integer.MAX_VALUE)).isEqualTo(most);
        assertLimit("maxBytes", () -> Output.capacity(most + 1L, 1 << 30, Integer.MAX_VALUE));
        assertLimit("maxBytes", () -> Output.capacity(701, 512, 700));
    }

    @Test
    void encodeAndDecode_asManyItemsAsAllowed_succeedAndNoMore() {
        CompactSerialization all = with(Limits.DEFAULT);
        CompactSerialization few = with(Limits.DEFAULT.withMaxItems(5));
        assertThat(few.decode(few.encode(new int[5]))).isEqualTo(new int[5]);
        assertLimit("maxItems", () -> few.encode(new int[6]));
        assertLimit("maxItems", () -> few.decode(all.encode(new int[6])));
    }

    @Test
    void decode_ofACountOfBooleansAtTheLargestLimit_allocatesNothingForIt() {
        Schema schema = Schema.builder("bools")
                .field("items", FieldKind.ARRAY_OF_BOOLEAN)
                .build();
        byte[] bytes = ByteBuffer.allocate(8 + 8 + 4 + 4 + 1)
                .putInt(0)
                .putInt(-55)
                .putLong(schema.id())
                .putInt(4)
                .putInt(Integer.MAX_VALUE)
                .put((byte) 0)
                .array();
        assertThat(ArrayFormat.ARRAY_OF_BOOLEAN.read(bytes, 20, 24, Limits.DEFAULT.withMaxItems(Integer.MAX_VALUE)))
                .isNull();
        CompactCodec<boolean[]> codec = Codecs.of(
                boolean[].class,
                schema,
                (writer, value) -> writer.writeArrayOfBoolean(0, value),
                reader -> Objects.requireNonNull(reader.readArrayOfBoolean(0)));
        CompactSerialization serialization = CompactSerialization.builder()
                .codec(codec)
                .limits(Limits.DEFAULT.withMaxItems(Integer.MAX_VALUE))
                .build();
        assertThatThrownBy(() -> serialization.decode(bytes)).isInstanceOf(CompactFormatException.class);
    }

    @Test
    void limits_belowOne_areRefused() {
        assertThatThrownBy(() -> Limits.DEFAULT.withMaxBytes(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Limits.DEFAULT.withMaxDepth(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Limits.DEFAULT.withMaxItems(-1)).isInstanceOf(IllegalArgumentException.class);
    }
}
