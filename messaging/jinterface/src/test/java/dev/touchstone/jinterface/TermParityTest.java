package dev.touchstone.jinterface;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.ericsson.otp.erlang.OtpErlangBinary;
import com.ericsson.otp.erlang.OtpErlangDecodeException;
import com.ericsson.otp.erlang.OtpErlangList;
import com.ericsson.otp.erlang.OtpErlangLong;
import com.ericsson.otp.erlang.OtpErlangObject;
import com.ericsson.otp.erlang.OtpErlangRangeException;
import com.ericsson.otp.erlang.OtpErlangTuple;
import com.ericsson.otp.erlang.OtpInputStream;
import com.ericsson.otp.erlang.OtpOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Terms and streams beside those of the real library, and where ours must be stricter. */
class TermParityTest {
    @Test
    void terms_behaveAsThoseOfTheRealLibrary() throws IOException, ReflectiveOperationException {
        try (RealLibrary real = new RealLibrary()) {
            assertThat(RealLibrary.differences(new TermProbe().apply(0), real.run(TermProbe.class, 0)))
                    .isEmpty();
        }
    }

    @Test
    void streams_behaveAsThoseOfTheRealLibrary() throws IOException, ReflectiveOperationException {
        try (RealLibrary real = new RealLibrary()) {
            assertThat(RealLibrary.differences(new StreamProbe().apply(0), real.run(StreamProbe.class, 0)))
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "108 127 255 255 255",
                "108 255 255 255 255",
                "105 127 255 255 255",
                "116 127 255 255 255",
                "116 255 255 255 255",
                "109 127 255 255 255 1",
                "109 255 0 0 9 5",
                "111 255 255 255 255 0 1 2",
                "112 0 0 0 9 1",
                "114 255 255 119 1 97 0",
                "80 127 255 255 255 120 156 1",
                "107 255 255 1",
                "98 1",
                "119 9"
            })
    void read_ofLengthsThatDoNotCome_isRefusedWithoutMemory(String bytes) {
        int[] numbers =
                Arrays.stream(bytes.split(" ", -1)).mapToInt(Integer::parseInt).toArray();
        assertThatThrownBy(() -> Trace.decoded(numbers)).isInstanceOf(OtpErlangDecodeException.class);
    }

    @Test
    void read_ofDeepTerms_endsInATermOrInAnException() throws OtpErlangDecodeException {
        assertThat(new OtpInputStream(nested(900)).read_any().hashCode()).isNotZero();
        assertThatThrownBy(() -> new OtpInputStream(nested(200_000)).read_any())
                .isInstanceOf(OtpErlangDecodeException.class)
                .hasMessageContaining("nested too deeply");
    }

    private static byte[] nested(int levels) {
        byte[] bytes = new byte[2 * levels + 1];
        for (int i = 0; i < levels; i++) {
            bytes[2 * i] = 104;
            bytes[2 * i + 1] = 1;
        }
        bytes[2 * levels] = 106;
        return bytes;
    }

    @Test
    void read_ofDamagedBytes_endsInATermOrInADecodeException() {
        long seed = Long.getLong("seed", System.nanoTime());
        System.err.println("seed=" + seed);
        Random random = new Random(seed);
        OtpErlangObject[] parts = {
            new OtpErlangBinary(new byte[40]), new OtpErlangList("text"), Trace.number(1L << 40), Trace.atom("name")
        };
        byte[] whole = Trace.encoded(new OtpErlangTuple(new OtpErlangObject[] {
            new OtpErlangList(parts), new OtpErlangTuple(parts), new OtpErlangLong(BigInteger.ONE.shiftLeft(99))
        }));
        for (int i = 0; i < 20_000; i++) {
            byte[] damaged = Arrays.copyOf(whole, 1 + random.nextInt(whole.length));
            damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            try {
                assertThat(new OtpInputStream(damaged).read_any().toString()).isNotNull();
            } catch (OtpErlangDecodeException e) {
                assertThat(e.getMessage()).isNotEmpty();
            }
        }
    }

    @Test
    void intValue_beyondALong_isRefused() {
        OtpErlangLong large = new OtpErlangLong(BigInteger.ONE.shiftLeft(64));
        assertThatThrownBy(large::intValue).isInstanceOf(OtpErlangRangeException.class);
        assertThatThrownBy(large::byteValue).isInstanceOf(OtpErlangRangeException.class);
        assertThat(large.longValue()).isZero();
    }

    @Test
    void write_ofWhatCannotBe_isRefused() {
        OtpOutputStream out = new OtpOutputStream();
        assertThatThrownBy(() -> out.write_atom("x".repeat(256))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> out.write_bitstr(new byte[1], 9)).isInstanceOf(IllegalArgumentException.class);
        assertThat(out.size()).isZero();
    }
}
