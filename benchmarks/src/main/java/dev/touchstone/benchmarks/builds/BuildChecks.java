package dev.touchstone.benchmarks.builds;

import dev.touchstone.harness.run.Matrix;
import dev.touchstone.harness.run.SemanticCheck;
import dev.touchstone.harness.run.SemanticCheckSource;
import java.util.ArrayList;
import java.util.List;

/** A semantic check for each subject of each workload of this part, with the workload's parameters. */
public final class BuildChecks implements SemanticCheckSource {
    static final String PART = "builds";

    /** For the service loader. */
    public BuildChecks() {}

    @Override
    public List<SemanticCheck> checks(Matrix matrix) {
        List<SemanticCheck> checks = new ArrayList<>();
        for (Matrix.Workload workload : matrix.workloads()) {
            if (workload.part().equals(PART)) {
                subjects(workload).forEach(subject -> checks.add(new BuildCheck(workload, subject)));
            }
        }
        return checks;
    }

    static List<BuildType> subjects(Matrix.Workload workload) {
        List<BuildType> subjects = new ArrayList<>();
        subjects.add(BuildType.valueOf(workload.ours()));
        workload.peers().forEach(peer -> subjects.add(BuildType.valueOf(peer)));
        Matrix.Ceiling ceiling = workload.ceiling();
        if (ceiling != null) {
            subjects.add(BuildType.valueOf(ceiling.subject()));
        }
        return subjects;
    }
}
