package dev.touchstone.harness.report.text;

import java.util.ArrayList;
import java.util.List;

/** A table of fixed-width text that never exceeds a width: its left-aligned columns are cut with an ellipsis. One writer, one thread. */
public final class TextTable {
    private static final String INDENT = "  ";
    private static final String GAP = "  ";
    private static final int MIN_FLEXIBLE = 8;

    private final int maxWidth;
    private final List<String> headers;
    private final boolean[] left;
    private final List<Line> lines = new ArrayList<>();

    /** An empty table; a leading {@code <} marks the header of a left-aligned column. */
    TextTable(int maxWidth, String... headers) {
        this.maxWidth = maxWidth;
        this.headers = new ArrayList<>();
        this.left = new boolean[headers.length];
        for (int i = 0; i < headers.length; i++) {
            left[i] = headers[i].startsWith("<");
            this.headers.add(left[i] ? headers[i].substring(1) : headers[i]);
        }
    }

    void row(String... cells) {
        List<String> clean = new ArrayList<>();
        for (String cell : cells) {
            clean.add(oneLine(cell));
        }
        lines.add(new Line(clean, ""));
    }

    /** Text below the last row, wrapped. */
    void note(String text) {
        lines.add(new Line(List.of(), oneLine(text)));
    }

    void appendTo(StringBuilder out) {
        int[] widths = widths();
        append(out, headers, widths);
        for (Line line : lines) {
            if (line.cells.isEmpty()) {
                wrap(out, line.note, INDENT + "    ", maxWidth);
            } else {
                append(out, line.cells, widths);
            }
        }
    }

    /** Appends text in lines of at most {@code width}, cutting words that are longer. */
    static void wrap(StringBuilder out, String text, String indent, int width) {
        int room = width - indent.length();
        StringBuilder line = new StringBuilder();
        for (String word : oneLine(text).split(" +", -1)) {
            String fitting = cut(word, room);
            if (!line.isEmpty() && length(line) + 1 + length(fitting) > room) {
                out.append(indent).append(line).append('\n');
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(fitting);
        }
        out.append(indent).append(line).append('\n');
    }

    /** The text in at most {@code width} characters. */
    public static String cut(String text, int width) {
        if (length(text) <= width) {
            return text;
        }
        return text.substring(0, text.offsetByCodePoints(0, Math.max(0, width - 1))) + "…";
    }

    private int[] widths() {
        int[] widths = new int[left.length];
        int total = INDENT.length() + GAP.length() * (left.length - 1);
        for (int i = 0; i < left.length; i++) {
            widths[i] = length(headers.get(i));
            for (Line line : lines) {
                widths[i] = Math.max(widths[i], line.cells.isEmpty() ? 0 : length(line.cells.get(i)));
            }
            total += widths[i];
        }
        while (total > maxWidth && shrinkWidest(widths)) {
            total--;
        }
        return widths;
    }

    /** Takes one character from the widest left-aligned column; from any column once those are at their least. */
    private boolean shrinkWidest(int[] widths) {
        int widest = -1;
        for (int i = 0; i < widths.length; i++) {
            if (left[i] && widths[i] > MIN_FLEXIBLE && (widest < 0 || widths[i] > widths[widest])) {
                widest = i;
            }
        }
        for (int i = 0; widest < 0 && i < widths.length; i++) {
            if (widths[i] > MIN_FLEXIBLE) {
                widest = i;
            }
        }
        if (widest >= 0) {
            widths[widest]--;
        }
        return widest >= 0;
    }

    private void append(StringBuilder out, List<String> cells, int[] widths) {
        StringBuilder line = new StringBuilder(INDENT);
        for (int i = 0; i < widths.length; i++) {
            String cell = cut(cells.get(i), widths[i]);
            String padding = " ".repeat(widths[i] - length(cell));
            line.append(i == 0 ? "" : GAP).append(left[i] ? cell + padding : padding + cell);
        }
        out.append(line.toString().stripTrailing()).append('\n');
    }

    private static String oneLine(String text) {
        return text.replaceAll("\\p{Cntrl}+", " ").strip();
    }

    private static int length(CharSequence text) {
        return Character.codePointCount(text, 0, text.length());
    }

    /**
     * A row of cells, or a note across the table.
     *
     * @param cells empty for a note
     */
    private record Line(List<String> cells, String note) {}
}
