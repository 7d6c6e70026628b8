package dev.touchstone.harness.run.check;

import dev.touchstone.harness.run.Matrix;

/**
 * The semantic checks of one part of the matrix, found with {@link java.util.ServiceLoader}: an implementation is public and has a public
 * constructor without parameters. {@link CellCheck#all} asks it for each subject of each workload, so that no workload is without a check.
 */
public interface CheckRule {
    /**
     * Returns the name of the part.
     *
     * @return the name, as the matrix writes it
     */
    String part();

    /**
     * Creates the check of one subject of one workload. Nothing is opened before the check runs.
     *
     * @param workload a workload of the part
     * @param subject name of one of its subjects
     * @return the check
     * @throws IllegalArgumentException if the rule knows no check of the workload's benchmark
     */
    SemanticCheck check(Matrix.Workload workload, String subject);
}
