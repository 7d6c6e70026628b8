package dev.touchstone.builds.agent;

import java.math.BigDecimal;
import java.time.Duration;

/** Durations as the original's log has them: {@code 1h2m3.5s}, {@code 12.5ms}, {@code 7µs}. */
final class DurationText {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;

    private DurationText() {}

    static String of(Duration duration) {
        long nanos = Math.max(0, duration.toNanos());
        if (nanos == 0) {
            return "0s";
        }
        if (nanos < 1_000) {
            return nanos + "ns";
        }
        if (nanos < MILLI) {
            return decimal(nanos, 3) + "µs";
        }
        if (nanos < SECOND) {
            return decimal(nanos, 6) + "ms";
        }
        long minutes = nanos / (60 * SECOND);
        String seconds = decimal(nanos % (60 * SECOND), 9) + "s";
        if (minutes == 0) {
            return seconds;
        }
        return (minutes >= 60 ? minutes / 60 + "h" : "") + minutes % 60 + "m" + seconds;
    }

    private static String decimal(long value, int places) {
        BigDecimal number = BigDecimal.valueOf(value, places).stripTrailingZeros();
        return number.scale() < 0 ? number.setScale(0).toPlainString() : number.toPlainString();
    }
}
