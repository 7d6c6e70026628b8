package dev.touchstone.serialization.cli.code;

import java.util.HexFormat;
import java.util.function.IntFunction;

/** Collector of the lines of a file, with an indent. Not thread-safe. */
final class SourceText {
    private static final String INDENT = "    ";

    private final StringBuilder text = new StringBuilder();
    private int depth;

    SourceText line(String line) {
        if (!line.isEmpty()) {
            text.append(INDENT.repeat(depth)).append(line);
        }
        text.append('\n');
        return this;
    }

    SourceText lines(String... lines) {
        for (String line : lines) {
            line(line);
        }
        return this;
    }

    /** Writes a line, and the following ones one step to the right. */
    SourceText open(String line) {
        line(line);
        depth++;
        return this;
    }

    SourceText close() {
        depth--;
        return this;
    }

    /** Writes a line one step to the left. */
    SourceText close(String line) {
        return close().line(line);
    }

    @Override
    public String toString() {
        return text.toString();
    }

    /** Returns a name for a comment, without signs that could end it. */
    static String comment(String name) {
        StringBuilder shown = new StringBuilder();
        name.codePoints()
                .forEach(each -> shown.appendCodePoint(
                        Character.isLetterOrDigit(each) || " ._$-".indexOf(each) >= 0 ? each : '?'));
        return shown.toString();
    }

    /**
     * Returns the characters of a string between its quotes, in ASCII.
     *
     * @param beyond form of a character beyond the first 65 536
     */
    static String escaped(String value, IntFunction<String> beyond) {
        StringBuilder shown = new StringBuilder();
        value.codePoints().forEach(each -> {
            if (each == '"' || each == '\'' || each == '\\') {
                shown.append('\\').appendCodePoint(each);
            } else if (each >= ' ' && each <= '~') {
                shown.appendCodePoint(each);
            } else if (Character.isBmpCodePoint(each)) {
                shown.append("\\u").append(HexFormat.of().toHexDigits((char) each));
            } else {
                shown.append(beyond.apply(each));
            }
        });
        return shown.toString();
    }
}
