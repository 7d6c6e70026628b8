package dev.touchstone.harness.report.text;

import dev.touchstone.harness.report.Format;
import dev.touchstone.harness.report.Row;
import java.util.ArrayList;
import java.util.List;

/** Remarks that a report prints beside the figures of a row. */
public final class RowNotes {
    private static final int MAX_REASON = 300;

    private RowNotes() {}

    static List<String> of(Row row) {
        List<String> notes = new ArrayList<>();
        status(row, notes);
        List<String> parts = new ArrayList<>();
        row.secondary().forEach((name, series) -> parts.add(name + " " + Format.score(series.summary())));
        row.perOperation().forEach((label, ratio) -> parts.add(label + " " + Format.perOperation(ratio)));
        if (!parts.isEmpty()) {
            notes.add(String.join(" · ", parts));
        }
        return notes;
    }

    /** Only what went wrong or is missing. */
    public static List<String> status(Row row) {
        List<String> notes = new ArrayList<>();
        status(row, notes);
        return notes;
    }

    private static void status(Row row, List<String> notes) {
        if (row.failed() > 0) {
            int all = row.failed() + row.scores().size();
            notes.add("FAILED " + row.failed() + " of " + all + ": "
                    + TextTable.cut(String.valueOf(row.failure()), MAX_REASON));
        } else if (row.pending()) {
            notes.add("not run");
        } else if (row.kind() != Row.Kind.OURS && row.ratio() == null) {
            notes.add("no ratio: no round in common with ours, or another unit");
        }
        if (row.disturbed() > 0) {
            notes.add("disturbed in " + row.disturbed() + " of " + row.scores().size()
                    + (row.scores().size() == 1 ? " round" : " rounds"));
        }
    }
}
