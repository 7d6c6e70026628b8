package dev.touchstone.queue.replicated.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LimitedLogTest {
    private static final class Lines implements System.Logger {
        private final List<String> lines = new ArrayList<>();

        @Override
        public String getName() {
            return "test";
        }

        @Override
        public boolean isLoggable(Level level) {
            return true;
        }

        @Override
        public void log(Level level, @Nullable ResourceBundle bundle, String message, @Nullable Throwable thrown) {
            lines.add(message);
        }

        @Override
        public void log(Level level, @Nullable ResourceBundle bundle, String format, @Nullable Object... values) {
            lines.add(format);
        }
    }

    @Test
    void warn_manyTimes_logsAFewLines() {
        Lines lines = new Lines();
        LimitedLog log = new LimitedLog(lines);
        for (int i = 0; i < 1_000; i++) {
            log.warn("line " + i, i % 2 == 0 ? null : new IllegalStateException("cause"));
        }
        assertThat(lines.lines).hasSize(LimitedLog.MAX_LINES).startsWith("line 0");
    }

    @Test
    void shown_hostileText_isCutAndPrintable() {
        assertThat(Reasons.shown("a:1")).isEqualTo("a:1");
        assertThat(Reasons.shown("a\n\u001b[31m\u00e9")).isEqualTo("a??[31m?");
        assertThat(Reasons.shown("x".repeat(1 << 20)))
                .hasSizeLessThan(250)
                .startsWith("xxx")
                .endsWith("... (1048576 chars)");
    }
}
