package dev.touchstone.benchmarks.queue;

import dev.touchstone.harness.run.Matrix;
import dev.touchstone.harness.run.SemanticCheck;
import dev.touchstone.harness.run.SemanticCheckSource;
import java.util.ArrayList;
import java.util.List;

/** A rule that makes a semantic check for each subject of each workload of the queue. */
public final class QueueCheckSource implements SemanticCheckSource {
    private static final String PART = "queue";

    /** Creates the rule for the service loader. */
    public QueueCheckSource() {}

    @Override
    public List<SemanticCheck> checks(Matrix matrix) {
        List<SemanticCheck> checks = new ArrayList<>();
        for (Matrix.Workload workload : matrix.workloads()) {
            if (workload.part().equals(PART)) {
                QueueCheck.Work work = QueueCheck.Work.of(workload.benchmark());
                for (QueueType subject : subjects(workload)) {
                    checks.add(new QueueCheck(workload.id(), work, subject));
                }
            }
        }
        return checks;
    }

    private static List<QueueType> subjects(Matrix.Workload workload) {
        List<QueueType> subjects = new ArrayList<>();
        subjects.add(QueueType.valueOf(workload.ours()));
        workload.peers().forEach(peer -> subjects.add(QueueType.valueOf(peer)));
        Matrix.Ceiling ceiling = workload.ceiling();
        if (ceiling != null) {
            subjects.add(QueueType.valueOf(ceiling.subject()));
        }
        return subjects;
    }
}
