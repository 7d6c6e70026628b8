package dev.touchstone.index.loader;

/**
 * A bad row, and the reason why it is not a price.
 *
 * @param line number of the line in the source at which the row begins, from 1; the number of the row for a database
 * @param column name of the column, or empty if the reason is about the whole row
 * @param value start of the value, which may be empty
 * @param reason problem, for people
 */
public record RowError(long line, String column, String value, String reason) {
    private static final int MAX_SHOWN = 80;

    static String shown(String value) {
        return value.length() <= MAX_SHOWN ? value : value.substring(0, MAX_SHOWN) + "...";
    }

    @Override
    public String toString() {
        return "line " + line + (column.isEmpty() ? "" : ", " + column) + (value.isEmpty() ? "" : " '" + value + "'")
                + ": " + reason;
    }
}
