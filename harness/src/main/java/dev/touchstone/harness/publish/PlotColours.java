package dev.touchstone.harness.publish;

import java.util.List;
import java.util.Locale;

/** Colours of a plot for a light and a dark page. Text and marks have a contrast of at least 4.5 to the paper (WCAG AA). */
enum PlotColours {
    LIGHT("#ffffff", "#d5d9dd", "#1c2328", "#57626a", "#0a6b6b", "#57626a", "#955207", "#b02a3b"),
    DARK("#0d1117", "#363e47", "#e6e8ea", "#9ba7ad", "#52c7ba", "#9ba7ad", "#e3a650", "#ff8f8f");

    private final String paper;
    private final String grid;
    private final String ink;
    private final String muted;
    private final String ours;
    private final String peer;
    private final String ceiling;
    private final String worse;

    PlotColours(
            String paper,
            String grid,
            String ink,
            String muted,
            String ours,
            String peer,
            String ceiling,
            String worse) {
        this.paper = paper;
        this.grid = grid;
        this.ink = ink;
        this.muted = muted;
        this.ours = ours;
        this.peer = peer;
        this.ceiling = ceiling;
        this.worse = worse;
    }

    /** Returns the word in the names of files: {@code light} or {@code dark}. */
    String suffix() {
        return name().toLowerCase(Locale.ROOT);
    }

    String paper() {
        return paper;
    }

    /** Returns the colours that must be told from the paper. */
    List<String> foregrounds() {
        return List.of(ink, muted, ours, peer, ceiling, worse);
    }

    /** Returns the style sheet. Widths below 600 pixels drop the details, which the tables have. */
    String css() {
        return String.format(
                Locale.ROOT, """
                text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue","Liberation Sans",Arial,sans-serif;\
                font-variant-numeric:tabular-nums;fill:%s}
                .title{font-size:16px;font-weight:600}.group{font-size:13px;font-weight:600}
                .note,.tick{font-size:11px}.note,.tick,.head,.level,.ends{fill:%s}
                .end{text-anchor:end}.tick{text-anchor:middle}.score{transform:translateX(-58px)}
                .ours{fill:%s;font-weight:600}.ceiling{fill:%s}.worse{fill:%s;font-weight:600}.peer{fill:%s}
                line{stroke-linecap:round}.axis{stroke:%s}.range{stroke-width:4;opacity:.55}.mark{stroke:%s;stroke-width:2}
                .range.ours{stroke:%s}.range.peer{stroke:%s}.range.ceiling{stroke:%s}
                text.peer{fill:%s}
                .level{font-weight:400}.wide{display:none}
                @media(min-width:600px){text{font-size:13px}.wide{display:inline}.narrow{display:none}.score{transform:translateX(-190px)}.ratio{transform:translateX(-112px)}}
                """, ink, muted, ours, ceiling, worse, peer, grid, ceiling, ours, peer, ceiling, ink);
    }
}
