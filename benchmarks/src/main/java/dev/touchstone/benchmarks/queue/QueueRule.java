package dev.touchstone.benchmarks.queue;

import dev.touchstone.benchmarks.RequiredCheck;
import dev.touchstone.harness.run.Matrix;
import dev.touchstone.harness.run.check.CheckRule;
import dev.touchstone.harness.run.check.SemanticCheck;

/** The checks of the queue's workloads. */
public final class QueueRule implements CheckRule {

    /** Creates the rule for the service loader. */
    public QueueRule() {}

    @Override
    public String part() {
        return "queue";
    }

    @Override
    public SemanticCheck check(Matrix.Workload workload, String subject) {
        QueueSubject known = QueueSubject.of(subject);
        return new RequiredCheck(known.declared(), new QueueCheck(QueueCheck.Work.of(workload.benchmark()), known));
    }
}
