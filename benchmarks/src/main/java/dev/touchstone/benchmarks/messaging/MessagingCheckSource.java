package dev.touchstone.benchmarks.messaging;

import dev.touchstone.harness.run.Matrix;
import dev.touchstone.harness.run.SemanticCheck;
import dev.touchstone.harness.run.SemanticCheckSource;
import java.util.ArrayList;
import java.util.List;

/** A rule that makes a semantic check for each subject of each workload of the Erlang node. */
public final class MessagingCheckSource implements SemanticCheckSource {

    static final String PART = "messaging";

    /** Creates the rule for the service loader. */
    public MessagingCheckSource() {}

    @Override
    public List<SemanticCheck> checks(Matrix matrix) {
        List<SemanticCheck> checks = new ArrayList<>();
        for (Matrix.Workload workload : matrix.workloads()) {
            if (workload.part().equals(PART)) {
                for (String subject : subjects(workload)) {
                    checks.add(new MessagingCheck(workload, MessagingType.valueOf(subject)));
                }
            }
        }
        return checks;
    }

    private static List<String> subjects(Matrix.Workload workload) {
        List<String> subjects = new ArrayList<>();
        subjects.add(workload.ours());
        subjects.addAll(workload.peers());
        Matrix.Ceiling ceiling = workload.ceiling();
        if (ceiling != null) {
            subjects.add(ceiling.subject());
        }
        return subjects;
    }
}
