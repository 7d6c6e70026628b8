package dev.touchstone.harness.run;

import java.util.List;

/**
 * Semantic checks that are made by a rule, for many cells that are checked alike: found with {@link java.util.ServiceLoader}, as single
 * {@link SemanticCheck}s are.
 */
public interface SemanticCheckSource {
    /** Its checks of what a project measures, in the order in which they are to run. */
    List<SemanticCheck> checks(Matrix matrix);
}
