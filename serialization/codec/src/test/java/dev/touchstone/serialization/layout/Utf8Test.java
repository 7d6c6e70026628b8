package dev.touchstone.serialization.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Compares our decoder and encoder with those of the JDK. */
class Utf8Test {
    private static final int BEFORE = 8;

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);

    @Test
    void get_ofAnyTwoOrThreeBytes_isWhatTheJdkDecodes() {
        byte[] bytes = new byte[BEFORE + 3];
        for (int all = 0; all < 1 << 24; all += all < 1 << 16 ? 1 : 61) {
            bytes[BEFORE] = (byte) all;
            bytes[BEFORE + 1] = (byte) (all >> 8);
            bytes[BEFORE + 2] = (byte) (all >> 16);
            assertSame(bytes);
        }
    }

    @Test
    void get_ofRandomBytes_isWhatTheJdkDecodes() {
        for (int round = 0; round < 300_000; round++) {
            byte[] text = text(random.nextInt(40)).getBytes(StandardCharsets.UTF_8);
            byte[] bytes = new byte[BEFORE + text.length];
            System.arraycopy(text, 0, bytes, BEFORE, text.length);
            if (text.length > 0 && random.nextInt(3) > 0) {
                bytes[BEFORE + random.nextInt(text.length)] = (byte) random.nextInt();
            }
            assertSame(bytes);
        }
    }

    @Test
    void isAt_ofTextsThatDifferInOneByte_isFalse() {
        for (int length = 0; length <= 40; length++) {
            byte[] text = new byte[length];
            random.nextBytes(text);
            byte[] bytes = new byte[BEFORE + length + 3];
            System.arraycopy(text, 0, bytes, BEFORE, length);
            assertThat(Utf8.isAt(bytes, BEFORE, text))
                    .as("-Dseed=%d length=%d", seed, length)
                    .isTrue();
            for (int at = 0; at < length; at++) {
                bytes[BEFORE + at] ^= (byte) (1 << random.nextInt(8));
                assertThat(Utf8.isAt(bytes, BEFORE, text))
                        .as("-Dseed=%d length=%d at=%d", seed, length, at)
                        .isFalse();
                bytes[BEFORE + at] = text[at];
            }
        }
    }

    private void assertSame(byte[] bytes) {
        int length = bytes.length - BEFORE;
        String expected = decoded(bytes, length);
        String got = Utf8.get(bytes, BEFORE, length);
        if (!Objects.equals(got, expected)) {
            assertThat(got)
                    .as("-Dseed=%d bytes=%s", seed, Arrays.toString(bytes))
                    .isEqualTo(expected);
        }
    }

    private static @Nullable String decoded(byte[] bytes, int length) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, BEFORE, length))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    @Test
    void put_ofRandomUnits_isWhatTheJdkEncodes() {
        for (int round = 0; round < 300_000; round++) {
            String text = text(random.nextInt(64));
            char[] units = text.toCharArray();
            if (units.length > 0 && random.nextInt(3) == 0) {
                units[random.nextInt(units.length)] = (char) random.nextInt(0xd700, 0xe100);
            }
            byte[] out = new byte[3 * units.length + 1];
            int end = Utf8.put(out, 0, units, units.length);
            byte[] expected = new String(units).getBytes(StandardCharsets.UTF_8);
            if (!Arrays.equals(out, 0, end, expected, 0, expected.length)) {
                assertThat(Arrays.copyOf(out, end))
                        .as("-Dseed=%d units=%s", seed, Arrays.toString(units))
                        .isEqualTo(expected);
            }
        }
    }

    private String text(int length) {
        int[] points = new int[length];
        int bound = new int[] {0x80, 0x100, 0x800, 0x1_0000, 0x11_0000}[random.nextInt(5)];
        for (int i = 0; i < length; i++) {
            int point = random.nextInt(bound);
            points[i] = point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE ? '\ufffd' : point;
        }
        return new String(points, 0, length);
    }
}
