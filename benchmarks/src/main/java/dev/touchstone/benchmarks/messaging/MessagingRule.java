package dev.touchstone.benchmarks.messaging;

import dev.touchstone.benchmarks.DeclaredSubject;
import dev.touchstone.benchmarks.RequiredCheck;
import dev.touchstone.harness.run.Matrix;
import dev.touchstone.harness.run.check.CheckRule;
import dev.touchstone.harness.run.check.SemanticCheck;

/** The checks of the Erlang node's workloads. */
public final class MessagingRule implements CheckRule {

    static final String PART = "messaging";

    /** Creates the rule for the service loader. */
    public MessagingRule() {}

    @Override
    public String part() {
        return PART;
    }

    @Override
    public SemanticCheck check(Matrix.Workload workload, String subject) {
        DeclaredSubject known = DeclaredSubject.of(subject);
        return new RequiredCheck(known, new MessagingCheck(workload, known));
    }
}
