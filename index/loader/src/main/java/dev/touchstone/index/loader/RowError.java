package dev.touchstone.index.loader;

/**
 * Why one row is no price.
 *
 * @param line in the source, from 1, where the row begins; of a database the number of the row
 * @param column empty if it is the row as a whole
 * @param value the start of what stands there; may be empty
 * @param reason what is wrong with it
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
