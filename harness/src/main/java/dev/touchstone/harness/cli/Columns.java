package dev.touchstone.harness.cli;

import java.util.ArrayList;
import java.util.List;

/** A table of text columns within {@value #WIDTH} characters a line; what is too long for its column goes on in the next line. */
final class Columns {
    static final int WIDTH = 100;
    private static final String GAP = "  ";
    private static final int WIDEST_BUT_LAST = 44;
    private static final int MIN_LAST = 20;

    private final List<List<String>> rows = new ArrayList<>();

    Columns(String... headers) {
        rows.add(List.of(headers));
    }

    void row(String... cells) {
        rows.add(List.of(cells));
    }

    String render() {
        int[] widths = widths();
        StringBuilder out = new StringBuilder();
        for (List<String> row : rows) {
            append(out, row, widths);
        }
        return out.toString();
    }

    private int[] widths() {
        int[] widths = new int[rows.get(0).size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], Math.min(row.get(i).length(), WIDEST_BUT_LAST));
            }
        }
        int last = widths.length - 1;
        int before = GAP.length() * last;
        for (int i = 0; i < last; i++) {
            before += widths[i];
        }
        widths[last] = Math.max(MIN_LAST, WIDTH - before);
        return widths;
    }

    private static void append(StringBuilder out, List<String> row, int[] widths) {
        List<List<String>> wrapped = new ArrayList<>();
        int height = 1;
        for (int i = 0; i < widths.length; i++) {
            List<String> lines = wrap(row.get(i), widths[i]);
            wrapped.add(lines);
            height = Math.max(height, lines.size());
        }
        for (int line = 0; line < height; line++) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                String cell = line < wrapped.get(i).size() ? wrapped.get(i).get(line) : "";
                text.append(cell).append(" ".repeat(widths[i] - cell.length())).append(GAP);
            }
            out.append(text.toString().stripTrailing()).append('\n');
        }
    }

    private static List<String> wrap(String text, int width) {
        List<String> lines = new ArrayList<>();
        String rest = text.replaceAll("\\s+", " ").strip();
        while (rest.length() > width) {
            int space = rest.lastIndexOf(' ', width);
            int cut = space > 0 ? space : width;
            lines.add(rest.substring(0, cut));
            rest = rest.substring(cut).strip();
        }
        lines.add(rest);
        return lines;
    }
}
