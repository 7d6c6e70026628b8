package dev.touchstone.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.serialization.Codecs.Link;
import dev.touchstone.serialization.schema.FieldKind;
import dev.touchstone.serialization.schema.Schema;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

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

    @Test
    void encodeAndDecode_asManyItemsAsAllowed_succeedAndNoMore() {
        CompactSerialization all = with(Limits.DEFAULT);
        CompactSerialization few = with(Limits.DEFAULT.withMaxItems(5));
        assertThat(few.decode(few.encode(new int[5]))).isEqualTo(new int[5]);
        assertLimit("maxItems", () -> few.encode(new int[6]));
        assertLimit("maxItems", () -> few.decode(all.encode(new int[6])));
    }

    @Test
    void limits_belowOne_areRefused() {
        assertThatThrownBy(() -> Limits.DEFAULT.withMaxBytes(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Limits.DEFAULT.withMaxDepth(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Limits.DEFAULT.withMaxItems(-1)).isInstanceOf(IllegalArgumentException.class);
    }
}
