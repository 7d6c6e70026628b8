package dev.touchstone.harness.sample;

import dev.touchstone.harness.run.Matrix;
import dev.touchstone.harness.run.SemanticCheck;
import dev.touchstone.harness.run.SemanticCheckSource;
import java.nio.file.Path;
import java.util.List;

/** Makes a check that holds for ours in a workload of the matrix. */
public final class FaultsChecks implements SemanticCheckSource {
    @Override
    public List<SemanticCheck> checks(Matrix matrix) {
        return matrix.workloads().stream()
                .filter(workload -> workload.id().equals("count-broken"))
                .<SemanticCheck>map(workload -> new Check(workload.id(), workload.ours()))
                .toList();
    }

    private record Check(String workload, String subject) implements SemanticCheck {
        @Override
        public void run(Path dataFolder) {
            // holds
        }
    }
}
