package dev.touchstone.serialization.cli;

import java.util.ArrayList;
import java.util.List;

/** Rows of cells below headers, in at most {@value #WIDTH} characters a line: a cell too long for its column goes on below. */
final class Table {
    static final int WIDTH = 100;
    private static final String GAP = "  ";

    private final List<List<String>> rows = new ArrayList<>();

    Table(String... headers) {
        rows.add(List.of(headers));
    }

    Table row(String... cells) {
        rows.add(List.of(cells));
        return this;
    }

    @Override
    public String toString() {
        int[] widths = widths();
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            int lines = 1;
            for (int i = 0; i < widths.length; i++) {
                lines = Math.max(lines, (row.get(i).length() + widths[i] - 1) / widths[i]);
            }
            for (int line = 0; line < lines; line++) {
                text.append(line(row, widths, line).stripTrailing()).append(System.lineSeparator());
            }
        }
        return text.toString();
    }

    private static String line(List<String> row, int[] widths, int line) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            String cell = row.get(i);
            String part = cell.substring(
                    Math.min(cell.length(), line * widths[i]), Math.min(cell.length(), (line + 1) * widths[i]));
            text.append(part).append(" ".repeat(widths[i] - part.length())).append(GAP);
        }
        return text.toString();
    }

    /** Returns the columns' widths: those of the widest cells, or less for the widest columns where the line has no room. */
    private int[] widths() {
        int columns = rows.get(0).size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], Math.max(1, row.get(i).length()));
            }
        }
        int left = WIDTH - GAP.length() * (columns - 1);
        for (int total = sum(widths); total > left; total = sum(widths)) {
            int widest = 0;
            for (int i = 1; i < columns; i++) {
                widest = widths[i] > widths[widest] ? i : widest;
            }
            int second = secondWidest(widths, widest);
            widths[widest] = Math.max(Math.min(second, widths[widest] - 1), widths[widest] - (total - left));
        }
        return widths;
    }

    private static int secondWidest(int[] widths, int widest) {
        int second = 0;
        for (int i = 0; i < widths.length; i++) {
            second = i == widest ? second : Math.max(second, widths[i]);
        }
        return second;
    }

    private static int sum(int[] widths) {
        int sum = 0;
        for (int width : widths) {
            sum += width;
        }
        return sum;
    }
}
