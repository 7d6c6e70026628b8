package dev.touchstone.harness.run.check;

import dev.touchstone.harness.run.Matrix;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

/**
 * The check of one subject of one workload.
 *
 * @param workload id of the workload in the matrix
 * @param subject name of the subject in the matrix, whose JVM flags apply
 * @param check the evidence
 */
public record CellCheck(String workload, String subject, SemanticCheck check) {
    /**
     * Returns the checks of each subject of each workload, in the order of the matrix. A workload without a rule has a check that fails.
     *
     * @param loader finds the rules
     * @param matrix what is measured
     * @return the checks, one for each cell
     */
    public static List<CellCheck> all(ClassLoader loader, Matrix matrix) {
        Map<String, CheckRule> rules = new LinkedHashMap<>();
        ServiceLoader.load(CheckRule.class, loader).forEach(rule -> rules.put(rule.part(), rule));
        List<CellCheck> checks = new ArrayList<>();
        for (Matrix.Workload workload : matrix.workloads()) {
            CheckRule rule = rules.get(workload.part());
            for (String subject : workload.subjects()) {
                SemanticCheck check = rule == null ? new NoCheck(workload.part()) : rule.check(workload, subject);
                checks.add(new CellCheck(workload.id(), subject, check));
            }
        }
        return checks;
    }

    /**
     * Returns the cell's name.
     *
     * @return {@code workload/SUBJECT}
     */
    public String cell() {
        return workload + "/" + subject;
    }
}
