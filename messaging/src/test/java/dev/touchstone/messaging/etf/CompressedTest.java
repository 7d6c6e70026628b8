package dev.touchstone.messaging.etf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.messaging.term.Binary;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Terms;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CompressedTest {
    private static final int MIB = 1 << 20;

    /** A compressed term that says it will be inflated to {@code size} bytes. */
    private static byte[] compressed(byte[] inflated, int length, int size) {
        TermWriter out = new TermWriter(64);
        out.writeVersion();
        out.putByte(Tag.COMPRESSED);
        out.putInt(size);
        Deflater deflater = new Deflater(9);
        deflater.setInput(inflated, 0, length);
        deflater.finish();
        byte[] deflated = new byte[length / 10 + 1000];
        out.putBytes(deflated, 0, deflater.deflate(deflated));
        assertThat(deflater.finished()).isTrue();
        deflater.end();
        return Arrays.copyOf(out.array(), out.position());
    }

    private static byte[] zeros(int bytes) {
        return Arrays.copyOfRange(TermWriter.encode(Binary.of(new byte[bytes])), 1, bytes + 6);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1, 6, 9})
    void decode_ofWhatWasCompressed_givesTheTerm(int level) {
        SplittableRandom random = new SplittableRandom(level);
        for (int i = 0; i < 300; i++) {
            Term term = Terms.random(random, 5);
            byte[] bytes = TermWriter.encodeCompressed(term, level);
            assertThat(bytes.length).isLessThanOrEqualTo(TermWriter.encode(term).length);
            assertThat(TermReader.decode(bytes)).isEqualTo(term);
        }
        byte[] large = TermWriter.encodeCompressed(Binary.of(new byte[MIB]), level);
        assertThat(TermReader.decode(large)).isEqualTo(Binary.of(new byte[MIB]));
        assertThat(large[1] == Tag.COMPRESSED).isEqualTo(level != 0);
    }

    @Test
    void readVersioned_ofSeveralTerms_goesToTheNext() {
        byte[] zeros = zeros(MIB);
        byte[] one = compressed(zeros, zeros.length, zeros.length);
        TermWriter out = new TermWriter(10);
        out.putBytes(one, 0, one.length);
        out.putBytes(one, 0, one.length);
        out.writeVersion();
        out.writeInt(7);
        TermReader in = new TermReader(new AtomTable(), DecodeLimits.DEFAULT).reset(out.array(), 0, out.position());
        assertThat(in.readVersioned()).isEqualTo(Binary.of(new byte[MIB]));
        assertThat(in.position()).isEqualTo(one.length);
        assertThat(in.readVersioned()).isEqualTo(Binary.of(new byte[MIB]));
        assertThat(in.readVersioned()).hasToString("7");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100, 65_535, 65_536, 1_000_000})
    void decode_ofAnotherSizeThanItSays_isMalformed(int bytes) {
        byte[] zeros = zeros(bytes);
        for (int difference : new int[] {-1, 1, 1000}) {
            byte[] wrong = compressed(zeros, zeros.length, zeros.length + difference);
            assertThatThrownBy(() -> TermReader.decode(wrong)).isInstanceOf(MalformedTermException.class);
        }
        byte[] right = compressed(zeros, zeros.length, zeros.length);
        assertThat(TermReader.decode(right)).isEqualTo(Binary.of(new byte[bytes]));
        byte[] more = compressed(Arrays.copyOf(zeros, zeros.length + 1), zeros.length + 1, zeros.length + 1);
        assertThatThrownBy(() -> TermReader.decode(more))
                .isInstanceOf(MalformedTermException.class)
                .hasMessageContaining("behind a compressed term");
        right[right.length - 1]++;
        assertThatThrownBy(() -> TermReader.decode(right))
                .isInstanceOf(MalformedTermException.class)
                .hasMessageContaining("not a zlib stream");
    }

    @Test
    void decode_ofABomb_isRefusedBeforeItsMemoryIsTaken() {
        DecodeLimits limits = DecodeLimits.DEFAULT.withMaxInflatedBytes(16 * MIB);
        byte[] zeros = zeros(32 * MIB);
        byte[] beyondLimit = compressed(zeros, zeros.length, zeros.length);
        byte[] lying = compressed(zeros, zeros.length, 1000);
        byte[] tiny = compressed(zeros, 1000, 15 * MIB);
        byte[] negative = compressed(zeros, 1000, -5);
        for (byte[] bomb : new byte[][] {beyondLimit, lying, tiny, negative}) {
            long allocated = Allocated.by(() ->
                    assertThatThrownBy(() -> TermReader.decode(bomb, limits)).isInstanceOf(EtfException.class));
            assertThat(allocated).isLessThan(2 * MIB);
        }
        assertThatThrownBy(() -> TermReader.decode(beyondLimit, limits))
                .isInstanceOf(TermLimitException.class)
                .hasMessageContaining("limit=maxInflatedBytes");
    }

    @Test
    void decode_ofATermThatIsCompressedTwice_isMalformed() {
        byte[] zeros = zeros(MIB);
        byte[] once = compressed(zeros, zeros.length, zeros.length);
        byte[] inner = Arrays.copyOfRange(once, 1, once.length);
        byte[] twice = compressed(inner, inner.length, inner.length);
        assertThatThrownBy(() -> TermReader.decode(twice)).isInstanceOf(MalformedTermException.class);
    }
}
