package dev.touchstone.benchmarks.builds;

import dev.touchstone.benchmarks.DeclaredSubject;
import dev.touchstone.benchmarks.RequiredCheck;
import dev.touchstone.harness.run.Matrix;
import dev.touchstone.harness.run.check.CheckRule;
import dev.touchstone.harness.run.check.SemanticCheck;

/** The checks of this part's workloads, with the workload's parameters. */
public final class BuildRule implements CheckRule {
    static final String PART = "builds";

    /** Creates the rule for the service loader. */
    public BuildRule() {}

    @Override
    public String part() {
        return PART;
    }

    @Override
    public SemanticCheck check(Matrix.Workload workload, String subject) {
        DeclaredSubject known = DeclaredSubject.of(subject);
        return new RequiredCheck(known, new BuildCheck(workload, known));
    }
}
