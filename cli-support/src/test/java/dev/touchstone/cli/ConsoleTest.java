package dev.touchstone.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConsoleTest {
    @Test
    void charset_asciiOfASystemWithoutLocale_isUtf8() {
        assertThat(Console.charset("ANSI_X3.4-1968")).isEqualTo(StandardCharsets.UTF_8);
        assertThat(Console.charset("ISO-8859-1")).isEqualTo(StandardCharsets.ISO_8859_1);
    }

    @Test
    void check_outOfRange_namesThatOptionOnly() {
        assertThat(Ranges.checkPort("--port", 0)).isZero();
        assertThat(Ranges.check("--limit", 1L << 40, 1, Long.MAX_VALUE)).isEqualTo(1L << 40);
        assertThatThrownBy(() -> Ranges.checkPort("--port", 99_999))
                .isInstanceOf(UsageException.class)
                .hasMessage("--port: expected 0..65535, got 99999");
        assertThatThrownBy(() -> Ranges.check("--readers", 0, 1, Integer.MAX_VALUE))
                .hasMessage("--readers: expected 1 or more, got 0");
    }

    @Test
    void nearest_mistypedWord_fewestEdits() {
        assertThat(Suggestions.nearest("qiuck", List.of("quick", "full"))).contains("quick");
        assertThat(Suggestions.nearest("benchmark", List.of("quick", "full"))).isEmpty();
        assertThat(Suggestions.edits("kitten", "sitting")).isEqualTo(3);
    }
}
