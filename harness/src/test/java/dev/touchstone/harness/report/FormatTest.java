package dev.touchstone.harness.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.harness.stats.PairedRatio;
import dev.touchstone.harness.stats.Summary;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FormatTest {
    @ParameterizedTest
    @CsvSource({
        "483900.09, 484 k",
        "2906135.871, 2.91 M",
        "12575.638, 12.6 k",
        "627.227, 627",
        "6.549, 6.55",
        "63.947, 63.9",
        "0.31, 0.310",
        "0.0123, 0.0123",
        "0, 0",
        "999.7, 1.00 k",
        "999600, 1.00 M",
        "0.0000123, 1.23e-05",
        "-1500, -1.50 k",
        "NaN, –",
        "7, 7",
        "2.5e15, 2500 T"
    })
    void score_anyValue_threeDigits(double value, String text) {
        assertThat(Format.score(value)).isEqualTo(text);
    }

    @Test
    void ratio_intervalOrOneRound() {
        assertThat(Format.ratio(new PairedRatio(6, 12.34, 10.91, 14.02, 0.97, 0, 0.1)))
                .isEqualTo("12.3x [10.9, 14.0]");
        assertThat(Format.ratio(new PairedRatio(1, 0.05, 0.05, 0.05, 0, 0, 0))).isEqualTo("0.050x (1 round)");
        assertThat(Format.ratio(new PairedRatio(6, 1234, 100, 9999, 0.97, 0, 0.1)))
                .isEqualTo("1234x [100, 9999]");
        assertThat(Format.ratio(null)).isEqualTo("–");
    }

    @Test
    void spread_oneForkOrMore() {
        assertThat(Format.spread(Summary.of(List.of(1.0)))).isEqualTo("n=1");
        assertThat(Format.spread(Summary.of(List.of(96.0, 100.0, 101.0)))).isEqualTo("±4.0 %");
        assertThat(Format.spread(null)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"2.5e6, 2.5 M", "0.3, 0.3", "1, 1", "20, 20", "5000, 5 k", "1.5, 1.5", "1e-4, 1.00e-04", "250, 250"})
    void tick_roundValue_hasNoZerosAtItsEnd(double value, String text) {
        assertThat(Format.tick(value)).isEqualTo(text);
    }

    @Test
    void perOperation_below1_saysHowManyShareOne() {
        assertThat(Format.perOperation(0.25)).isEqualTo("0.250 (1 in 4)");
        assertThat(Format.perOperation(2)).isEqualTo("2");
        assertThat(Format.perOperation(0)).isEqualTo("0");
    }
}
