package dev.touchstone.harness.run;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Proof that a benchmark does the work it claims to time, found with {@link java.util.ServiceLoader}: an implementation is public and has a public
 * constructor without parameters.
 */
public interface SemanticCheck {
    /** Id of the workload in the matrix. */
    String workload();

    /** Name of the subject in the matrix; its JVM flags apply. */
    String subject();

    /**
     * Does a little of the work and looks at what came of it.
     *
     * @param dataFolder an empty folder of this check's own
     * @throws CheckFailedException if the work was not done
     * @throws IOException if it could not be done
     */
    void run(Path dataFolder) throws CheckFailedException, IOException;
}
