package dev.touchstone.harness.env;

import java.util.List;

/**
 * A machine's facts, and what they mean for figures that it measures.
 *
 * @param environment the facts
 * @param findings what they mean, in the order of reading
 */
public record DoctorReport(Environment environment, List<Finding> findings) {

    /** The findings that follow from recorded facts, so that a report can show them for a run made elsewhere. */
    public static DoctorReport of(Environment environment) {
        return new DoctorReport(environment, Findings.of(environment));
    }
}
