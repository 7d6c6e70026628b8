package dev.touchstone.harness.paced;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.zip.DeflaterOutputStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class HistogramTextTest {
    private static final long SEED = 8;

    @Test
    void read_whatWasWritten_equal() throws Exception {
        Histogram written = sample();
        String text = HistogramText.of(written);
        assertThat(HistogramText.read(text)).isEqualTo(written);
        // as HdrHistogram itself reads it
        assertThat(Histogram.decodeFromCompressedByteBuffer(
                        ByteBuffer.wrap(Base64.getDecoder().decode(text)), 0))
                .isEqualTo(written);
    }

    @Test
    void merged_twoHistograms_percentilesOfAllCallsNotTheirMean() {
        Histogram fast = new Histogram(Caller.LONGEST_NANOS, Caller.DIGITS);
        fast.recordValueWithCount(1_000, 9_900);
        Histogram slow = new Histogram(Caller.LONGEST_NANOS, Caller.DIGITS);
        slow.recordValueWithCount(1_000_000, 100);
        ResponseTimes all =
                ResponseTimes.merged(List.of(new ResponseTimes(9_900, 0, fast), new ResponseTimes(90, 10, slow)));
        assertThat(all.micros(99)).isBetween(1.0, 1.01);
        assertThat(all.micros(99.1)).isBetween(1_000.0, 1_001.0);
        assertThat(List.of(all.made(), all.omitted())).containsExactly(9_990L, 10L);
        assertThat(ResponseTimes.parse(all.line())).isEqualTo(all);
    }

    @Test
    @Tag("sweep")
    void read_changedBytes_refusedOrAHistogram() {
        byte[] good = Base64.getDecoder().decode(HistogramText.of(sample()));
        Random random = new Random(SEED);
        for (int i = 0; i < 20_000; i++) {
            byte[] bad = good.clone();
            bad[random.nextInt(bad.length)] = (byte) random.nextInt();
            String text = Base64.getEncoder().encodeToString(bad);
            try {
                assertThat(HistogramText.read(text)).isNotNull();
            } catch (IllegalArgumentException expected) {
                assertThat(expected.getMessage()).as("seed %d, try %d", SEED, i).isNotBlank();
            }
        }
    }

    @Test
    void read_bombAndTornAndOtherForm_refused() throws Exception {
        String good = HistogramText.of(sample());
        String bomb = text(new byte[64 << 20]);
        Histogram other = new Histogram(1_000_000, 2);
        for (String bad :
                List.of("", "AAAA", "?", good.substring(0, good.length() / 2), bomb, HistogramText.of(other))) {
            assertThatThrownBy(() -> HistogramText.read(bad)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    private static String text(byte[] inflated) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(new byte[8]);
        try (DeflaterOutputStream deflated = new DeflaterOutputStream(out)) {
            deflated.write(inflated);
        }
        return Base64.getEncoder().encodeToString(out.toByteArray());
    }

    private static Histogram sample() {
        Histogram histogram = new Histogram(Caller.LONGEST_NANOS, Caller.DIGITS);
        Random random = new Random(SEED);
        for (int i = 0; i < 10_000; i++) {
            histogram.recordValue((long) Math.exp(8 + 2 * Math.abs(random.nextGaussian())));
        }
        return histogram;
    }
}
