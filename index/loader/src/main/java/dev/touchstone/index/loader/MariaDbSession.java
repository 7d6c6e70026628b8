package dev.touchstone.index.loader;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.Temporal;
import java.util.Calendar;
import java.util.Locale;
import java.util.TimeZone;
import org.jspecify.annotations.Nullable;

/**
 * A session of MariaDB or MySQL through MariaDB's driver. A {@code DATETIME} is a time without an offset, and a {@code TIMESTAMP} a point in time that
 * the clock of the session shows. The driver moves what lies in a gap of the default zone of the JVM, unless it is given a calendar. Not thread-safe.
 */
final class MariaDbSession {
    private static final String DRIVER = "MariaDB";
    private static final String POINT = "TIMESTAMP";

    private final String zone;

    private final Calendar utc = new Calendar.Builder()
            .setCalendarType("iso8601") // proleptic
            .setTimeZone(TimeZone.getTimeZone(ZoneOffset.UTC))
            .setLocale(Locale.ROOT)
            .build();

    private MariaDbSession(String zone) {
        this.zone = zone;
    }

    /** Returns the session of a connection, or null if its driver is another one. */
    static @Nullable MariaDbSession of(Connection database) throws SQLException {
        if (!database.getMetaData().getDriverName().contains(DRIVER)) {
            return null;
        }
        try (Statement statement = database.createStatement();
                ResultSet row = statement.executeQuery("select @@session.time_zone")) {
            row.next();
            return new MariaDbSession(String.valueOf(row.getString(1)));
        }
    }

    /** Returns whether a column with a type of this name holds points in time. */
    static boolean isPoint(@Nullable String typeName) {
        return POINT.equalsIgnoreCase(typeName);
    }

    /**
     * Checks that the zone of this session is known.
     *
     * @throws LoadException if the session follows the zone of the server's machine, which it does not tell, or if Java knows no such zone
     */
    void requireZone(String column) {
        try {
            ZoneId.of(zone);
        } catch (DateTimeException e) {
            throw new LoadException(
                    "zone of the session is not known: column='" + RowError.shown(column) + "' zone="
                            + RowError.shown(zone) + "; run SET time_zone = '+00:00' before the query, or give the"
                            + " driver's address sessionVariables=time_zone='+00:00'",
                    e);
        }
    }

    /**
     * Returns the time that a column of the current row shows, with its offset if the column holds points in time; null if there is none, as for
     * 0000-00-00.
     *
     * @throws DateTimeException if the clock of this session shows the time never or twice
     */
    @Nullable
    Temporal time(ResultSet rows, int column, boolean isPoint) throws SQLException {
        Timestamp found = rows.getTimestamp(column, utc);
        if (found == null) {
            return null;
        }
        LocalDateTime time = LocalDateTime.ofInstant(found.toInstant(), ZoneOffset.UTC);
        return isPoint ? new LocalTimes(ZoneId.of(zone)).instant(time).atOffset(ZoneOffset.UTC) : time;
    }
}
