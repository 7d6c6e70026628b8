package dev.touchstone.index.loader;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.List;

/**
 * The rules by which dates and times without an offset become points in time in one zone. The default zone of the JVM plays no role. Dates are those
 * of the proleptic Gregorian calendar, as in ISO 8601. Immutable.
 */
final class LocalTimes {
    private static final int TIME_AT = "2020-01-01".length(); // index of the separator between date and time

    private final ZoneId zone;

    LocalTimes(ZoneId zone) {
        this.zone = zone;
    }

    /**
     * Returns the point in time at which the clocks of the zone show a time.
     *
     * @throws DateTimeException if the clocks never show the time, because it lies in a gap, or show it twice; the message is for people
     */
    Instant instant(LocalDateTime time) {
        List<ZoneOffset> offsets = zone.getRules().getValidOffsets(time);
        if (offsets.size() != 1) {
            throw new DateTimeException(
                    (offsets.isEmpty() ? "local time does not exist: zone=" : "local time exists twice: zone=") + zone
                            + " offsets=" + offsets + "; give the time with an offset");
        }
        return time.toInstant(offsets.get(0));
    }

    /**
     * Returns the first moment of a day in the zone: 00:00, its earlier occurrence where the clocks show it twice, and the first time that exists
     * where they skip it.
     *
     * @throws DateTimeException if the day is too far from now
     */
    Instant firstMoment(LocalDate day) {
        return day.atStartOfDay(zone).toInstant();
    }

    /** Returns whether the text of a point in time ends with an offset, as ISO 8601 writes it. */
    static boolean hasOffset(String text) {
        if (text.isEmpty()) {
            return false;
        }
        char last = text.charAt(text.length() - 1);
        int time = Math.max(text.indexOf('T'), Math.max(text.indexOf('t'), text.indexOf(' ')));
        return last == 'Z'
                || last == 'z'
                || (time >= 0 && Math.max(text.lastIndexOf('+'), text.lastIndexOf('-')) > time);
    }

    /**
     * Returns the point in time that a text without an offset stands for: a date, or a date and a time with {@code T} or a space in between.
     *
     * @throws DateTimeException if the text is neither, or if its time is none of the zone
     */
    Instant parse(String text) {
        try {
            return text.length() <= TIME_AT
                    ? firstMoment(LocalDate.parse(text))
                    : instant(LocalDateTime.parse(iso(text)));
        } catch (DateTimeParseException e) {
            throw new DateTimeException("not a point in time: expected ISO 8601 such as 2019-05-10T05:00:00Z", e);
        }
    }

    /** Returns a text with {@code T} in place of the space that SQL writes between date and time. */
    static String iso(String text) {
        return text.length() > TIME_AT && text.charAt(TIME_AT) == ' '
                ? text.substring(0, TIME_AT) + 'T' + text.substring(TIME_AT + 1)
                : text;
    }
}
