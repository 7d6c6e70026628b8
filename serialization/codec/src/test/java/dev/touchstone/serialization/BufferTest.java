package dev.touchstone.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.serialization.exception.CompactFormatException;
import dev.touchstone.serialization.exception.CompactLimitException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records in buffers: on the heap and off it, in any byte order, with other bytes around them. */
class BufferTest {
    private static final Small VALUE = new Small(1, 2.5, 3L, "Grüße, 世界 \ud83d\ude00");

    private final CompactSerialization serialization =
            CompactSerialization.builder().codec(Small.Codec.INSTANCE).build();
    private final byte[] record = serialization.encode(VALUE);

    private static ByteBuffer buffer(boolean isDirect, int bytes) {
        ByteBuffer buffer = isDirect ? ByteBuffer.allocateDirect(bytes) : ByteBuffer.allocate(bytes);
        return buffer.order(ByteOrder.LITTLE_ENDIAN);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void encode_intoABuffer_putsTheSameBytesAtItsPosition(boolean isDirect) {
        ByteBuffer target = buffer(isDirect, record.length + 5);
        target.position(3);
        assertThat(serialization.encode(VALUE, target)).isEqualTo(record.length);
        assertThat(target.position()).isEqualTo(3 + record.length);
        byte[] written = new byte[record.length];
        target.get(3, written);
        assertThat(written).isEqualTo(record);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void encode_intoATooSmallBuffer_isRefusedAndChangesNothing(boolean isDirect) {
        ByteBuffer target = buffer(isDirect, record.length - 1);
        assertThatThrownBy(() -> serialization.encode(VALUE, target))
                .isInstanceOf(CompactLimitException.class)
                .hasMessageContaining("value=" + record.length)
                .hasMessageContaining("allowed=" + (record.length - 1));
        assertThat(target.position()).isZero();
        byte[] content = new byte[record.length - 1];
        target.get(0, content);
        assertThat(content).containsOnly(0);
    }

    @Test
    void encode_intoAReadOnlyBuffer_isRefused() {
        ByteBuffer target = ByteBuffer.allocate(record.length).asReadOnlyBuffer();
        assertThatThrownBy(() -> serialization.encode(VALUE, target)).isInstanceOf(ReadOnlyBufferException.class);
        assertThat(target.position()).isZero();
        assertThat(serialization.encode(VALUE)).isEqualTo(record);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void decode_ofTheRestOfABuffer_givesTheObjectAndPassesIt(boolean isDirect) {
        ByteBuffer source = buffer(isDirect, 7 + record.length);
        source.position(7).put(record).flip().position(7);
        assertThat(serialization.decode(source)).isEqualTo(VALUE);
        assertThat(source.remaining()).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void decode_ofDamagedBytes_isRefusedAndLeavesTheBufferAsItWas(boolean isDirect) {
        ByteBuffer source = buffer(isDirect, record.length);
        source.put(record).flip().limit(record.length - 1);
        assertThatThrownBy(() -> serialization.decode(source)).isInstanceOf(CompactFormatException.class);
        assertThat(source.position()).isZero();
        assertThat(source.remaining()).isEqualTo(record.length - 1);
    }
}
