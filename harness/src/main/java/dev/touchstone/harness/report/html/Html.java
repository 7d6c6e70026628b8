package dev.touchstone.harness.report.html;

/** HTML or SVG under construction: everything that comes from data goes through {@link #text}. One writer, one thread. */
public final class Html {
    private final StringBuilder out = new StringBuilder(1 << 16);

    /** Markup written in this code. Never data. */
    public Html raw(String markup) {
        out.append(markup);
        return this;
    }

    /** Data, as the reader is to see it. */
    public Html text(String data) {
        out.append(escape(data));
        return this;
    }

    /**
     * An element with text in it.
     *
     * @param open its tag with attributes, {@code p class="lead"}
     */
    public Html element(String open, String data) {
        int space = open.indexOf(' ');
        String name = space < 0 ? open : open.substring(0, space);
        return raw("<" + open + ">").text(data).raw("</" + name + ">");
    }

    /**
     * Opens a section that the reader unfolds at its heading.
     *
     * @param id of the section, which a link to it unfolds
     */
    Html fold(String id, String heading) {
        return raw("<details class=\"fold\"><summary>")
                .element("h2", heading)
                .raw("</summary><section id=\"" + escape(id) + "\">");
    }

    /** Closes what {@link #fold} opened. */
    Html endFold() {
        return raw("</section></details>");
    }

    /** A table cell whose column's name is shown beside it where the table is reflowed. */
    Html cell(String column, String cssClass, String data) {
        return openCell(column, cssClass).text(data).raw("</td>");
    }

    /** Opens a table cell like that of {@link #cell}, for markup; the caller closes it. */
    Html openCell(String column, String cssClass) {
        return raw("<td class=\"" + escape(cssClass) + "\" data-l=\"" + escape(column) + "\">");
    }

    @Override
    public String toString() {
        return out.toString();
    }

    /** Safe as text and within a quoted attribute. Control characters, which HTML forbids, become spaces. */
    static String escape(String data) {
        StringBuilder safe = new StringBuilder(data.length() + 16);
        for (int i = 0; i < data.length(); i++) {
            char c = data.charAt(i);
            switch (c) {
                case '&' -> safe.append("&amp;");
                case '<' -> safe.append("&lt;");
                case '>' -> safe.append("&gt;");
                case '"' -> safe.append("&quot;");
                case '\'' -> safe.append("&#39;");
                default -> safe.append(Character.isISOControl(c) ? ' ' : c);
            }
        }
        return safe.toString();
    }
}
