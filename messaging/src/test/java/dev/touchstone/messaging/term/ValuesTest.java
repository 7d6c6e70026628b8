package dev.touchstone.messaging.term;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The terms without parts, and lists and tuples as containers. */
class ValuesTest {
    @Test
    void atom_ofTooLongOrBrokenName_isRefused() {
        String longest = "\ud83d\ude00".repeat(255);
        assertThat(Atom.of(longest).name()).isEqualTo(longest);
        assertThat(Atom.of(longest).utf8Length()).isEqualTo(1020);
        assertThatThrownBy(() -> Atom.of("a".repeat(256)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("characters=256");
        assertThatThrownBy(() -> Atom.of("x\ud83d")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void atom_ofBytes_isAsStrictAsTheJdk() {
        long seed = Long.getLong("seed", System.nanoTime());
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 200_000; i++) {
            byte[] bytes = Terms.bytes(random, 1 + random.nextInt(5));
            int leads = random.nextInt(3);
            bytes[0] |= (byte) (leads == 0 ? 0 : leads == 1 ? 0xc0 : 0xe0);
            for (int j = 1; j < bytes.length; j++) {
                bytes[j] = random.nextInt(4) == 0 ? bytes[j] : (byte) (0x80 | (bytes[j] & 0x3f));
            }
            String text = new String(bytes, StandardCharsets.UTF_8);
            boolean valid = java.util.Arrays.equals(bytes, text.getBytes(StandardCharsets.UTF_8));
            assertThat(isAtom(bytes, text))
                    .as("seed=%d bytes=%s", seed, Binary.of(bytes))
                    .isEqualTo(valid);
        }
    }

    private static boolean isAtom(byte[] bytes, String text) {
        try {
            Atom atom = Atom.ofUtf8(bytes, 0, bytes.length);
            assertThat(atom).isEqualTo(Atom.of(text)).hasSameHashCodeAs(Atom.of(text));
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    @Test
    void integer_aroundTheEdgesOfLong_isTheKindThatFits() {
        BigInteger edge = BigInteger.ONE.shiftLeft(63);
        assertThat(Int.of(edge.subtract(BigInteger.ONE))).isEqualTo(Int.of(Long.MAX_VALUE));
        assertThat(Int.of(edge.negate())).isEqualTo(Int.of(Long.MIN_VALUE));
        assertThat(Int.of(edge)).isInstanceOf(BigInt.class);
        assertThat(((BigInt) Int.of(edge)).value()).isEqualTo(edge);
        BigInteger below = edge.negate().subtract(BigInteger.ONE);
        assertThat(((BigInt) Int.of(below)).value()).isEqualTo(below);
        assertThatThrownBy(() -> BigInt.of(BigInteger.TEN)).isInstanceOf(IllegalArgumentException.class);
        assertThat(BigInt.ofLittleEndian(true, new byte[] {5, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 0, 10))
                .isEqualTo(Int.of(-5));
    }

    @Test
    void integer_ofRandomMagnitudes_keepsItsValue() {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 1000; i++) {
            BigInteger value = new BigInteger(Terms.bytes(random, 1 + random.nextInt(20)));
            Term term = Int.of(value);
            BigInteger back = term instanceof Int number ? BigInteger.valueOf(number.value()) : ((BigInt) term).value();
            assertThat(back).isEqualTo(value);
        }
    }

    @Test
    void real_ofNoNumber_isRefused() {
        assertThatThrownBy(() -> ErlFloat.of(Double.NaN)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ErlFloat.of(Double.NEGATIVE_INFINITY)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void binary_ofASlice_showsTheSliceOnly() {
        Binary slice = Binary.wrap("xabcx".getBytes(StandardCharsets.UTF_8), 1, 3);
        assertThat(slice).isEqualTo(Binary.of("abc")).hasSameHashCodeAs(Binary.of("abc"));
        assertThat(slice.length()).isEqualTo(3);
        assertThat(slice.utf8String()).isEqualTo("abc");
        assertThat(slice.toByteArray()).containsExactly('a', 'b', 'c');
        assertThat(slice.byteAt(2)).isEqualTo((byte) 'c');
        assertThatThrownBy(() -> slice.byteAt(3)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> slice.byteAt(-1)).isInstanceOf(IndexOutOfBoundsException.class);
        ByteBuffer view = slice.asByteBuffer();
        assertThat(view.isReadOnly()).isTrue();
        assertThat(view.capacity()).isEqualTo(3);
        assertThat(view.get(0)).isEqualTo((byte) 'a');
    }

    @Test
    void bitString_withBitsBehindTheLast_forgetsThem() {
        assertThat(BitString.of(new byte[] {(byte) 0xff}, 3)).isEqualTo(BitString.of(new byte[] {(byte) 0xe0}, 3));
        assertThat(BitString.of(new byte[] {1, 2}, 7).bitLength()).isEqualTo(15);
        assertThatThrownBy(() -> BitString.of(new byte[1], 8)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> BitString.of(new byte[0], 1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void list_whateverItIsMadeOf_hasItsElements() {
        assertThat(ErlList.of()).isSameAs(ErlList.EMPTY);
        assertThat(ErlList.string("")).isSameAs(ErlList.EMPTY);
        assertThat(ErlList.of(Int.of(1), Int.of(300)).asList()).containsExactly(Int.of(1), Int.of(300));
        assertThat(ErlList.of(Int.of(1), Atom.OK).asList()).containsExactly(Int.of(1), Atom.OK);
        assertThat(ErlList.string("a\u03b1").stringValue()).isEqualTo("a\u03b1");
        assertThat(ErlList.string("a\ud83d\ude00").size()).isEqualTo(2);
        assertThatThrownBy(() -> ErlList.of(Atom.OK).stringValue()).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> ErlList.EMPTY.get(0)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void list_withAListAsTail_isOneList() {
        ErlList proper = ErlList.improper(List.of(Int.of(1)), ErlList.of(Int.of(2), Int.of(3)));
        assertThat(proper).isEqualTo(ErlList.of(Int.of(1), Int.of(2), Int.of(3)));
        ErlList improper = ErlList.improper(List.of(Int.of(1)), ErlList.improper(List.of(Int.of(2)), Atom.OK));
        assertThat(improper.asList()).containsExactly(Int.of(1), Int.of(2));
        assertThat(improper.tail()).isEqualTo(Atom.OK);
        assertThat(improper.isProper()).isFalse();
        assertThatThrownBy(() -> ErlList.improper(List.of(), Atom.OK)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void tuple_afterItsArrayChanged_isWhatItWas() {
        Term[] elements = {Atom.OK, Int.of(1)};
        Tuple tuple = Tuple.of(elements);
        elements[0] = Atom.ERROR;
        assertThat(tuple.get(0)).isEqualTo(Atom.OK);
        assertThat(tuple.is(Atom.OK, 2)).isTrue();
        assertThat(tuple.is(Atom.OK, 1)).isFalse();
        assertThatThrownBy(() -> tuple.asList().set(0, Atom.OK)).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void ref_hasOneToFiveNumbers() {
        Ref ref = Ref.of(Atom.OK, 9, 1, 2, 3, 4, 5);
        assertThat(ref.idCount()).isEqualTo(5);
        assertThat(ref.id(4)).isEqualTo(5);
        assertThatThrownBy(() -> Ref.of(Atom.OK, 9, 1, 2).id(2)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> Ref.of(Atom.OK, 9, new int[0])).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Ref.of(Atom.OK, 9, new int[6])).isInstanceOf(IllegalArgumentException.class);
    }
}
