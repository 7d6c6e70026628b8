package dev.touchstone.harness.report.text;

import dev.touchstone.harness.report.Format;
import dev.touchstone.harness.report.History;
import java.util.List;

/** A machine's nights in words. Pure functions. */
public final class HistoryText {
    public static final String LEAD =
            "Speeds are operations in the time of the machine's own work that night, so a slower machine is no change; up is faster."
                    + " A change of level is one that hardly any shuffle of the nights shows as clearly (E-divisive).";

    private HistoryText() {}

    /** {@code 2026-11-20 (abc1234): 0.91x, code: ...}, one for each. */
    public static List<String> shifts(History.Line line) {
        return line.shifts().stream().map(shift -> shift(line, shift)).toList();
    }

    private static String shift(History.Line line, History.Shift shift) {
        History.Night night = line.nights().get(shift.at());
        String remarks = shift.remarks().isEmpty() ? "" : ", " + String.join(", ", shift.remarks());
        return night.day() + " (" + night.commit() + "): " + Format.factor(shift.ratio()) + "x" + remarks;
    }
}
