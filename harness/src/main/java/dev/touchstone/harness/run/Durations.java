package dev.touchstone.harness.run;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people type and read them: {@code 500ms}, {@code 10s}, {@code 3m}, {@code 2h}. */
public final class Durations {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,9})\\s*(ms|s|m|min|h)");

    private Durations() {}

    /**
     * Reads a time such as {@code 500ms}.
     *
     * @param text digits and a unit; blanks around them are ignored
     * @return the time, 0 or more
     * @throws IllegalArgumentException if the text has another form
     */
    public static Duration parse(String text) {
        Matcher matcher = FORM.matcher(text.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException("expected a time as in 500ms, 10s, 3m or 2h, got '" + text + "'");
        }
        long amount = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "h" -> Duration.ofHours(amount);
            default -> Duration.ofMinutes(amount);
        };
    }

    /**
     * Writes a time exactly, in the largest unit that divides it.
     *
     * @param duration 0 or more; parts below a millisecond are dropped
     * @return text that {@link #parse} reads
     */
    public static String text(Duration duration) {
        long millis = duration.toMillis();
        if (millis % 1_000 != 0) {
            return millis + "ms";
        }
        long seconds = millis / 1_000;
        if (seconds == 0 || seconds % 60 != 0) {
            return seconds + "s";
        }
        return seconds % 3_600 == 0 ? seconds / 3_600 + "h" : seconds / 60 + "m";
    }

    /**
     * Writes a time roughly, for progress and tables: {@code 45 s}, {@code 2 min 5 s}, {@code 3 h 20 min}.
     *
     * @param duration any time; a negative one counts as 0
     * @return text for people only
     */
    public static String about(Duration duration) {
        long seconds = Math.max(0, (duration.toMillis() + 500) / 1_000);
        if (seconds < 60) {
            return seconds + " s";
        }
        if (seconds < 3_600) {
            return seconds / 60 + " min" + (seconds % 60 == 0 ? "" : " " + seconds % 60 + " s");
        }
        return seconds / 3_600 + " h" + (seconds % 3_600 < 60 ? "" : " " + seconds % 3_600 / 60 + " min");
    }
}
