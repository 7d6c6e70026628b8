package dev.touchstone.harness.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CellTest {
    @ParameterizedTest
    @CsvSource({
        "small one, small one",
        "100, 100",
        "/tmp/../x, %2Ftmp%2F.%2E%2Fx",
        "1...9, 1.%2E%2E9",
        "C:\\, C:%5C",
        "50%, 50%25",
    })
    void id_valuesThatWouldEndThem_escaped(String value, String escaped) {
        assertThat(cell(value).id()).isEqualTo("work/t2/size=" + escaped + "/OURS");
    }

    @Test
    void id_longValues_shortAndDifferent() {
        String one = cell("x".repeat(10_000) + "1").id();
        String other = cell("x".repeat(10_000) + "2").id();
        assertThat(one).isNotEqualTo(other).hasSizeLessThan(100).matches("work/t2/params=[0-9a-f-]+/OURS");
        assertThat(cell("a\n").id()).isEqualTo("work/t2/size=a%0A/OURS");
    }

    private static Cell cell(String value) {
        return new Cell("work", "a.B.c", new TreeMap<>(Map.of("size", value)), 2, "OURS");
    }
}
