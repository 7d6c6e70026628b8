package dev.touchstone.benchmarks.queue;

import dev.touchstone.harness.run.check.CheckFailedException;
import dev.touchstone.harness.run.check.ForceTrace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Observes the forces of a durable subject's files in the trace of this process. Observes nothing of other subjects, and nothing where there is no
 * trace, which the result of the check says. Used by one thread, whose calls nobody else makes at the same time.
 */
final class ForceWitness {

    private final Optional<ForceTrace> trace;
    private long before;

    private ForceWitness(Optional<ForceTrace> trace) throws IOException {
        this.trace = trace;
        before = observed();
    }

    /** Begins to observe the files below a folder. */
    static ForceWitness of(QueueSubject subject, Path folder) throws IOException {
        return new ForceWitness(subject.durable() ? ForceTrace.of(folder) : Optional.empty());
    }

    /**
     * Checks that the device was waited for since the last call of this method.
     *
     * @param call what has returned, with its number
     */
    void demandForce(String call) throws CheckFailedException, IOException {
        if (!hasForced()) {
            throw new CheckFailedException(call + " returned without a force: expected one more of forces=" + before);
        }
    }

    /** Returns whether the device was waited for since the last call of this method; true where nothing is observed. */
    boolean hasForced() throws IOException {
        long now = observed();
        boolean more = now > before || trace.isEmpty();
        before = now;
        return more;
    }

    /** Checks that a subject's own count of forces, which is published, is not more than what was observed. */
    void demandHonest(long counted) throws CheckFailedException, IOException {
        long now = observed();
        if (trace.isPresent() && (counted == 0 || counted > now)) {
            throw new CheckFailedException("the subject counts forces=" + counted + ", observed were " + now);
        }
    }

    private long observed() throws IOException {
        return trace.isPresent() ? trace.get().count() : 0;
    }
}
